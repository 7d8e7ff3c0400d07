// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/runfigures.h"

#include <algorithm>

namespace stillroom::report {
namespace {

constexpr int barDigits = 4;
constexpr double aroundBars = 0.06;      // above and below, as a share of the height

}  // namespace

Figure runBarsFigure(const RunBarsShown &shown, Provenance provenance)
{
    Figure figure{{"run-bars", {{"experiment", {}, 0}, {shown.measure, shown.unit, barDigits, shown.better}}, {}, {}, std::move(provenance)}, {}};
    double low = 0.0, high = 0.0;
    for (std::size_t place = 0; place < shown.bars.size(); ++place) {
        const RunBarsShown::Bar &bar = shown.bars[place];
        figure.table.rows.push_back({textCell(bar.name), bar.value ? numberCell(*bar.value, bar.reach, bar.n) : textCell({})});
        figure.chart.x.ticks.emplace_back(static_cast<double>(place), "");      // the legend names them: under the bars is no room
        if (!bar.value)
            continue;
        const double reach = bar.reach.value_or(0.0);
        figure.chart.series.push_back({.name = bar.name, .kind = SeriesKind::Bars, .colour = bar.colour, .hatched = bar.hatched, .points = {{static_cast<double>(place), *bar.value, reach}}});
        low = std::min(low, *bar.value - reach);
        high = std::max(high, *bar.value + reach);
    }
    const double span = high > low ? high - low : 1.0;
    figure.chart.x.low = -0.6;
    figure.chart.x.high = static_cast<double>(shown.bars.size()) - 0.4;
    figure.chart.y = {headOf({shown.measure, shown.unit}), low < 0.0 ? low - aroundBars * span : 0.0, high + aroundBars * span, false, false, {}};
    return figure;
}

}  // namespace stillroom::report
