// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPalette>
#include <QSharedPointer>
#include <QString>

#include <utility>
#include <vector>

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
/// Moves the legend into rows of its own above the axes, at the right, where it covers nothing: as few rows as its names have room in.
void putLegendAbove(QCustomPlot &plot);
/// As many numbers of every evenTicker() as have room along their axis. To be called once the axes are laid out; draws the plot anew where others fit than before.
void fitNumbers(QCustomPlot &plot);
/// The axes as wide as high from now on, as large as there is room for.
void keepAxesSquare(QCustomPlot &plot);
/// Behind what is not settled, opaque. On a dark page it takes more to be seen; the edge of a grey bar still stands out from it by 3:1.
[[nodiscard]] QColor shadeColour(const QPalette &palette);
/// The axis of a colour scale: numbers and a title without a line.
void applyScaleLook(QCPAxis &scale, const PlotLook &look);
/// The text in lines of at most this width, in pixels; lines of its own stay.
[[nodiscard]] QString wrapped(const QString &text, const QFont &font, int width);
/// Labels with the same decimals on the whole axis.
[[nodiscard]] QSharedPointer<QCPAxisTicker> evenTicker();
/// Round numbers for a logarithmic axis, see report::logTicks.
[[nodiscard]] QSharedPointer<QCPAxisTicker> logTicker();
/// A few round numbers from end to end, see report::evenTicks.
[[nodiscard]] QSharedPointer<QCPAxisTicker> roundTicker();
/// "0.5", "20", "2·10⁻⁵": a number of few digits, without zeros at its end.
[[nodiscard]] QString roundText(double value);
/// Places along an axis at the bottom and the numbers that stand there: as many of them as have room beside each other, by the width of their texts; see report::everyNthLabel.
/// How much room there is, is known once the axes are laid out: to be called then too. Draws the plot anew where others fit than before.
void putNumbers(QCPAxis &axis, const std::vector<std::pair<double, QString>> &numbers);
/// Labels like "20 k" for tokens and steps.
[[nodiscard]] QSharedPointer<QCPAxisTicker> countTicker();

}  // namespace stillroom::widgets
