// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

/// Layer sets as a person names them.
namespace stillroom::cli {

/// A set, and the ranking it came from where there is one: of all layers, or of the first few (published rankings stop at their budget).
struct NamedSet {
    std::string name;                            ///< as it was written
    experiment::LayerSet layers;
    std::optional<experiment::Ranking> ranking;
    int numLayers = 0;                           ///< of the teacher; 0: not said
    std::string note;                            ///< what to know of it; may be empty
    std::string key = {};                        ///< of the scoring that ranked the layers; empty where it was none
    std::string curves = {};                     ///< its file with a value of every layer and held-out sequence; empty where there is none
    std::string heldOut = {};                    ///< equal where two scorings were measured on the same held-out sequences (store::Scoring); empty: not known
    std::string earlyStop = {};                  ///< what stopping early saved; empty where it did not
};

inline constexpr std::uint64_t usualSetSeed = 1;
inline constexpr double usualPercent = 25.0;      ///< of the layers are kept, where nobody says how many

struct SetOptions {
    std::optional<int> keep;                     ///< K of rankings and grids; without it a published set keeps its own, other rankings usualPercent
    int numLayers = 0;                           ///< of the teacher, where a set does not say
    std::filesystem::path workspace;
    std::uint64_t seed = usualSetSeed;           ///< of random sets
    int draw = 0;                                ///< of random sets: which ranking of that seed
};

/// Whether each such word stands for a draw of its own.
[[nodiscard]] bool isDrawn(const std::string &text);

/// Grids and random sets: rules, which need K and L to become a set.
[[nodiscard]] bool needsBudget(const std::string &text);

/// Words that choose layers without scores: grids, random sets and published ones.
[[nodiscard]] bool needsNoScores(const std::string &text);

/// SET: "0,4,9", "published:TEACHER/PROBE/BUDGET/SELECTOR", "uniform-start", "uniform-end", "uniform-rounded", "uniform-latter-half", "random", a JSON file (or a pipe, or "-") with
/// "selected" or "keep" or a list like [0, 4, 9], or scores: a file, a pipe, the key of a score stage, or a RUN. \throws Error(BadFile | Usage)
[[nodiscard]] NamedSet readSet(const std::string &text, const SetOptions &options);

}  // namespace stillroom::cli
