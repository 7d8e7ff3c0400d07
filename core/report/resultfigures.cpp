// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/resultfigures.h"

#include "analysis/chanceoverlap.h"
#include "report/colours.h"
#include "report/ticks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stillroom::report {
namespace {

constexpr double besideTheBar = 0.26;
constexpr int valueDecimals = 4, rankTicks = 7;

Axis valueAxis(const analysis::LayerBars &bars)
{
    Axis axis{.title = titleOf(bars.axis), .ticks = {}};
    if (const std::string unit = unitOf(bars.axis); !unit.empty())
        axis.title += " (" + unit + ")";
    double low = 0.0, high = 0.0;
    for (const analysis::LayerBar &bar : bars.bars) {
        low = std::min(low, bar.value - bar.reach);
        high = std::max(high, bar.value + bar.reach);
    }
    const double span = high > low ? high - low : 1.0;
    axis.low = low < 0.0 ? low - 0.06 * span : 0.0;
    axis.high = high + 0.06 * span;
    return axis;
}

std::vector<int> orderOf(const LayerScoresShown &shown)
{
    if (shown.byRank && shown.ranking)
        return *shown.ranking;
    std::vector<int> layers;
    for (const analysis::LayerBar &bar : shown.bars.bars)
        layers.push_back(bar.layer);
    return layers;
}

bool isIn(const std::vector<int> &layers, int layer)
{
    return std::find(layers.begin(), layers.end(), layer) != layers.end();
}

const analysis::LayerBar *barOf(const analysis::LayerBars &bars, int layer)
{
    const auto found = std::find_if(bars.bars.begin(), bars.bars.end(), [&](const analysis::LayerBar &one) { return one.layer == layer; });
    return found == bars.bars.end() ? nullptr : &*found;
}

std::optional<double> knownReach(const analysis::LayerBar &bar)
{
    return std::isfinite(bar.score.se) ? std::optional(bar.reach) : std::nullopt;
}

std::optional<std::int64_t> knownCount(const analysis::LayerBar &bar)
{
    return bar.score.numSequences > 0 ? std::optional(bar.score.numSequences) : std::nullopt;
}

Table layerScoresTable(const LayerScoresShown &shown, Provenance provenance)
{
    Table table{"layer-scores", {{"layer", {}, 0}, {"rank", {}, 0}, {titleOf(shown.bars.axis), unitOf(shown.bars.axis), valueDecimals, Better::Higher}, {"training tokens", {}, 0}, {"stays softmax", {}, 0}}, {}, {}, std::move(provenance)};
    if (shown.overlaid)
        table.columns.push_back({titleOf(shown.overlaid->bars.axis) + ", " + shown.overlaid->name, unitOf(shown.overlaid->bars.axis), valueDecimals, shown.overlaid->bars.axis == shown.bars.axis ? Better::Higher : Better::Neither});
    for (const int layer : orderOf(shown)) {
        const analysis::LayerBar *bar = barOf(shown.bars, layer);
        if (!bar)
            continue;
        Cell rank = textCell({});
        if (shown.ranking)
            rank = numberCell(static_cast<double>(std::find(shown.ranking->begin(), shown.ranking->end(), layer) - shown.ranking->begin() + 1));
        table.rows.push_back({numberCell(layer), rank, numberCell(bar->value, knownReach(*bar), knownCount(*bar)), numberCell(static_cast<double>(bar->score.tokens)),
                              textCell(!shown.kept ? std::string() : isIn(*shown.kept, layer) ? "yes" : "no")});
        if (shown.overlaid) {
            const analysis::LayerBar *other = barOf(shown.overlaid->bars, layer);
            table.rows.back().push_back(other ? numberCell(other->value, knownReach(*other), knownCount(*other)) : textCell({}));
        }
    }
    return table;
}

/// Places of names along an axis, as many as can be read.
std::vector<std::pair<double, std::string>> namedPlaces(const std::vector<int> &names)
{
    std::vector<std::pair<double, std::string>> ticks;
    for (std::size_t place = 0; place < names.size(); ++place)
        ticks.emplace_back(static_cast<double>(place), std::to_string(names[place]));
    return ticks;
}

void overlay(Chart &chart, const LayerScoresShown &shown, const std::vector<int> &order)
{
    const bool ownAxis = shown.overlaid->bars.axis != shown.bars.axis || shown.overlaid->bars.axis == analysis::ScoreAxis::Score;
    Series diamonds{.name = shown.overlaid->name, .colour = mixerColour(shown.overlaid->mixer), .dash = Dash::None, .mark = Mark::Diamond, .onSecondAxis = ownAxis, .points = {}};
    for (const analysis::LayerBar &bar : shown.overlaid->bars.bars)
        if (const auto found = std::find(order.begin(), order.end(), bar.layer); found != order.end())
            diamonds.points.push_back({static_cast<double>(found - order.begin()) + besideTheBar, bar.value, bar.reach});
    Axis axis = valueAxis(shown.overlaid->bars);
    if (ownAxis) {
        alignZeros(chart.y.low, chart.y.high, axis.low, axis.high);
        chart.secondY = axis;
    } else {
        chart.y.low = std::min(chart.y.low, axis.low);
        chart.y.high = std::max(chart.y.high, axis.high);
    }
    chart.series.push_back(std::move(diamonds));
}

Cell cellOf(const analysis::KlPoint *point)
{
    return point ? numberCell(point->klNats.mean, reachOf(*point), point->klNats.n) : textCell({});
}

std::vector<HybridShown> hybridsOf(const KlAgainstKShown &shown)
{
    std::vector<HybridShown> hybrids;
    for (std::size_t i = 0; i < std::min(shown.hybrids.size(), shown.measured.points.size()); ++i) {
        const analysis::KlPoint &point = shown.measured.points[i];
        hybrids.push_back({shown.hybrids[i], point.keep, point.klNats.mean, point.klNats.se, point.klNats.n});
    }
    return hybrids;
}

Table klAgainstKTable(const KlAgainstKShown &shown, Provenance provenance)
{
    Table table{"kl-against-k", {{"K", {}, 0}, {"KL, predicted", "nats/token", valueDecimals, Better::Neither}, {"KL, measured", "nats/token", valueDecimals, Better::Neither}}, {}, {}, std::move(provenance)};
    for (int keep = 0; keep <= shown.numLayers; ++keep) {
        const analysis::KlPoint *predicted = shown.predicted.at(keep), *measured = shown.measured.at(keep);
        if (predicted || measured)
            table.rows.push_back({numberCell(keep), cellOf(predicted), cellOf(measured)});
    }
    const auto say = [&](const std::string &sentence) { table.note += (table.note.empty() ? "" : " ") + sentence; };
    if (!shown.predicted.points.empty())
        say("Predicted as if the gains of single layers added up.");
    if (!shown.measured.points.empty() && shown.trainedTokens > 0)
        say("Measured on hybrids of seed " + std::to_string(shown.trainedSeed) + " that were trained on " + std::to_string(shown.trainedTokens) + " tokens each" +
            (shown.areHybridsOwn ? "." : ", from another stage 1 or with another seed than this scoring."));
    if (const auto &elbow = shown.elbow())
        say("Elbow, " + std::string(shown.isElbowMeasured() ? "measured" : "predicted") + ": K = " + std::to_string(elbow->keep) + ", 95 % from " + std::to_string(elbow->low) + " to " + std::to_string(elbow->high) + ".");
    return table;
}

std::vector<std::string> numbersUpTo(std::size_t count)
{
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= count; ++i)
        names.push_back(std::to_string(i));
    return names;
}

}  // namespace

std::string titleOf(analysis::ScoreAxis axis)
{
    switch (axis) {
    case analysis::ScoreAxis::KlGain: return "KL gain";
    case analysis::ScoreAxis::KlAboveWorst: return "−KL above the worst";
    case analysis::ScoreAxis::Residual: return "relative squared error";
    case analysis::ScoreAxis::Score: break;
    }
    return "score";
}

std::string unitOf(analysis::ScoreAxis axis)
{
    return axis == analysis::ScoreAxis::KlGain || axis == analysis::ScoreAxis::KlAboveWorst ? "nats/token" : "";
}

Figure layerScoresFigure(const LayerScoresShown &shown, Provenance provenance)
{
    const std::vector<int> order = orderOf(shown);
    Chart chart;
    chart.x = {shown.byRank && shown.ranking ? "layer, best first" : "layer", -0.6, std::max(0.6, static_cast<double>(order.size()) - 0.4), false, false, namedPlaces(order)};
    chart.y = valueAxis(shown.bars);
    Series kept{.name = shown.kept ? "stays softmax" : "", .kind = SeriesKind::Bars, .colour = mixerColour("softmax"), .points = {}},
        others{.name = shown.kept ? "becomes linear" : "", .kind = SeriesKind::Bars, .colour = unchosenColour, .points = {}};
    for (std::size_t place = 0; place < order.size(); ++place)
        if (const analysis::LayerBar *bar = barOf(shown.bars, order[place]))
            (shown.kept && isIn(*shown.kept, bar->layer) ? kept : others).points.push_back({static_cast<double>(place), bar->value, bar->reach});
    Series shade{.name = "not settled", .kind = SeriesKind::Shade, .colour = shadeColour, .points = {}};
    for (std::size_t place = 0; place < order.size(); ++place)
        if (isIn(shown.unsettled, order[place]))
            shade.points.push_back({static_cast<double>(place), 0.0});
    chart.series = {std::move(shade), std::move(kept), std::move(others)};
    std::erase_if(chart.series, [](const Series &one) { return one.points.empty(); });
    if (shown.overlaid && !shown.overlaid->bars.bars.empty())
        overlay(chart, shown, order);
    return {layerScoresTable(shown, std::move(provenance)), std::move(chart)};
}

Figure ranksFigure(const analysis::RankTrajectory &trajectory, const experiment::LayerSet &kept, int keep, Provenance provenance)
{
    const std::vector<std::vector<int>> ranks_LE = trajectory.ranks_LE();
    const std::size_t numLayers = ranks_LE.size(), numEvaluations = trajectory.tokens_E.size();
    Figure figure{{"ranks", {{"layer", {}, 0}}, {}, {}, std::move(provenance)}, {}};
    for (const std::int64_t tokens : trajectory.tokens_E)
        figure.table.columns.push_back({"rank after " + std::to_string(tokens) + " tokens", {}, 0});
    const double left = numEvaluations > 0 ? static_cast<double>(trajectory.tokens_E.front()) : 0.0, right = numEvaluations > 0 ? static_cast<double>(trajectory.tokens_E.back()) : 1.0;
    const double margin = right > left ? 0.03 * (right - left) : std::max(1.0, 0.5 * right);
    figure.chart.x = {"training tokens of a layer", left - margin, right + margin, false, false, {}};
    figure.chart.y = {"rank", 0.4, static_cast<double>(numLayers) + 0.6, false, true, {{1.0, "1"}}};
    const std::size_t every = std::max<std::size_t>(1, (numLayers + rankTicks - 1) / rankTicks);
    for (std::size_t rank = every; rank <= numLayers; rank += every)
        if (rank > 1)
            figure.chart.y.ticks.emplace_back(static_cast<double>(rank), std::to_string(rank));
    bool namedKept = false, namedOthers = false;
    for (std::size_t layer = 0; layer < numLayers; ++layer) {
        const bool isKept = isIn(kept, static_cast<int>(layer));
        bool &named = isKept ? namedKept : namedOthers;
        Series line{.name = std::exchange(named, true) ? "" : isKept ? "stays softmax" : "becomes linear", .colour = isKept ? mixerColour("softmax") : unchosenColour, .mark = isKept ? Mark::Disc : Mark::None, .points = {}};
        std::vector<Cell> row{numberCell(static_cast<double>(layer))};
        for (std::size_t evaluation = 0; evaluation < numEvaluations; ++evaluation) {
            row.push_back(numberCell(ranks_LE[layer][evaluation]));
            if (evaluation <= trajectory.lastMeasured_L[layer])
                line.points.push_back({static_cast<double>(trajectory.tokens_E[evaluation]), static_cast<double>(ranks_LE[layer][evaluation])});
        }
        if (numEvaluations > 0)
            line.end = EndLabel{std::to_string(layer), static_cast<double>(ranks_LE[layer].back())};
        figure.table.rows.push_back(std::move(row));
        figure.chart.series.push_back(std::move(line));
    }
    figure.chart.endTitle = "layer";
    std::stable_sort(figure.chart.series.begin(), figure.chart.series.end(), [](const Series &a, const Series &b) { return a.mark == Mark::None && b.mark != Mark::None; });
    if (numLayers > 0 && numEvaluations > 0) {
        const double between = static_cast<double>(keep) + 0.5;
        figure.chart.series.push_back({.name = "K = " + std::to_string(keep), .colour = inkColour, .dash = Dash::Dashed, .points = {{left - margin, between}, {right + margin, between}}});
    }
    return figure;
}

Figure curveFigure(const CurveShown &training, const CurveShown &heldOut, const std::string &valueTitle, const std::string &unit, const std::string &mixer, bool logarithmic, Provenance provenance)
{
    Figure figure{{"curve", {{"series", {}, 0}, {"training tokens", {}, 0}, {valueTitle, unit, valueDecimals}}, {}, {}, std::move(provenance)}, {}};
    figure.chart.x = {"training tokens", 0.0, 1.0, false, false, {}};
    figure.chart.y = {headOf({valueTitle, unit}), 0.0, 1.0, logarithmic, false, {}};
    double low = 1e300, high = -1e300, right = 0.0;
    int leftOut = 0;
    for (const CurveShown *curve : {&training, &heldOut}) {
        const bool held = curve == &heldOut;
        Series line{.name = curve->name, .colour = held ? mixerColour(mixer) : unchosenColour, .mark = held ? Mark::Disc : Mark::None, .points = {}};
        for (const auto &[tokens, value] : curve->points) {
            figure.table.rows.push_back({textCell(curve->name), numberCell(tokens), numberCell(value)});
            if (!std::isfinite(value) || (logarithmic && value <= 0.0)) {
                ++leftOut;
                continue;
            }
            line.points.push_back({tokens, value});
            low = std::min(low, value);
            high = std::max(high, value);
            right = std::max(right, tokens);
        }
        if (!line.points.empty())
            figure.chart.series.push_back(std::move(line));
    }
    if (leftOut > 0)
        figure.table.note = "Not on the axis: " + std::to_string(leftOut) + " of " + std::to_string(figure.table.rows.size()) + " values.";
    figure.chart.x.high = right > 0.0 ? right * 1.02 : 1.0;
    if (high >= low) {
        figure.chart.y.low = logarithmic ? low * 0.8 : std::min(0.0, low);
        figure.chart.y.high = logarithmic ? high * 1.25 : high > 0.0 ? high * 1.06 : 1.0;
    }
    return figure;
}

std::optional<double> reachOf(const analysis::KlPoint &point)
{
    const double reach = point.klNats.high - point.klNats.mean;      // below, a prediction's interval ends at 0
    return std::isfinite(reach) ? std::optional(reach) : std::nullopt;
}

std::pair<double, double> klRange(const KlAgainstKShown &shown)
{
    double low = 0.0, high = 0.0;
    for (const analysis::ShownKlCurve *curve : {&shown.predicted, &shown.measured})
        for (const analysis::KlPoint &point : curve->points) {
            const double reach = reachOf(point).value_or(0.0);
            high = std::max(high, point.klNats.mean + reach);
            if (curve == &shown.measured)
                low = std::min(low, point.klNats.mean - reach);
        }
    const double span = high > low ? high - low : 1.0;
    return {low < 0.0 ? low - 0.06 * span : 0.0, high + 0.06 * span};
}

Figure klAgainstKFigure(const KlAgainstKShown &shown, Provenance provenance)
{
    addHybrids(provenance, hybridsOf(shown));
    Figure figure{klAgainstKTable(shown, std::move(provenance)), {}};
    if (figure.table.rows.empty())
        return figure;
    const auto [low, high] = klRange(shown);
    figure.chart.x = {"K, softmax layers kept", -0.5, std::max(1, shown.numLayers) + 0.5, false, false, {}};
    figure.chart.y = {"held-out KL (nats/token)", low, high, false, false, {}};
    const auto upright = [low = low, high = high](double keep) { return std::vector<Point>{{keep, low}, {keep, high}}; };
    Series shade{.name = "", .kind = SeriesKind::Shade, .colour = shadeColour, .points = {}}, band{.name = "95 %", .kind = SeriesKind::Band, .colour = unchosenColour, .points = {}},
        predicted{.name = "predicted, additive", .colour = "595959", .points = {}}, measured{.name = "measured", .colour = mixerColour(shown.mixer), .dash = Dash::None, .mark = Mark::Disc, .points = {}};
    const auto &elbow = shown.elbow();
    for (int keep = elbow ? elbow->low : 0; elbow && keep <= elbow->high; ++keep)
        shade.points.push_back({static_cast<double>(keep), 0.0});
    for (const analysis::KlPoint &point : shown.predicted.points) {
        const double keep = point.keep;
        predicted.points.push_back({keep, point.klNats.mean});
        if (reachOf(point))
            band.points.push_back({keep, 0.5 * (point.klNats.low + point.klNats.high), 0.5 * (point.klNats.high - point.klNats.low)});
    }
    for (const analysis::KlPoint &point : shown.measured.points)
        measured.points.push_back({static_cast<double>(point.keep), point.klNats.mean, reachOf(point).value_or(0.0)});
    figure.chart.series = {std::move(shade), std::move(band), std::move(predicted), std::move(measured)};
    if (elbow)
        figure.chart.series.push_back({.name = "elbow, " + std::string(shown.isElbowMeasured() ? "measured" : "predicted") + ": K = " + std::to_string(elbow->keep), .colour = inkColour, .dash = Dash::Dashed, .points = upright(elbow->keep)});
    if (shown.keep >= 0 && shown.keep <= shown.numLayers)
        figure.chart.series.push_back({.name = "K = " + std::to_string(shown.keep), .colour = inkColour, .dash = Dash::Dotted, .points = upright(shown.keep)});
    std::erase_if(figure.chart.series, [](const Series &one) { return one.points.empty(); });
    return figure;
}

Figure overlapFigure(const std::vector<ChoiceShown> &choices, const analysis::OverlapMatrix &matrix, Provenance provenance)
{
    Figure figure{{"overlap", {{"number", {}, 0}, {"choice", {}, 0}, {"layers kept", {}, 0}}, {}, "Jaccard index of every two choices.", std::move(provenance)}, {}};
    Cells cells{"Jaccard index", numbersUpTo(choices.size()), {}, {}};
    for (std::size_t i = 0; i < choices.size(); ++i) {
        figure.table.columns.push_back({"J with " + std::to_string(i + 1), {}, 2});
        cells.rows.push_back(std::to_string(i + 1) + "  " + choices[i].name);
        std::vector<Cell> row{numberCell(static_cast<double>(i + 1)), textCell(choices[i].name), textCell(choices[i].layers ? experiment::layersText(*choices[i].layers) : std::string())};
        std::vector<std::optional<double>> values;
        for (std::size_t j = 0; j < choices.size(); ++j) {
            const auto &index = matrix.at(static_cast<int>(i), static_cast<int>(j));
            row.push_back(index ? numberCell(index->jaccard) : textCell({}));
            values.push_back(index ? std::optional(index->jaccard) : std::nullopt);
        }
        figure.table.rows.push_back(std::move(row));
        cells.values.push_back(std::move(values));
    }
    figure.chart.x.title = "choice, by its number";
    cells.square = true;
    figure.chart.cells = std::move(cells);
    return figure;
}

Figure agreementFigure(const std::vector<analysis::AgreementPoint> &curve, int numLayers, Provenance provenance)
{
    Figure figure{{"agreement", {{"K", {}, 0}, {"Jaccard index", {}, 4}, {"by chance, mean", {}, 4}, {"by chance, 2.5 %", {}, 4}, {"by chance, 97.5 %", {}, 4}, {"p", {}, 4}}, {}, {}, std::move(provenance)}, {}};
    figure.chart.x = {"K, softmax layers kept", 0.0, std::max(1, numLayers) + 0.5, false, false, {}};
    figure.chart.y = {"Jaccard index", 0.0, 1.04, false, false, {}};
    Series band{.name = "chance, 95 %", .kind = SeriesKind::Band, .colour = unchosenColour, .points = {}}, chance{.name = "chance, mean", .colour = "595959", .dash = Dash::Dashed, .points = {}},
        line{.name = "", .colour = mixerColour("softmax"), .points = {}}, beyond{.name = "beyond chance", .colour = mixerColour("softmax"), .dash = Dash::None, .mark = Mark::Disc, .points = {}},
        within{.name = "within chance", .colour = mixerColour("softmax"), .dash = Dash::None, .mark = Mark::Circle, .points = {}};
    for (const analysis::AgreementPoint &point : curve) {
        const double keep = point.keep;
        figure.table.rows.push_back({numberCell(keep), numberCell(point.jaccard), numberCell(point.chance), numberCell(point.chanceBand.low), numberCell(point.chanceBand.high), numberCell(point.pValue)});
        band.points.push_back({keep, 0.5 * (point.chanceBand.low + point.chanceBand.high), 0.5 * (point.chanceBand.high - point.chanceBand.low)});
        chance.points.push_back({keep, point.chance});
        line.points.push_back({keep, point.jaccard});
        (analysis::isBeyondChance(point.pValue) ? beyond : within).points.push_back({keep, point.jaccard});
    }
    for (Series *one : {&band, &chance, &line, &beyond, &within})
        if (!one->points.empty())
            figure.chart.series.push_back(std::move(*one));
    return figure;
}

}  // namespace stillroom::report
