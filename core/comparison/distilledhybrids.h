// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::comparison {

/// How a hybrid was made and measured, but for which layers it keeps. Hybrids of one curve share all of it: what differs between them is K.
struct HybridConditions {
    std::int64_t tokens = 0;                         ///< it was trained on
    std::string heldOut;                             ///< hash of the held-out sequences
    std::string start;                               ///< key of the align or calibrate stage whose mixers it began with
    std::int64_t seed = 0;                           ///< of its own training
    std::string mixer;                               ///< canonical JSON: kind and options
    std::string loss;                                ///< canonical JSON: what stage 2 minimised
    std::vector<std::int64_t> countedTokens_S;       ///< that the KL of each held-out sequence is a mean over
    friend auto operator<=>(const HybridConditions &a, const HybridConditions &b) = default;
};

/// A hybrid that was distilled, and its KL on each held-out sequence.
struct DistilledHybrid {
    std::string key;                                 ///< of its stage
    HybridConditions conditions;
    experiment::LayerSet kept;
    std::vector<double> klNats_S;                    ///< nats per token, at its end
};

/// What could not be read, and why.
using LeftOut = std::function<void(const std::filesystem::path &folder, const std::string &why)>;

/// Finished hybrids of a teacher and a probe in a workspace whose layers are the best K of `ranking`, by key; those that were never trained say what a start is
/// worth, and are none. What is damaged is told and left out: the others are still worth their curve.
[[nodiscard]] std::vector<DistilledHybrid> distilledHybrids(const std::filesystem::path &workspace, const std::string &teacherHash, const std::string &mixer, const experiment::Ranking &ranking,
                                                            const LeftOut &leftOut = {});

/// Why hybrids of the ranking are not in its curve: how many of each kind. One that differs in several ways counts as the first of these that fits.
struct HybridsLeftOut {
    std::size_t otherSequences = 0;                  ///< measured on other held-out sequences
    std::size_t otherStart = 0, otherSeed = 0, otherMixer = 0, otherLoss = 0, otherTokens = 0;
    std::size_t second = 0;                          ///< a second one of its size
    std::size_t unreadable = 0;
    [[nodiscard]] std::size_t total() const { return otherSequences + otherStart + otherSeed + otherMixer + otherLoss + otherTokens + second + unreadable; }
};
struct ComparableHybrids {
    std::vector<DistilledHybrid> byKeep;             ///< one of each size, by ascending K
    bool isOwn = false;                              ///< of the scoring's own start and seed
    HybridsLeftOut leftOut;                          ///< none of them unreadable: those are not among the hybrids that were given
};
/// What a scoring was made with, as far as it is known: hybrids that were made from it share that.
struct ScoringOrigin {
    std::string start;                               ///< key of the align or calibrate stage whose mixers its students began with; empty: any
    std::optional<std::int64_t> seed;                ///< empty: any
};
/// \param result  of its stage, or null
[[nodiscard]] ScoringOrigin originOf(const nlohmann::json &result, std::optional<std::int64_t> seed);

/// Hybrids that were made and measured alike: the scoring's own if there are any, then those of the most sizes, then those that were trained longest.
[[nodiscard]] ComparableHybrids comparable(const std::vector<DistilledHybrid> &hybrids, const ScoringOrigin &origin = {});

/// "2 of another start, 1 trained on another number of tokens"; empty for none.
[[nodiscard]] std::string leftOutText(const HybridsLeftOut &leftOut);

}  // namespace stillroom::comparison
