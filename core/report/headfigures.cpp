// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/headfigures.h"

#include "report/colours.h"
#include "report/ticks.h"

#include <algorithm>
#include <cmath>

namespace stillroom::report {
namespace {

constexpr int digits = 4;                   // decimals of what has no natural scale
constexpr int namedBins = 7;

std::vector<std::string> numbers(std::size_t count)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i)
        names.push_back(std::to_string(i));
    return names;
}

std::string headOfStatistic(const StatisticShown &statistic)
{
    return headOf({statistic.name, statistic.unit});
}

/// Bounds with a little room, in the axis's own measure.
void fit(Axis &axis, const std::vector<double> &values, bool logarithmic)
{
    axis.logarithmic = logarithmic;
    if (values.empty())
        return;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (logarithmic) {
        const double room = *most > *least ? std::pow(*most / *least, 0.06) : 1.1;
        axis.low = *least / room;
        axis.high = *most * room;
    } else {
        const double room = *most > *least ? 0.06 * (*most - *least) : 0.5;
        axis.low = *least - room;
        axis.high = *most + room;
    }
}

Table headTable(const std::string &name, const StatisticShown &statistic, const StatisticShown *against, const std::string &columns, const std::vector<HeadValue> &heads, Provenance provenance)
{
    Table table{name, {{"layer", {}, 0}, {columns, {}, 0}, {statistic.name, statistic.unit, digits}}, {}, {}, std::move(provenance)};
    if (against)
        table.columns.push_back({against->name, against->unit, digits});
    for (const HeadValue &head : heads) {
        table.rows.push_back({numberCell(head.layer), numberCell(head.column), numberCell(head.value)});
        if (against)
            table.rows.back().push_back(numberCell(head.against));
    }
    return table;
}

}  // namespace

Figure headMapFigure(const HeadMapShown &shown, Provenance provenance)
{
    const bool logarithmic = shown.statistic.logarithmic && !shown.difference;
    const std::string meaning = headOfStatistic(shown.statistic) + (shown.difference ? ", " + shown.differenceName : std::string());
    Figure figure{{"head-map", {{"layer", {}, 0}}, {}, meaning + " of each " + shown.columns + ".", std::move(provenance)}, {}};
    Cells cells{.meaning = logarithmic ? meaning + ", logarithmic" : meaning, .columns = {}, .rows = numbers(shown.values_LC.size()), .values = shown.values_LC, .low = shown.low, .high = shown.high,
                .logarithmic = logarithmic, .diverging = shown.difference};
    std::size_t numColumns = 0;
    for (const auto &row : shown.values_LC)
        numColumns = std::max(numColumns, row.size());
    cells.columns = numbers(numColumns);
    for (const std::string &column : cells.columns)
        figure.table.columns.push_back({shown.columns + " " + column, shown.statistic.unit, digits});
    for (auto &row : cells.values) {
        row.resize(numColumns);
        std::vector<Cell> &written = figure.table.rows.emplace_back();
        written.push_back(numberCell(static_cast<double>(figure.table.rows.size()) - 1.0));
        for (const auto &value : row)
            written.push_back(value ? numberCell(*value) : textCell({}));
    }
    figure.chart.x.title = shown.columns;
    figure.chart.y.title = "layer";
    figure.chart.cells = std::move(cells);
    return figure;
}

Figure headHistogramFigure(const StatisticShown &statistic, const std::string &columns, const std::vector<HeadValue> &heads, const std::vector<double> &edges, Provenance provenance)
{
    Figure figure{headTable("head-distribution", statistic, nullptr, columns, heads, std::move(provenance)), {}};
    const auto numBars = static_cast<int>(edges.size()) - 1;
    Series bars{.name = "", .kind = SeriesKind::Bars, .colour = unchosenColour, .points = {}};
    std::vector<double> counts(static_cast<std::size_t>(numBars), 0.0);
    for (const HeadValue &head : heads)
        counts[static_cast<std::size_t>(std::upper_bound(edges.begin() + 1, edges.end() - 1, head.value) - edges.begin() - 1)] += 1.0;
    for (int bar = 0; bar < numBars; ++bar)
        bars.points.push_back({bar + 0.5, counts[static_cast<std::size_t>(bar)]});
    figure.chart.x = {headOfStatistic(statistic), 0.0, static_cast<double>(numBars), false, false, {}};
    const double low = edges.front(), high = edges.back();
    const std::vector<double> ticks = statistic.logarithmic ? logTicks(low, high) : evenTicks(low, high);
    const std::vector<std::string> texts = tickTexts(ticks);
    for (std::size_t i = 0; i < ticks.size(); ++i)
        figure.chart.x.ticks.emplace_back((statistic.logarithmic ? std::log(ticks[i] / low) / std::log(high / low) : (ticks[i] - low) / (high - low)) * numBars, texts[i]);
    figure.chart.y = {columns == "number" ? "layers" : "heads", 0.0, std::max(1.0, *std::max_element(counts.begin(), counts.end())) * 1.08, false, false, {}};
    if (!heads.empty())
        figure.chart.series.push_back(std::move(bars));
    return figure;
}

Figure headScatterFigure(const StatisticShown &statistic, const StatisticShown &against, const std::string &columns, const std::vector<HeadValue> &heads, Provenance provenance)
{
    Figure figure{headTable("head-distribution", statistic, &against, columns, heads, std::move(provenance)), {}};
    Series points{.name = "", .colour = mixerColour("softmax"), .dash = Dash::None, .mark = Mark::Circle, .points = {}};
    std::vector<double> xs, ys;
    for (const HeadValue &head : heads) {
        points.points.push_back({head.value, head.against});
        xs.push_back(head.value);
        ys.push_back(head.against);
    }
    figure.chart.x.title = headOfStatistic(statistic);
    figure.chart.y.title = headOfStatistic(against);
    fit(figure.chart.x, xs, statistic.logarithmic);
    fit(figure.chart.y, ys, against.logarithmic);
    if (!heads.empty())
        figure.chart.series.push_back(std::move(points));
    return figure;
}

Figure headProfileFigure(const std::string &name, const HeadProfileShown &shown, Provenance provenance)
{
    Figure figure{{name, {{"from " + shown.xTitle, "tokens", 0}}, {}, {}, std::move(provenance)}, {}};
    const std::size_t count = shown.firstTokens.size();
    double most = 0.0;
    for (std::size_t bin = 0; bin < count; ++bin)
        figure.table.rows.push_back({numberCell(static_cast<double>(shown.firstTokens[bin]))});
    for (const HeadProfileShown::Line &line : shown.lines) {
        figure.table.columns.push_back({line.name, shown.unit, digits});
        Series series{.name = line.name, .kind = line.bars ? SeriesKind::Bars : SeriesKind::Line, .colour = line.colour, .dash = line.dashed ? Dash::Dashed : Dash::Solid, .points = {}};
        for (std::size_t bin = 0; bin < count; ++bin) {
            const bool there = bin < line.values.size() && std::isfinite(line.values[bin]);
            figure.table.rows[bin].push_back(there ? numberCell(line.values[bin]) : textCell({}));
            if (!there)
                continue;
            series.points.push_back({static_cast<double>(bin), line.values[bin]});
            most = std::max(most, line.values[bin]);
        }
        if (!series.points.empty())
            figure.chart.series.push_back(std::move(series));
    }
    figure.chart.x = {shown.xTitle + " (tokens)", -0.6, static_cast<double>(count) - 0.4, false, false, {}};
    const std::size_t every = std::max<std::size_t>(1, (count + namedBins - 1) / namedBins);
    for (std::size_t bin = 0; bin < count; bin += every)
        figure.chart.x.ticks.emplace_back(static_cast<double>(bin), std::to_string(shown.firstTokens[bin]));
    figure.chart.y = {headOf({shown.yTitle, shown.unit}), 0.0, most > 0.0 ? most * 1.06 : 1.0, false, false, {}};
    return figure;
}

Figure tokenMapFigure(const std::string &name, const std::string &meaning, const std::vector<std::vector<double>> &rows, bool isSigned, Provenance provenance)
{
    Figure figure{{name, {{"query token", {}, 0}, {"key token", {}, 0}, {meaning, {}, digits}}, {}, {}, std::move(provenance)}, {}};
    Cells cells{.meaning = meaning, .columns = numbers(rows.size()), .rows = numbers(rows.size()), .values = {}, .diverging = isSigned, .square = true};
    double most = 0.0;
    for (std::size_t t = 0; t < rows.size(); ++t) {
        std::vector<std::optional<double>> row(rows.size());
        for (std::size_t s = 0; s < rows[t].size() && s <= t; ++s) {
            row[s] = rows[t][s];
            most = std::max(most, std::abs(rows[t][s]));
            figure.table.rows.push_back({numberCell(static_cast<double>(t)), numberCell(static_cast<double>(s)), numberCell(rows[t][s])});
        }
        cells.values.push_back(std::move(row));
    }
    cells.high = most > 0.0 ? most : 1.0;
    cells.low = isSigned ? -cells.high : 0.0;
    figure.chart.x.title = "key token";
    figure.chart.y.title = "query token";
    if (!rows.empty())
        figure.chart.cells = std::move(cells);
    return figure;
}

Figure curvesFigure(const std::string &name, const CurvesShown &shown, Provenance provenance)
{
    Figure figure{{name, {{shown.who, {}, 0}, {shown.xTitle, shown.xUnit, 0}, {shown.valueTitle, shown.unit, digits}}, {}, {}, std::move(provenance)}, {}};
    double left = 1e300, right = -1e300, low = 1e300, high = -1e300;
    int leftOut = 0;
    for (const CurvesShown::Curve &curve : shown.curves) {
        Series line{.name = shown.named ? curve.name : "", .colour = curve.colour, .dash = curve.dash, .points = {}};
        for (std::size_t i = 0; i < curve.points.size(); ++i) {
            const auto [x, measured] = curve.points[i];
            figure.table.rows.push_back({textCell(curve.name), numberCell(x), numberCell(measured)});
            const double drawn = i < curve.smoothed.size() ? curve.smoothed[i] : measured;
            if (!std::isfinite(drawn) || (shown.logarithmic && drawn <= 0.0) || (shown.logarithmicX && x <= 0.0)) {
                ++leftOut;
                continue;
            }
            line.points.push_back({x, drawn});
            left = std::min(left, x);
            right = std::max(right, x);
            low = std::min(low, drawn);
            high = std::max(high, drawn);
        }
        if (!shown.named && !line.points.empty())
            line.end = EndLabel{curve.name, line.points.back().y};
        if (!line.points.empty())
            figure.chart.series.push_back(std::move(line));
    }
    figure.chart.endTitle = shown.named ? "" : shown.who;
    if (leftOut > 0)
        figure.table.note = "Not on the axis: " + std::to_string(leftOut) + " of " + std::to_string(figure.table.rows.size()) + " values.";
    figure.chart.x = {headOf({shown.xTitle, shown.xUnit}), std::min(0.0, left), right > 0.0 ? right * 1.02 : 1.0, shown.logarithmicX, false, {}};
    if (shown.logarithmicX) {      // it has no 0 to begin at
        figure.chart.x.low = right > 0.0 ? left / 1.05 : 0.1;
        figure.chart.x.high = right > 0.0 ? right * 1.05 : 1.0;
    }
    figure.chart.y = {headOf({shown.valueTitle, shown.unit}), 0.0, 1.0, shown.logarithmic, false, {}};
    if (high >= low) {
        figure.chart.y.low = shown.logarithmic ? low * 0.8 : std::min(0.0, low);
        figure.chart.y.high = shown.logarithmic ? high * 1.25 : high > 0.0 ? high * 1.06 : 1.0;
    }
    return figure;
}

}  // namespace stillroom::report
