// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/ranktrajectory.h"
#include "models/session.h"
#include "plots/plotview.h"

#include <cstddef>
#include <optional>
#include <vector>

class QCPGraph;
class QCPRange;

namespace stillroom::widgets {

/// The rank of every layer against training tokens, best on top: kept layers in the softmax colour, triangles where one enters or leaves the best K, the
/// boundary below them; crosses where a race settled a layer's place, dashes after it. Grows while a job scores. A click selects a layer, the arrow keys walk
/// along the last ranking.
class RankPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RankPlot)

public:
    explicit RankPlot(Session &session, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    /// Who crossed the K boundary last, and when, in one sentence; empty without an evaluation.
    [[nodiscard]] QString lastChange() const;
    [[nodiscard]] const analysis::RankTrajectory &trajectory() const;

Q_SIGNALS:
    void changed();

protected:
    void applyPalette() override;
    void refresh() override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void laidOut() override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void readTrajectory();
    /// Takes in what the shown scoring has more than was read of it. \return the first evaluation that may be another than before
    [[nodiscard]] std::size_t readScores();
    void readRanks(std::size_t from);
    void readCrossings(std::size_t from);
    void drawLines(std::size_t from);
    void drawDepartures();
    QCPGraph *addLine(const QString &layer);
    void followChoice();
    void drawCrossings();
    void drawBoundary();
    void styleLines();
    [[nodiscard]] QCPRange tokenRange() const;
    void fitAxes();
    void labelEnds();
    void labelRanks();
    [[nodiscard]] int ranksPerNumber() const;
    void describe();
    [[nodiscard]] int numLayers() const { return static_cast<int>(m_ranks_LE.size()); }
    [[nodiscard]] int boundary() const;              ///< K, within 0 … L
    [[nodiscard]] bool isKept(int layer) const;
    [[nodiscard]] int selectedLayer() const;         ///< on paper none
    [[nodiscard]] std::pair<int, int> pointAt(const QPointF &position) const;      ///< (layer, evaluation); (-1, -1) where there is none
    [[nodiscard]] QString pointText(int layer, int evaluation) const;
    Session &m_session;
    std::optional<analysis::GrowingTrajectory> m_growing;      ///< none: nothing is shown
    ChoiceBook::ScoringKey m_readScoring;            ///< what it is made of: that scoring of that generation, so many evaluations of it
    int m_readGeneration = 0;
    std::size_t m_numRead = 0;
    std::vector<std::vector<int>> m_ranks_LE;
    std::vector<analysis::Crossing> m_crossings;     ///< by evaluation, of m_crossedAt
    int m_crossedAt = -1;                            ///< K
    std::vector<QCPGraph *> m_lines;                 ///< by layer, as far as it was trained; grey, whatever K is
    std::vector<QCPGraph *> m_chosen;                ///< by layer: the same line again, over it, where it is kept or selected
    std::vector<QCPGraph *> m_standing;              ///< by layer, from where it left a race on; null where it never did
    QCPGraph *m_entered, *m_left, *m_gone, *m_boundary;
    bool m_otherTrajectory = true;                   ///< there is more to be read
};

}  // namespace stillroom::widgets
