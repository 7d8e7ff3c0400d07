// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSharedPointer>

class QCPAxisTicker;
class QCustomPlot;
class QWidget;

namespace stillroom::widgets {

/// Axes, grid, fonts and background after the widget's palette: no box, a barely visible grid, at most seven ticks.
void applyPlotLook(QCustomPlot &plot, const QWidget &widget);
/// Moves the legend into a row of its own above the axes, at the right, where it covers nothing.
void putLegendAbove(QCustomPlot &plot);
/// Labels with the same decimals on the whole axis.
[[nodiscard]] QSharedPointer<QCPAxisTicker> evenTicker();
/// Labels like "20 k" for tokens and steps.
[[nodiscard]] QSharedPointer<QCPAxisTicker> countTicker();

}  // namespace stillroom::widgets
