// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/background.h"
#include "models/selectoroffers.h"
#include "models/specdocument.h"
#include "models/specpresets.h"

#include <QDialog>
#include <QStringList>

#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QSplitter;

namespace stillroom::widgets {

class CostLine;
class JsonEdit;
class MessageLine;
class SpecForm;

/// Any experiment, as a form and as the JSON that it is: edit either. What it costs and what is wrong with it is said while it is written.
/// It is a window of its own, beside which one can look things up.
class NewExperiment final : public QDialog {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(NewExperiment)

public:
    /// What experiments are made on, unless it is written otherwise.
    struct Subject {
        QString teacher;                                     ///< empty: none is open
        QString mixer = QStringLiteral("gdn");
        QStringList mixers{QStringLiteral("gdn"), QStringLiteral("gla")};
        std::vector<int> keep;                               ///< softmax layers that are chosen
        nlohmann::json data = nlohmann::json::object();      ///< of its specs
        std::vector<SpecPreset> presets;                     ///< made for this teacher
        std::filesystem::path workspace;
    };
    /// \param estimates, timings  where costs are worked out; with the offers they outlive the window
    NewExperiment(Subject subject, const SelectorOffers &offers, Background &estimates, Background &timings, QWidget *parent = nullptr);
    ~NewExperiment() override;
    /// Keys and what they do, for the sheet of keys.
    [[nodiscard]] static std::vector<std::pair<QString, QString>> keys();
    void load(const nlohmann::json &spec);                   ///< of a run
    void openFile(const QString &path);
    void say(const QString &problem);                        ///< why it did not start

Q_SIGNALS:
    void runRequested(const nlohmann::json &spec);

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    QLayout *makeHead();
    QWidget *makeText();
    QLayout *makeFoot();
    void showRewritten();
    void judge();
    void showKind();
    void changeKind(const QString &kind);
    [[nodiscard]] nlohmann::json specOf(const QString &kind) const;
    [[nodiscard]] nlohmann::json stageOf(const QString &kind) const;
    [[nodiscard]] nlohmann::json beginning(const QString &kind) const;
    void addStage(const QString &kind);
    void fillPresets();
    void addPreset(QMenu &menu, const SpecPreset &preset);
    void savePreset();
    void deletePreset(const QString &name);
    void restorePreset();
    void askForFile();
    void saveFile();
    void copyCommand();
    void run();
    void showProblem();

    Subject m_subject;
    const SelectorOffers &m_offers;
    OwnPresets m_own;
    SpecDocument m_document;
    nlohmann::json m_asked;                                  ///< whose cost is known, or on its way
    std::optional<SpecPreset> m_deleted;                     ///< can come back
    bool m_rewriting = false;
    QComboBox *m_kind = nullptr;
    QLabel *m_about = nullptr, *m_fault = nullptr;
    QCheckBox *m_all = nullptr;
    SpecForm *m_form = nullptr;
    JsonEdit *m_text = nullptr;
    QWidget *m_faultLine = nullptr;
    QPushButton *m_presets = nullptr, *m_save = nullptr, *m_toFault = nullptr, *m_run = nullptr, *m_copy = nullptr;
    QSplitter *m_halves = nullptr;
    MessageLine *m_notice = nullptr, *m_problem = nullptr;
    CostLine *m_cost = nullptr;
};

}  // namespace stillroom::widgets
