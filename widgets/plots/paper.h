// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/figurespec.h"

#include <QSizeF>
#include <QString>

namespace stillroom::widgets {

/// The sheet that a figure is drawn on. Plots are laid out in units of 1/144 inch, half a point, whatever screen there is; letters are whole units high, so that
/// preview and file agree to the last line.
struct Paper {
    static constexpr double unitsPerInch = 144.0, unitsPerPoint = 2.0;
    double widthInches = 3.25, heightInches = 3.25 * report::usualRatio;
    double basePt = 8.0, smallPt = 6.0;
    QString font;                         ///< family; empty: the program's
    bool axesDrawn = false;               ///< lines along the axes with ticks, instead of lines behind the data

    [[nodiscard]] static Paper of(const report::FigureSpec &spec);
    [[nodiscard]] QSizeF inches() const { return {widthInches, heightInches}; }
    [[nodiscard]] QSize units() const { return (inches() * unitsPerInch).toSize(); }
};

}  // namespace stillroom::widgets
