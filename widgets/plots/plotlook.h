// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCustomPlot;
class QWidget;

namespace stillroom::widgets {

/// Axes, grid, fonts and background after the widget's palette: no box, a barely visible grid, at most seven ticks.
void applyPlotLook(QCustomPlot &plot, const QWidget &widget);

}  // namespace stillroom::widgets
