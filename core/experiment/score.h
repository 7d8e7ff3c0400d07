// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::experiment {

/// One layer's score after some tokens. `layer` -1 is the all-linear student, scored along so that a KL gain can be shown.
struct LayerScore {
    std::string selector;             ///< "ga-s2", "zero-shot-ga", "ga-s1", …
    std::string mixer;                ///< probe: "gdn", "gla"; "none" where the selector looks at the teacher alone
    int layer = -1;
    double score = 0.0;
    std::string unit = "nats/token";
    bool higherIsBetter = false;
    std::optional<double> klNats;     ///< held-out KL(teacher ‖ student), nats per token
    double se = 0.0;                  ///< standard error over sequences, in `unit`; NaN: the selector gives none
    std::int64_t numSequences = 0;
    std::int64_t tokens = 0;          ///< training tokens behind it
};

/// No model has more layers: what a file or an option claims beyond it is refused before memory or time is spent on it.
inline constexpr int mostLayers = 4096;

/// Layers, best first, ties to the lower layer.
using Ranking = std::vector<int>;
/// Kept softmax layers, ascending, unique.
using LayerSet = std::vector<int>;

/// Best first by score (direction from the scores); ties go to the lower layer; layer -1 is left out.
/// \throws Error(Usage) when a layer is missing, doubled, or its score is not finite.
[[nodiscard]] Ranking rank(const std::vector<LayerScore> &scores, int numLayers);
/// The same of plain numbers, one a layer. \throws Error(Usage) for none, or one that is not finite.
[[nodiscard]] Ranking rank(const std::vector<double> &scores_L, bool higherIsBetter);
/// The first `keep` of a ranking, ascending.
[[nodiscard]] LayerSet topLayers(const Ranking &ranking, int keep);
/// K from a percentage of L, rounded half up (that alone reproduces every published K), at least 0 and at most L.
[[nodiscard]] int keepFromPercent(double percent, int numLayers);
/// Range, uniqueness, order. \throws Error(Usage) naming the layer.
[[nodiscard]] LayerSet validLayerSet(std::vector<int> layers, int numLayers);
/// \throws Error(Usage) unless it is from 1 to mostLayers; all of this room that take a number of layers do
void checkNumLayers(int numLayers);

/// C(n, k), the number of sets of k out of n layers, or `limit` where there are more. \param n, k  0 ≤ k ≤ n ≤ mostLayers. \param limit  1 … 2^50
[[nodiscard]] std::int64_t numberOfSets(int n, int k, std::int64_t limit);
/// "0, 4, 9"
[[nodiscard]] std::string layersText(const std::vector<int> &layers, const std::string &separator = ", ");

}  // namespace stillroom::experiment
