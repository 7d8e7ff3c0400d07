// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/table.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What a plot draws, without a canvas: axes and series in data coordinates.
namespace stillroom::report {

struct Axis {
    std::string title;
    double low = 0.0, high = 1.0;
    bool logarithmic = false, reversed = false;
    std::vector<std::pair<double, std::string>> ticks;      ///< of places with names; empty: numbers as they come
};

enum class SeriesKind { Bars, Line, Band, Shade };      ///< shade: the whole height around each x, one wide
enum class Dash { Solid, Dashed, Dotted, None };
enum class Mark { None, Disc, Circle, Diamond, Triangle, TriangleDown, Cross };

struct Point {
    double x = 0.0, y = 0.0;
    double reach = 0.0;                   ///< half of the interval; of a band, of its height around y
};

/// What a line is, where it ends.
struct EndLabel {
    std::string text;
    double y = 0.0;
};

struct Series {
    std::string name;                     ///< empty: not in the legend
    SeriesKind kind = SeriesKind::Line;
    std::string colour;                   ///< six hexadecimal digits, as "0072B2"
    Dash dash = Dash::Solid;
    Mark mark = Mark::None;
    bool hatched = false;
    bool onSecondAxis = false;
    std::vector<Point> points;
    std::optional<EndLabel> end = {};     ///< at the right edge
};

/// A heat map: values[row][column].
struct Cells {
    std::string meaning;                  ///< of the colour
    std::vector<std::string> columns, rows;
    std::vector<std::vector<std::optional<double>>> values;
    double low = 0.0, high = 1.0;         ///< what the colours run between
    bool logarithmic = false;             ///< low is above 0 then; values that are not have no colour
    bool diverging = false;               ///< white in the middle
    bool square = false;                  ///< rows and columns are the same things
};

struct Chart {
    Axis x, y;
    std::optional<Axis> secondY;
    std::string endTitle;                 ///< what the labels at the ends of lines are: "layer"
    std::vector<Series> series;
    std::optional<Cells> cells;           ///< instead of series
};

/// A chart and the same in numbers.
struct Figure {
    Table table;
    Chart chart;
};

}  // namespace stillroom::report
