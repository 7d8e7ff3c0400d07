// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;

namespace stillroom::widgets {

class CostTable;
class ElidedLabel;
class LayerBarPlot;
class MessageLine;

/// Scores by layer, the choice of K and what it costs, and the distillation of the chosen hybrid.
class LayersPage final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LayersPage)

public:
    explicit LayersPage(Session &session, QWidget *parent = nullptr);

Q_SIGNALS:
    void scoreRequested();
    void distilRequested();
    void openTeacherRequested();

private:
    QWidget *makeToolbar();
    QWidget *makeScores();
    QWidget *makeChoice();
    QWidget *makeDistillation();
    void makeFirstMinute();
    void follow();
    void refreshSources();
    void refreshChoice();
    void refreshNotes();
    void refreshButtons();
    void refreshTrained();
    [[nodiscard]] QString measuredText() const;
    Session &m_session;
    LayerBarPlot *m_bars = nullptr;
    QComboBox *m_source = nullptr;
    QSlider *m_slider = nullptr;
    QSpinBox *m_keep = nullptr;
    QDoubleSpinBox *m_percent = nullptr;
    ElidedLabel *m_meaning = nullptr, *m_notes = nullptr, *m_measured = nullptr;
    QLabel *m_trained = nullptr;
    CostTable *m_cost = nullptr;
    MessageLine *m_firstMinute = nullptr, *m_notice = nullptr;
    QPushButton *m_score = nullptr, *m_distil = nullptr, *m_useRanking = nullptr;
    bool m_filling = false;
};

}  // namespace stillroom::widgets
