// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/race.h"
#include "experiment/score.h"
#include "randomstream.h"

#include <filesystem>
#include <string>
#include <vector>

/// Scoring runs made up or resampled, and what stopping rules make of them. For the benchmark and for the unit test of the race.
namespace stillroom::racing {

/// Held-out KL of one scoring run: [evaluation][layer][sequence], the evaluations after training began.
struct Stream {
    int keep = 1;
    std::vector<std::vector<std::vector<double>>> kl_ELS;
    [[nodiscard]] int numEvaluations() const { return static_cast<int>(kl_ELS.size()); }
    [[nodiscard]] int numLayers() const { return static_cast<int>(kl_ELS.front().size()); }
    [[nodiscard]] experiment::Ranking fullRanking() const;      ///< of the last evaluation with every layer in it
};

/// Normal noise around true means whose gap at the K boundary is known, in SE of a paired difference at one evaluation.
struct GaussianSetting {
    int numLayers = 28, keep = 7, numEvaluations = 10, numSequences = 64;
    double gap = 2.0;                  ///< SE between the K-th layer and the next
    enum class Layout {
        Ladder,                        ///< every two neighbours are as far apart
        Spread,                        ///< other neighbours are apart by exponential distances, 3 SE on average
        Block,                         ///< the best K are all equal, and so are the others: the hardest there is
    } layout = Layout::Ladder;
    double persistence = 0.5;          ///< share of the noise's variance that stays with layer and sequence over evaluations: the same held-out set is measured again
    double drift = 0.0;                ///< a random step of every layer between evaluations, in SE
    bool growing = false;              ///< differences grow with training, in proportion to √evaluation; `gap` is that of the last one
};
[[nodiscard]] Stream gaussianStream(const GaussianSetting &setting, RandomStream &random);

/// The curves.json of a score stage: all layers that were scored, every evaluation after training began. \throws stillroom::Error
[[nodiscard]] Stream storedStream(const std::filesystem::path &file);
/// As if only every n-th evaluation had been made, the last among them. \throws stillroom::Error for fewer than n
[[nodiscard]] Stream thinned(const Stream &stream, int every);
/// The same run with its sequences drawn anew with replacement, the same ones for every layer and evaluation.
[[nodiscard]] Stream resampled(const Stream &stream, int keep, RandomStream &random);

/// When scoring ends.
enum class Rule {
    Stable,               ///< when the top K have stopped changing (rolling Jaccard and backbone, window 3)
    StableApart,          ///< the same, and the boundary is at least 2 SE wide
    Race,                 ///< layer by layer, within an error of 5 %, with what training may still change
    RaceWithoutDrift,     ///< the same as if training changed the order no more
};
[[nodiscard]] std::string ruleName(Rule rule);

struct Outcome {
    bool agrees = false;               ///< with the top K of the full run
    double tokenShare = 1.0;           ///< of the full run's, layers counting the same
    bool claimsSettled = false;        ///< the rule itself says that the set is sure
};
[[nodiscard]] Outcome follow(const Stream &stream, Rule rule, double error = 0.05);

}  // namespace stillroom::racing
