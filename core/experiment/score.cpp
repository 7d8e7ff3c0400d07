// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/score.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace stillroom::experiment {

namespace {

[[noreturn]] void refuseScore(const std::string &message)
{
    throw Error(ErrorCode::Usage, message);
}

/// The scores by layer; every layer exactly once.
std::vector<const LayerScore *> byLayer(const std::vector<LayerScore> &scores, int numLayers)
{
    std::vector<const LayerScore *> found(static_cast<std::size_t>(numLayers), nullptr);
    for (const LayerScore &score : scores) {
        if (score.layer == -1)
            continue;
        if (score.layer < -1 || score.layer >= numLayers)
            refuseScore("A score names layer " + std::to_string(score.layer) + " but the model has layers 0 to " + std::to_string(numLayers - 1) + ".");
        auto &place = found[static_cast<std::size_t>(score.layer)];
        if (place)
            refuseScore("Layer " + std::to_string(score.layer) + " has more than one score; give the scores of one evaluation.");
        place = &score;
    }
    for (int layer = 0; layer < numLayers; ++layer) {
        if (!found[static_cast<std::size_t>(layer)])
            refuseScore("Layer " + std::to_string(layer) + " has no score, so the layers cannot be ranked.");
    }
    return found;
}

}  // namespace

void checkNumLayers(int numLayers)
{
    if (numLayers < 1 || numLayers > mostLayers)
        refuseScore("The number of layers is " + std::to_string(numLayers) + " but must be from 1 to " + std::to_string(mostLayers) + ".");
}

Ranking rank(const std::vector<LayerScore> &scores, int numLayers)
{
    checkNumLayers(numLayers);
    const auto found = byLayer(scores, numLayers);
    const bool higherIsBetter = found.front()->higherIsBetter;
    for (const LayerScore *score : found) {
        if (score->higherIsBetter != higherIsBetter)
            refuseScore("The scores disagree on whether higher is better, so the layers cannot be ranked.");
    }
    std::vector<double> values;
    for (const LayerScore *score : found)
        values.push_back(score->score);
    return rank(values, higherIsBetter);
}

Ranking rank(const std::vector<double> &scores_L, bool higherIsBetter)
{
    checkNumLayers(static_cast<int>(std::min<std::size_t>(scores_L.size(), std::numeric_limits<int>::max())));
    Ranking ranking(scores_L.size());
    for (std::size_t layer = 0; layer < scores_L.size(); ++layer) {
        if (!std::isfinite(scores_L[layer]))
            refuseScore("The score of layer " + std::to_string(layer) + " is not finite, so the layers cannot be ranked.");
        ranking[layer] = static_cast<int>(layer);
    }
    std::stable_sort(ranking.begin(), ranking.end(), [&](int a, int b) {
        const double scoreA = scores_L[static_cast<std::size_t>(a)], scoreB = scores_L[static_cast<std::size_t>(b)];
        return higherIsBetter ? scoreA > scoreB : scoreA < scoreB;
    });
    return ranking;
}

LayerSet topLayers(const Ranking &ranking, int keep)
{
    if (keep < 0 || static_cast<std::size_t>(keep) > ranking.size())
        refuseScore("K is " + std::to_string(keep) + " but must be from 0 to " + std::to_string(ranking.size()) + ", the number of ranked layers.");
    LayerSet top(ranking.begin(), ranking.begin() + keep);
    std::sort(top.begin(), top.end());
    return top;
}

int keepFromPercent(double percent, int numLayers)
{
    checkNumLayers(numLayers);
    if (!(percent >= 0.0 && percent <= 100.0))
        refuseScore("K in percent is " + std::to_string(percent) + " but must be from 0 to 100.");
    // 12.5 % of 36 is 4.5 exactly; a percentage such as 100/3 may land a hair below the half it means.
    const double exact = percent * numLayers / 100.0;
    const int keep = static_cast<int>(std::floor(exact + 0.5 + 1e-9));
    return std::clamp(keep, 0, numLayers);
}

LayerSet validLayerSet(std::vector<int> layers, int numLayers)
{
    checkNumLayers(numLayers);
    std::sort(layers.begin(), layers.end());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (layers[i] < 0 || layers[i] >= numLayers)
            refuseScore("Layer " + std::to_string(layers[i]) + " does not exist; the model has layers 0 to " + std::to_string(numLayers - 1) + ".");
        if (i > 0 && layers[i] == layers[i - 1])
            refuseScore("Layer " + std::to_string(layers[i]) + " is named twice; name every kept layer once.");
    }
    return layers;
}

std::int64_t numberOfSets(int n, int k, std::int64_t limit)
{
    const int fewer = std::min(k, n - k);
    std::int64_t sets = 1;
    for (int i = 1; i <= fewer && sets < limit; ++i)
        sets = sets * (n - fewer + i) / i;        // C(n - fewer + i, i): whole at every step, and it grows
    return std::min(sets, limit);
}

std::string layersText(const std::vector<int> &layers, const std::string &separator)
{
    std::string text;
    for (const int layer : layers)
        text += (text.empty() ? "" : separator) + std::to_string(layer);
    return text;
}

}  // namespace stillroom::experiment
