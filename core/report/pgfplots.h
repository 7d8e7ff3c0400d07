// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/chart.h"
#include "report/venues.h"

#include <string>

namespace stillroom::report {

/// How large, in which letters.
struct PageSize {
    double widthInches = 3.25;
    double ratio = usualRatio;            ///< height of width
    double basePt = 8.0, smallPt = 6.0;
};

/// A standalone document and the numbers that it reads: it is to lie beside them.
struct PgfPlot {
    std::string tex, csv;
};
/// \param csvName  what the numbers' file will be called, letters, digits, '-', '_' and '.' alone. \throws Error(Usage) for another name, or a chart without anything in it
[[nodiscard]] PgfPlot pgfPlot(const Chart &chart, const PageSize &size, const std::string &csvName, const Provenance &provenance);

}  // namespace stillroom::report
