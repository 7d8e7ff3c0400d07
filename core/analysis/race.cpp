// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/race.h"

#include "analysis/bootstrapranks.h"
#include "analysis/margin.h"
#include "error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace stillroom::analysis {
namespace {

constexpr double likelyGap = 2.0;       // SE

/// [a][b]: a is surely better than b. \param driftVariance  of a difference, from now to the last evaluation
std::vector<std::vector<char>> sureClaims(const LayerSamples &samples, double threshold, double driftVariance)
{
    const int numLayers = samples.numLayers();
    std::vector<std::vector<char>> sure(static_cast<std::size_t>(numLayers), std::vector<char>(static_cast<std::size_t>(numLayers), 0));
    for (int a = 0; a < numLayers; ++a)
        for (int b = a + 1; b < numLayers; ++b) {
            const Estimate difference = samples.difference(a, b);
            const double t = inStandardErrors(difference.mean, std::sqrt(difference.se * difference.se + driftVariance));
            sure[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = t > threshold;
            sure[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = t < -threshold;
        }
    return sure;
}

/// Each layer's values less the mean over layers, sequence by sequence.
std::vector<std::vector<double>> centred(std::vector<std::vector<double>> values_LS)
{
    for (std::size_t s = 0; s < values_LS.front().size(); ++s) {
        double mean = 0.0;
        for (const auto &values : values_LS)
            mean += values[s] / static_cast<double>(values_LS.size());
        for (auto &values : values_LS)
            values[s] -= mean;
    }
    return values_LS;
}

}  // namespace

Race::Race(int numLayers, Options options)
    : m_numLayers(numLayers), m_options(options), m_standing(static_cast<std::size_t>(std::max(numLayers, 0)), Standing::Racing)
{
    if (options.keep < 1 || options.keep >= numLayers)
        throw Error(ErrorCode::Usage, "K is " + std::to_string(options.keep) + " but a race of " + std::to_string(numLayers) + " layers needs K from 1 to " + std::to_string(numLayers - 1) + ".");
    if (options.numEvaluations < 1 || !(options.error > 0.0 && options.error < 1.0))
        throw Error(ErrorCode::Usage, "A race needs at least one evaluation and an error between 0 and 1.");
}

void Race::evaluate(const std::vector<std::vector<double>> &values_LS)
{
    if (static_cast<int>(values_LS.size()) != m_numLayers)
        throw Error(ErrorCode::Usage, "The race is between " + std::to_string(m_numLayers) + " layers, but " + std::to_string(values_LS.size()) + " were measured.");
    if (m_numEvaluations >= m_options.numEvaluations)
        throw Error(ErrorCode::Usage, "The race was planned for " + std::to_string(m_options.numEvaluations) + " evaluations: one more would exceed its error.");
    std::vector<Row> rows;
    for (const int layer : racing())
        rows.push_back({layer, values_LS[static_cast<std::size_t>(layer)]});
    if (!rows.empty() && samplesOf(rows).numSequences() < 2)
        throw Error(ErrorCode::Usage, "The layers were measured on one sequence, so their uncertainty is unknown.");
    watchDrift(rows);
    m_last = std::move(rows);
    ++m_numEvaluations;
    if (!m_last.empty())
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

double Race::driftVariance() const
{
    return driftDegrees() > 0 ? std::max(0.0, (m_steps[0].squares + m_steps[1].squares) / driftDegrees()) : 0.0;
}

void Race::watchDrift(const std::vector<Row> &rows)
{
    const auto numLayers = static_cast<int>(rows.size());
    if (!m_options.drift || numLayers < 3 || m_last.size() != rows.size())
        return;
    std::vector<std::vector<double>> before_LS, steps_LS;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        before_LS.push_back(m_last[i].values_S);
        steps_LS.push_back(rows[i].values_S);
    }
    before_LS = centred(std::move(before_LS));
    steps_LS = centred(std::move(steps_LS));
    std::vector<double> place;               // where each layer stood, and how far it went
    double standing = 0.0, along = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t s = 0; s < steps_LS[i].size(); ++s)
            steps_LS[i][s] -= before_LS[i][s];
        place.push_back(estimate(before_LS[i]).mean);
        standing += place[i] * place[i];
        along += place[i] * estimate(steps_LS[i]).mean;
    }
    const double growth = standing > 0.0 ? along / standing : 0.0;
    Step step{0.0, numLayers - 2};           // the mean over layers and the growth took two, from sampling noise too
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t s = 0; s < steps_LS[i].size(); ++s)
            steps_LS[i][s] -= growth * before_LS[i][s];
        const Estimate left = estimate(steps_LS[i]);
        step.squares += left.mean * left.mean - left.se * left.se * step.degrees / numLayers;
    }
    m_steps = {step, m_steps[0]};
}

void Race::decide()
{
    const int toCome = m_options.numEvaluations - m_numEvaluations;
    const bool drifts = m_options.drift && toCome > 0;
    if (drifts && driftDegrees() == 0)
        return;                              // how far the order may still move is not known
    const auto deciding = static_cast<double>(m_options.drift ? std::max(1, m_options.numEvaluations - 1) : m_options.numEvaluations);
    const double level = m_options.error / (deciding * m_options.keep * (m_numLayers - m_options.keep));
    const LayerSamples samples = samplesOf(m_last);
    // Of the two variances in the test the one that is known worse decides how far its tails reach.
    const int degrees = drifts ? std::min(samples.numSequences() - 1, driftDegrees()) : samples.numSequences() - 1;
    const Claims sure = sureClaims(samples, studentQuantile(1.0 - level, degrees), drifts ? 2.0 * toCome * driftVariance() : 0.0);
    const std::vector<int> layers = racing();
    // Each decision leaves fewer racers, among whom the same claims may settle others.
    for (bool moved = true; moved;) {
        std::vector<std::pair<int, Standing>> decisions;
        for (std::size_t i = 0; i < layers.size(); ++i)
            if (standing(layers[i]) == Standing::Racing)
                if (const Standing ask = asked(i, layers, sure); ask != Standing::Racing)
                    decisions.emplace_back(layers[i], ask);
        for (const auto &[layer, standing] : decisions)
            take(layer, standing);
        moved = !decisions.empty();
    }
}

Race::Verdict Race::verdict() const
{
    if (settled())
        return Verdict::Settled;
    if (m_numEvaluations < m_options.numEvaluations)
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
