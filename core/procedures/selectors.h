// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/intervals.h"
#include "experiment/score.h"
#include "procedures/scoringstage.h"
#include "selection/shortdistillation.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What says which layers stay softmax: one file for each family, registered by one line in selectors.cpp.
namespace stillroom::procedures {

/// What a selector takes beside stage 1: said before it runs, and counted while it does.
struct SelectorCost {
    std::int64_t measuredTokens = 0;      ///< N: tokens that are measured on, those of the held-out set or of prompts and their answers
    std::int64_t blockPasses = 0;         ///< forward passes of one block over these N tokens without training, the teacher's own among them; L are one of a model
    std::int64_t students = 0;            ///< that train
    std::int64_t trainingTokens = 0;      ///< of all students together
    bool atMost = false;                  ///< said beforehand of a selector whose way depends on what it finds
    bool lockStep = true;                 ///< the students are stage 2's; false: one after the other, their softmax layers, MLPs and embeddings fixed
    /// Tokens through a whole model without training: N · blockPasses / L, whole passes first so that the product stays small.
    [[nodiscard]] std::int64_t forwardTokens(int numLayers) const { return blockPasses / numLayers * measuredTokens + blockPasses % numLayers * measuredTokens / numLayers; }
};
/// {"measured_tokens", "block_passes", "model_passes", "forward_tokens", "students", "training_tokens", "at_most"}
[[nodiscard]] nlohmann::json costToJson(const SelectorCost &cost, int numLayers);
/// One sentence for people.
[[nodiscard]] std::string costText(const SelectorCost &cost, int numLayers);

struct Measuring;
struct MeasuringBytes;

/// A set that a selector gives for its number of layers: where its sets are not the beginnings of a ranking, or where each was measured.
struct ScoredSet {
    experiment::LayerSet layers;
    std::optional<double> score;          ///< in the scores' unit
    std::optional<double> se;             ///< of the score over sequences
    std::int64_t numSequences = 0;
};

/// What a layer's score is the mean of: one value for each sequence (or prompt), the same ones in the same order for every layer.
struct ScoreSamples {
    int layer = 0;
    std::vector<double> values;
};

/// What every selector hands back.
struct Scored {
    std::vector<experiment::LayerScore> scores;            ///< one a layer, and layer -1 where it was measured; se is NaN where there is no error bar
    std::optional<experiment::Ranking> ranking;            ///< where it is not the order of the scores
    std::vector<ScoredSet> sets;                           ///< by ascending K, at most one each; empty: the beginnings of the ranking
    std::vector<selection::StudentCurve> curves;           ///< held-out KL by sequence, where students were measured so
    std::vector<ScoreSamples> samples;                     ///< of every scored layer, or none: what says how sure the ranking is
    SelectorCost spent;
    std::string withoutErrorBars;                          ///< why there are none; empty: the scores carry theirs
    std::string errorBarsOver = "sequences";               ///< what the standard errors are over, and n counts
    nlohmann::json notes = nlohmann::json::object();       ///< what else there is to know
};

/// A field of the score spec that this selector reads and not all do (kinds.cpp lists them as optional), with what it is when left out.
struct SelectorField {
    std::string_view name, defaultJson;
};

/// One selector, as selectors.cpp lists them. Constant-initialised, so that the order of files does not matter.
struct Selector {
    std::string_view name;                ///< "ga-s2"
    std::string_view help;                ///< one sentence
    std::string_view source;              ///< who it is by
    std::string_view costFormula;         ///< in words, with L layers
    bool needsAligned = true;             ///< stage 1's mixers; false: it looks at the teacher alone, and neither mixer nor stage 1 are in its key
    bool trains = false;
    bool needsRecall = false;             ///< data.source must be the recall task, or text to hide passkeys in
    bool needsTokenizer = false;          ///< the teacher's
    bool needsEveryMixer = true;          ///< of those that need stage 1's: of every layer; false: of the scored layers alone
    std::span<const SelectorField> fields = {};
    /// What the spec alone rules out, and what the spec and the teacher's files do: refused before anything is computed. May be null. \throws Error(Usage)
    void (*checkSpec)(const nlohmann::json &spec) = nullptr;
    void (*check)(const ScoringPlan &plan) = nullptr;
    SelectorCost (*cost)(const ScoringPlan &plan) = nullptr;
    /// What it holds while it measures (measuringmemory.h). A reference, so that a selector that does not say it does not compile.
    MeasuringBytes (&memory)(const Measuring &measuring);
    /// Says each score through run.sink as soon as it is known. Ties go to the lower layer. \throws Error(Cancelled | NonFinite | Usage)
    Scored (*score)(const ScoringStage &stage, StageRun &run) = nullptr;
};

/// In display order.
[[nodiscard]] std::span<const Selector *const> selectors();
/// \throws Error(Usage) naming the nearest one.
[[nodiscard]] const Selector &selectorNamed(const std::string &name);

/// A completed score spec with its selector's own fields filled in. An early_stop that is not enabled says nothing, and is left out for a selector that has none.
/// \throws Error(Usage) for an unknown selector, a field that only other selectors read, data it cannot work on, or what its checkSpec refuses.
[[nodiscard]] nlohmann::json withSelectorFields(const nlohmann::json &completedSpec);
/// Without the fields that only some selectors read.
[[nodiscard]] nlohmann::json withoutSelectorFields(nlohmann::json spec);
/// The same check for a spec of any kind, and for all stages of a pipeline: before the first of them runs.
void checkSelectors(const nlohmann::json &completedSpec);

/// Refuses a skip_first above L. \throws Error(Usage)
void checkSkipFirst(const ScoringPlan &plan);
/// Where the spec says skip_first: ranks so many first layers last, in the order of their scores, and says so. Zeroing one of them breaks most models,
/// so that such a selector picks them whatever they do. Does nothing unless all layers are scored.
void rankFirstLayersLast(Scored &scored, const ScoringStage &stage);

/// Mean over sequences, each weighing the same, and its standard error: the bits of HeldOutKl, so that equal students get equal scores from all selectors.
[[nodiscard]] analysis::Estimate overSequences(const std::vector<double> &values);

/// A score of this stage with everything filled in but the numbers.
[[nodiscard]] experiment::LayerScore blankScore(const ScoringStage &stage, int layer);
/// The same with an estimate as its score; unit, direction and tokens are the caller's.
[[nodiscard]] experiment::LayerScore estimatedScore(const ScoringStage &stage, int layer, const analysis::Estimate &estimate);

}  // namespace stillroom::procedures
