// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/race.h"

#include "analysis/bootstrapranks.h"
#include "analysis/margin.h"
#include "error.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace stillroom::analysis {
namespace {

constexpr double likelyGap = 2.0;       // SE

/// [a][b]: a is surely better than b.
std::vector<std::vector<char>> sureClaims(const LayerSamples &samples, double level)
{
    const int numLayers = samples.numLayers();
    const double threshold = studentQuantile(1.0 - level, samples.numSequences() - 1.0);
    std::vector<std::vector<char>> sure(static_cast<std::size_t>(numLayers), std::vector<char>(static_cast<std::size_t>(numLayers), 0));
    for (int a = 0; a < numLayers; ++a)
        for (int b = a + 1; b < numLayers; ++b) {
            const Estimate difference = samples.difference(a, b);
            const double t = inStandardErrors(difference.mean, difference.se);
            sure[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = t > threshold;
            sure[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = t < -threshold;
        }
    return sure;
}

}  // namespace

Race::Race(int numLayers, Options options)
    : m_numLayers(numLayers), m_options(options), m_standing(static_cast<std::size_t>(std::max(numLayers, 0)), Standing::Racing), m_streaks(m_standing.size())
{
    if (options.keep < 1 || options.keep >= numLayers)
        throw Error(ErrorCode::Usage, "K is " + std::to_string(options.keep) + " but a race of " + std::to_string(numLayers) + " layers needs K from 1 to " + std::to_string(numLayers - 1) + ".");
    if (options.numEvaluations < 1 || options.warmUp < 0 || options.patience < 1 || !(options.error > 0.0 && options.error < 1.0))
        throw Error(ErrorCode::Usage, "A race needs at least one evaluation, a patience of at least 1, a warm-up of at least 0 and an error between 0 and 1.");
}

void Race::evaluate(const std::vector<std::vector<double>> &values_LS)
{
    if (static_cast<int>(values_LS.size()) != m_numLayers)
        throw Error(ErrorCode::Usage, "The race is between " + std::to_string(m_numLayers) + " layers, but " + std::to_string(values_LS.size()) + " were measured.");
    if (m_numEvaluations >= m_options.warmUp + m_options.numEvaluations)
        throw Error(ErrorCode::Usage, "The race was planned for " + std::to_string(m_options.numEvaluations) + " evaluations: one more would exceed its error.");
    std::vector<Row> rows;
    for (const int layer : racing())
        rows.push_back({layer, values_LS[static_cast<std::size_t>(layer)]});
    if (!rows.empty() && samplesOf(rows).numSequences() < 2)
        throw Error(ErrorCode::Usage, "The layers were measured on one sequence, so their uncertainty is unknown.");
    m_last = std::move(rows);
    if (++m_numEvaluations > m_options.warmUp && !m_last.empty())
        decide();
}

std::vector<int> Race::racing() const
{
    std::vector<int> layers;
    for (int layer = 0; layer < m_numLayers; ++layer)
        if (standing(layer) == Standing::Racing)
            layers.push_back(layer);
    return layers;
}

int Race::placesLeft() const
{
    return m_options.keep - static_cast<int>(m_chosen.size());
}

LayerSamples Race::samplesOf(const std::vector<Row> &rows) const
{
    std::vector<std::vector<double>> values_LS;
    for (const Row &row : rows)
        values_LS.push_back(row.values_S);
    return LayerSamples(std::move(values_LS), m_options.higherIsBetter);
}

void Race::take(int layer, Standing standing)
{
    m_standing[static_cast<std::size_t>(layer)] = standing;
    (standing == Standing::Chosen ? m_chosen : m_dropped).push_back(layer);
    std::erase_if(m_last, [&](const Row &row) { return row.layer == layer; });
}

Race::Standing Race::asked(std::size_t i, const std::vector<int> &layers, const Claims &sure) const
{
    int better = 0, worse = 0;
    for (std::size_t j = 0; j < layers.size(); ++j) {
        if (standing(layers[j]) != Standing::Racing)
            continue;
        better += sure[j][i];
        worse += sure[i][j];
    }
    if (worse >= static_cast<int>(m_last.size()) - placesLeft())
        return Standing::Chosen;
    return better >= placesLeft() ? Standing::Dropped : Standing::Racing;
}

void Race::decide()
{
    const auto crossingPairs = static_cast<double>(m_options.keep) * (m_numLayers - m_options.keep);
    const Claims sure = sureClaims(samplesOf(m_last), m_options.error / (m_options.numEvaluations * crossingPairs));
    const std::vector<int> layers = racing();
    const std::vector<Streak> before = std::exchange(m_streaks, std::vector<Streak>(m_streaks.size()));
    // Each decision leaves fewer racers, among whom the same claims may settle others.
    for (bool moved = true; moved;) {
        const bool noChoiceLeft = placesLeft() == 0 || placesLeft() == static_cast<int>(m_last.size());
        std::vector<std::pair<int, Standing>> decisions;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const auto layer = static_cast<std::size_t>(layers[i]);
            const Standing ask = m_standing[layer] == Standing::Racing ? asked(i, layers, sure) : Standing::Racing;
            if (ask == Standing::Racing)
                continue;
            m_streaks[layer] = {ask, before[layer].asked == ask ? before[layer].times + 1 : 1};
            if (noChoiceLeft || m_streaks[layer].times >= m_options.patience)
                decisions.emplace_back(layers[i], ask);
        }
        for (const auto &[layer, standing] : decisions)
            take(layer, standing);
        moved = !decisions.empty();
    }
}

Race::Verdict Race::verdict() const
{
    if (settled())
        return Verdict::Settled;
    if (m_numEvaluations < m_options.warmUp + m_options.numEvaluations)
        return Verdict::Open;
    return gapInStandardErrors() >= likelyGap ? Verdict::Likely : Verdict::NotSettled;
}

experiment::Ranking Race::ranking() const
{
    if (m_numEvaluations == 0)
        throw Error(ErrorCode::Usage, "A race has no ranking before its first evaluation.");
    experiment::Ranking all = m_chosen;
    if (!m_last.empty())
        for (const int place : samplesOf(m_last).ranking())
            all.push_back(m_last[static_cast<std::size_t>(place)].layer);
    all.insert(all.end(), m_dropped.rbegin(), m_dropped.rend());
    return all;
}

std::vector<double> Race::chances(int numDraws, std::uint64_t seed) const
{
    std::vector<double> chances;
    for (const Standing standing : m_standing)
        chances.push_back(standing == Standing::Chosen ? 1.0 : 0.0);
    if (m_last.empty())
        return chances;
    const BootstrapRanks ranks(samplesOf(m_last), numDraws, seed);
    for (std::size_t i = 0; i < m_last.size(); ++i)
        chances[static_cast<std::size_t>(m_last[i].layer)] = ranks.chanceOfTop(static_cast<int>(i), placesLeft());
    return chances;
}

double Race::gapInStandardErrors() const
{
    const int places = placesLeft();
    if (m_last.empty() || places < 1 || places >= static_cast<int>(m_last.size()))
        return std::numeric_limits<double>::infinity();
    const LayerSamples samples = samplesOf(m_last);
    return boundaryMargin(samples, samples.ranking(), places).inStandardErrors;
}

}  // namespace stillroom::analysis
