// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/calibrationbook.h"
#include "plots/plotview.h"

#include <QString>
#include <QVector>

#include <optional>
#include <vector>

class QCPBars;
class QCPGraph;
class QCPItemStraightLine;

namespace stillroom::widgets {

/// How the chosen statistic lies over all heads: a histogram with the picked head marked, or one point a head against another statistic. A click on a point picks its head.
class HeadDistributionPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HeadDistributionPlot)

public:
    explicit HeadDistributionPlot(CalibrationBook &book, QWidget *parent = nullptr);
    /// \param statistic  its id; empty: the histogram
    void setAgainst(const QString &statistic);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    [[nodiscard]] QSize sizeHint() const override;
    /// Heads in the histogram's bins, or points.
    [[nodiscard]] int numShown() const;
    /// Where the picked head is marked, on the statistic's axis.
    [[nodiscard]] std::optional<double> marked() const;

protected:
    void applyPalette() override;
    void refresh() override;

private:
    struct Place {
        int layer = 0, column = 0;
        double value = 0.0, against = 0.0;
    };
    void showHistogram();
    void showPoints();
    void clearData();
    void markPicked();
    void pickNearest(const QPointF &position);
    [[nodiscard]] std::vector<Place> places() const;
    [[nodiscard]] const HeadStatistic *against() const;
    [[nodiscard]] bool isLogarithmic(const HeadStatistic &statistic) const;
    [[nodiscard]] QString titleOf(const HeadStatistic &statistic, bool logarithmic) const;
    CalibrationBook &m_book;
    QString m_against;
    QCPBars *m_bars;
    QCPGraph *m_points, *m_pickedPoint;
    QCPItemStraightLine *m_line;
    std::vector<double> m_edges;           ///< of the histogram's bins
};

}  // namespace stillroom::widgets
