// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/chart.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The figures that a calibration makes, head by head, and the curves of several runs.
namespace stillroom::report {

/// Which statistic, as tables and axes name it.
struct StatisticShown {
    std::string name, unit;
    bool logarithmic = false;
};

/// A number of every head; none where the layer was not calibrated.
struct HeadMapShown {
    StatisticShown statistic;
    std::string columns;                                           ///< what they are: "query head"
    std::vector<std::vector<std::optional<double>>> values_LC;     ///< by layer and column
    double low = 0.0, high = 1.0;                                  ///< ends of the colours
    bool difference = false;                                       ///< white in the middle
    std::string differenceName = "after less before";              ///< in words
};
[[nodiscard]] Figure headMapFigure(const HeadMapShown &shown, Provenance provenance);

struct HeadValue {
    int layer = 0, column = 0;
    double value = 0.0, against = 0.0;
};
/// How many heads there are between two edges, equally wide in the axis's own measure. \param edges  ascending, at least two
[[nodiscard]] Figure headHistogramFigure(const StatisticShown &statistic, const std::string &columns, const std::vector<HeadValue> &heads, const std::vector<double> &edges, Provenance provenance);
/// One point a head.
[[nodiscard]] Figure headScatterFigure(const StatisticShown &statistic, const StatisticShown &against, const std::string &columns, const std::vector<HeadValue> &heads, Provenance provenance);

/// One head over bins of lags or of positions.
struct HeadProfileShown {
    std::vector<std::int64_t> firstTokens;                         ///< of each bin
    struct Line {
        std::string name, colour;
        bool bars = false, dashed = false;
        std::vector<double> values;                                ///< by bin; NaN where there is none
    };
    std::vector<Line> lines;
    std::string xTitle, yTitle, unit;
};
/// \param name  of the table, and of the plot: "head-lags", "head-entropy"
[[nodiscard]] Figure headProfileFigure(const std::string &name, const HeadProfileShown &shown, Provenance provenance);

/// A causal map: rows[t] has the weights of the tokens 0 … t. \param isSigned  white in the middle
[[nodiscard]] Figure tokenMapFigure(const std::string &name, const std::string &meaning, const std::vector<std::vector<double>> &rows, bool isSigned, Provenance provenance);

/// Several curves over one axis. Points that are not finite, or not above 0 on a logarithmic axis, are counted in the table's note and not drawn.
struct CurvesShown {
    struct Curve {
        std::string name, colour;
        Dash dash = Dash::Solid;
        std::vector<std::pair<double, double>> points;             ///< as measured: what the table holds
        std::vector<double> smoothed;                              ///< what is drawn, as far as it goes; else the points themselves
    };
    std::vector<Curve> curves;
    std::string who, xTitle, xUnit, valueTitle, unit;              ///< who: what a curve is of, "layer"
    bool logarithmic = false, named = true;                        ///< named: in the legend, else at the ends of the curves
    bool logarithmicX = false;
};
[[nodiscard]] Figure curvesFigure(const std::string &name, const CurvesShown &shown, Provenance provenance);

}  // namespace stillroom::report
