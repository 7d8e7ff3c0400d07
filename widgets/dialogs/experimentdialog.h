// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/background.h"
#include "models/madescorings.h"
#include "models/selectoroffers.h"

#include <QDialog>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QScrollArea;
class QSpinBox;

namespace stillroom::widgets {

class CostLine;
class FieldForm;

/// What scoring, distilling or calibrating needs to know: what scores the layers, how they start, on which texts, with how many tokens; and what that costs, before it runs.
/// Remembers the last answers.
class ExperimentDialog final : public QDialog {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ExperimentDialog)

public:
    enum class Kind { Score, Distil, Calibrate };
    /// On what.
    struct Subject {
        nlohmann::json spec;                      ///< kind, teacher, mixer and so on: what is not asked for here
        std::optional<nlohmann::json> fixed;      ///< data and lengths where they are given, as the demo's are: only the selector, or how layers start, is asked for
        bool hasTokenizer = false;
        std::filesystem::path workspace;
        std::vector<MadeScoring> made = {};            ///< of the same teacher: a scoring begins with a seed that none of them has used with its selector and probe
    };
    /// \param estimates, timings  where costs are worked out; outlive the dialog
    ExperimentDialog(Kind kind, Subject subject, const SelectorOffers &offers, Background &estimates, Background &timings, QWidget *parent = nullptr);
    /// The fields of the spec that were chosen here.
    [[nodiscard]] nlohmann::json settings() const;

private:
    QWidget *makeForm();
    void fit();
    void addSelectors(QFormLayout &form);
    void addStart(QFormLayout &form);
    void addTexts(QFormLayout &form);
    void addLengths(QFormLayout &form);
    void addFiles();
    void addFolder();
    void addSeed(QFormLayout &form);
    [[nodiscard]] int firstSeed() const;
    /// The stored scoring whose numbers would come out again; null for none.
    [[nodiscard]] const MadeScoring *equalOne() const;
    void alignLabels();
    void showSelector();
    void refresh();
    [[nodiscard]] bool alignsByPhaseTwo() const;
    /// Why what is typed cannot be run; empty: it can.
    [[nodiscard]] QString mistake() const;
    void remember() const;
    [[nodiscard]] const SelectorOffer *chosen() const;      ///< null where none is offered
    [[nodiscard]] QString whyNot(const SelectorOffer &offer) const;
    [[nodiscard]] nlohmann::json spec() const;

    Kind m_kind;
    Subject m_subject;
    const SelectorOffers &m_offers;
    QComboBox *m_selector = nullptr;
    QLabel *m_measures = nullptr, *m_equal = nullptr;
    QFormLayout *m_form = nullptr;
    QSpinBox *m_seed = nullptr;
    bool m_isSeedGiven = false, m_isChoosingSeed = false;      ///< by a person; by the dialog
    QWidget *m_optionsPlace = nullptr;
    FieldForm *m_options = nullptr;
    QComboBox *m_arm = nullptr;
    QLineEdit *m_layers = nullptr;
    QSpinBox *m_phaseTwoSteps = nullptr;
    QListWidget *m_files = nullptr;
    QSpinBox *m_length = nullptr, *m_alignTokens = nullptr, *m_trainTokens = nullptr, *m_heldOut = nullptr;
    QScrollArea *m_scroll = nullptr;
    CostLine *m_cost;
    QDialogButtonBox *m_buttons;
};

}  // namespace stillroom::widgets
