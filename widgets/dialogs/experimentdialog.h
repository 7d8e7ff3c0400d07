// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <nlohmann/json_fwd.hpp>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QListWidget;
class QSpinBox;

namespace stillroom::widgets {

/// What scoring or distilling a model of one's own needs to know: which texts, how many tokens. Remembers the last answers.
class ExperimentDialog final : public QDialog {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ExperimentDialog)

public:
    enum class Kind { Score, Distil };
    ExperimentDialog(Kind kind, int numLayers, QWidget *parent = nullptr);
    /// The fields of the spec that were chosen here.
    [[nodiscard]] nlohmann::json settings() const;

private:
    void addFiles();
    void addFolder();
    void refresh();
    void remember() const;
    Kind m_kind;
    int m_numLayers;
    QListWidget *m_files;
    QComboBox *m_selector = nullptr;
    QSpinBox *m_length, *m_alignTokens, *m_trainTokens, *m_heldOut;
    QLabel *m_cost;
    QDialogButtonBox *m_buttons;
};

}  // namespace stillroom::widgets
