// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;

namespace stillroom::widgets {

class ChoiceBox;
class CostTable;
class ElidedLabel;
class KlCurvePlot;
class LayerBarPlot;
class MessageLine;
class RankPlot;

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

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeToolbar();
    QWidget *makeScores();
    QWidget *makeChoice();
    QWidget *makeRanking();
    QWidget *makeDistillation();
    void makeFirstMinute();
    void follow();
    void refreshSources();
    void refreshOverlays();
    void useOverlay(int index);
    /// Now, or when the page is shown next.
    void invalidateChoice();
    void refreshChoice();
    void refreshNotes();
    void refreshButtons();
    void refreshTrained();
    [[nodiscard]] QString measuredText() const;
    [[nodiscard]] QString trainedText() const;
    [[nodiscard]] QString foundText() const;               ///< of a selector that searched sets; empty for the others
    [[nodiscard]] QString savedText() const;               ///< of a scoring that was to stop early; empty for the others
    Session &m_session;
    LayerBarPlot *m_bars = nullptr;
    RankPlot *m_ranks = nullptr;
    KlCurvePlot *m_klCurve = nullptr;
    ChoiceBox *m_source = nullptr, *m_overlay = nullptr;
    std::vector<ScoreBook::Source> m_sources;             ///< of the combo box
    std::vector<ChoiceBook::ScoringKey> m_overlays;        ///< of the combo box, less "none"
    QStringList m_overlayNames;                            ///< theirs
    ElidedLabel *m_meaning = nullptr, *m_notes = nullptr, *m_measured = nullptr, *m_plotNote = nullptr, *m_trained = nullptr;
    CostTable *m_cost = nullptr;
    MessageLine *m_firstMinute = nullptr;
    QPushButton *m_score = nullptr, *m_distil = nullptr;
    QTimer m_refreshingNotes;                             ///< once after an event, however many signals it brings
    bool m_staleChoice = false;
};

}  // namespace stillroom::widgets
