// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"
#include "store/workspace.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::store {

/// What stopping early saved of a scoring's training tokens.
struct EarlyStop {
    bool stopped = false;                               ///< false: nothing was sure before the end
    std::int64_t tokens = 0, plannedTokens = 0;         ///< of the student that trained longest, and as the spec has it; 0: not known
    double savedFraction = 0.0;                         ///< of the tokens of all students together, 0 … 1
};

/// The same out of the result of a score stage; empty where nothing was to stop early, and for what is not as a stage writes it.
[[nodiscard]] std::optional<EarlyStop> earlyStopOf(const nlohmann::json &result);

/// What one selector found of a teacher's layers with one probe, in one run.
struct Scoring {
    std::string run, task, key;                         ///< key: of its stage, empty where it is not known
    std::string selector, mixer;
    std::string name;                                   ///< that a person gave the run; may be empty
    RunStatus status = RunStatus::Running;              ///< of its stage, which may have ended where the run was stopped later
    std::int64_t seed = 0;
    std::string settings;                               ///< canonical JSON of all that shapes its numbers but for the seed: equal for repeats over seeds
    std::string heldOut;                                ///< canonical JSON of the data, whose held-out sequences are the same for every seed; empty where it is not known
    std::vector<experiment::LayerScore> evaluations;    ///< every score of every layer, by tokens, then by layer
    std::vector<experiment::LayerScore> scores;         ///< the latest of every layer, ascending; layer -1 first where it was measured
    std::optional<experiment::Ranking> ranking;         ///< the run's own, else by `scores`; empty while a layer has no score
    std::vector<experiment::LayerSet> sets;             ///< what a search found, one of a size: at these K they go before the ranking
    std::optional<EarlyStop> earlyStop;                 ///< where its spec asked for it, and it ended
    std::string artifact;                               ///< folder of the stage's results, relative to the workspace; empty before it ends
};

/// What Scoring::settings is of a score spec that is complete.
[[nodiscard]] std::string scoringSettings(const nlohmann::json &spec);
/// Settings, held-out sequences and seed of a scoring, as the spec of its run and its task have them. \param runSpec  complete; of a pipeline the stage is found in it
void describeBySpec(Scoring &scoring, const nlohmann::json &runSpec);

/// Whether the selector is the one that its spec scores with: stage 1 inside a score run measures layers on the way, and is none.
[[nodiscard]] bool isOwnScoring(const Scoring &scoring);

/// What Scoring::heldOut is of a score spec that is complete; of another kind of spec nothing that is equal to it.
[[nodiscard]] std::string heldOutSettings(const nlohmann::json &spec);

/// All scorings of a teacher in runs that did not fail and are not in the trash, oldest run first. Of equal stages there is one:
/// the first whose results are kept, else the first that ended, else the first that runs, else the first.
/// \param teacher  as the spec names it
[[nodiscard]] std::vector<Scoring> scorings(const Workspace &workspace, const std::string &teacher);

/// What was measured of every layer on every held-out sequence: what the scores are means of.
struct HeldOutValues {
    std::vector<std::vector<double>> values_LS;      ///< in the unit of the scores
    bool higherIsBetter = false;
};
/// Out of the stage's results, at the last evaluation, by layer 0 … L-1. Empty where the stage kept none, where they are not of `numLayers` layers at the same
/// training tokens, or where the file is damaged: they are a by-product.
[[nodiscard]] std::optional<HeldOutValues> heldOutValues(const std::filesystem::path &workspace, const std::string &artifact, int numLayers);

/// Seed of bootstrap draws over held-out sequences: what was measured on the same ones draws the same, wherever it is compared. \param measuredOn  Scoring::heldOut, or another name of them
[[nodiscard]] std::uint64_t drawSeed(const std::string &measuredOn);

}  // namespace stillroom::store
