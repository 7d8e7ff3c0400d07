// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPalette>
#include <QSharedPointer>

class QCPAxis;
class QCPAxisTicker;
class QCustomPlot;

namespace stillroom::widgets {

struct PlotLook {
    QPalette palette;
    QFont base, small;             ///< titles of axes; numbers and legend
    double stroke = 1.0;           ///< of axes and grid
    bool axesDrawn = false;        ///< lines and ticks along both axes instead of a grid
};
/// Axes, grid, fonts and background: no box, a barely visible grid, at most seven ticks.
void applyPlotLook(QCustomPlot &plot, const PlotLook &look);
/// Moves the legend into a row of its own above the axes, at the right, where it covers nothing.
void putLegendAbove(QCustomPlot &plot);
/// The axis of a colour scale: numbers and a title without a line.
void applyScaleLook(QCPAxis &scale, const QWidget &widget);
/// Labels with the same decimals on the whole axis.
[[nodiscard]] QSharedPointer<QCPAxisTicker> evenTicker();
/// Labels like "20 k" for tokens and steps.
[[nodiscard]] QSharedPointer<QCPAxisTicker> countTicker();

}  // namespace stillroom::widgets
