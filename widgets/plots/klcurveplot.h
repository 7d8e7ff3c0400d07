// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"
#include "plots/plotview.h"
#include "report/resultfigures.h"

class QCPErrorBars;
class QCPGraph;
class QCPItemRect;

namespace stillroom::widgets {

/// Held-out KL against K for the ranking that is shown: a line as its scores predict it with the 95 % band, points of hybrids that were distilled with their 95 %
/// intervals, and where further layers stop paying. A click or the arrow keys choose K.
class KlCurvePlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(KlCurvePlot)

public:
    explicit KlCurvePlot(Session &session, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] bool hasFigure() const override { return hasPoints(shown()); }
    [[nodiscard]] report::FigureSpec spec() const override;
    /// Where further layers stop paying, or why there is no prediction, and which hybrids are left out; empty where the plot's place says it.
    [[nodiscard]] QString summary() const;

Q_SIGNALS:
    void changed();

protected:
    void applyPalette() override;
    void refresh() override;
    void keyPressEvent(QKeyEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    [[nodiscard]] static bool hasPoints(const report::KlAgainstKShown &shown);
    /// As it is known by now; what is not is asked for.
    [[nodiscard]] report::KlAgainstKShown shown() const;
    [[nodiscard]] bool isOnItsWay() const;
    void drawPrediction();
    void drawMeasured();
    void drawElbow();
    void fitAxes();
    void markKeep();
    void stylePoints();
    [[nodiscard]] QString missingText() const;         ///< why there is no prediction
    [[nodiscard]] QString curveText() const;           ///< where it bends, or why nothing is said of that
    [[nodiscard]] QString leftOutText() const;         ///< hybrids of these layers that are not in the curve, and why; empty where there are none
    [[nodiscard]] QString pointText(int keep) const;   ///< empty where there is no point
    Session &m_session;
    report::KlAgainstKShown m_shown;                   ///< drawn
    QCPGraph *m_low, *m_band, *m_line, *m_elbow, *m_points, *m_keep;
    QCPErrorBars *m_whiskers;
    QCPItemRect *m_elbowBand;
};

}  // namespace stillroom::widgets
