// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/stageone.h"
#include "experiment/score.h"
#include "procedures/alignedlayers.h"
#include "procedures/computesettings.h"
#include "procedures/stagerun.h"
#include "procedures/trainingdata.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// What the stages on a teacher have in common.
namespace stillroom::procedures {

/// A spec with everything that its key needs: mixer options completed for this teacher.
[[nodiscard]] nlohmann::json withMixerOptions(const nlohmann::json &spec, const checkpoint::ModelConfig &teacher);

/// The mixer options of a spec (its `expand` among them) as the room `mixers` takes them.
[[nodiscard]] std::string mixerOptionsJson(const nlohmann::json &spec);

/// The first event of a stage.
void sayStarted(const StageRun &run, const nlohmann::json &spec, const std::string &key, const ComputeSettings &settings);

/// Says what a person should know of a model's files.
void warnOfFiles(const StageRun &run, const checkpoint::ModelFiles &files);

/// Says where sequences are longer than the model was made for: its positions beyond are extrapolated, and what is measured there says little.
/// \param whose  "teacher", or "model" where one is measured
void warnOfContext(const StageRun &run, const nlohmann::json &spec, const checkpoint::ModelConfig &config, const std::string &whose);

/// Says where the tokenizer cannot spell a noticeable part of the text.
void warnOfUnknown(const StageRun &run, const TrainingData &data);

/// Tokens of one optimizer step.
[[nodiscard]] std::int64_t tokensPerStep(const nlohmann::json &spec);

/// The aligned layers that a score or distill spec starts from: those of its `init`, or of the stage 1 inside it (run or reused first).
struct AlignedStart {
    std::string key;                                       ///< of the align stage: an input of the later stage's key
    std::vector<distillation::AlignedLayer> layers;
};
[[nodiscard]] std::string alignedKey(const nlohmann::json &spec, const StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings);
[[nodiscard]] AlignedStart alignedStart(const nlohmann::json &spec, StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings);

/// What the artifact that `init` names holds, which must be mixers of the spec's kind and options. \throws Error as alignedKey and loadAligned; Error(Usage) for other mixers
[[nodiscard]] AlignedArtifact givenStart(const nlohmann::json &spec, const StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings);
/// The layers of a start that were asked for; all of them where none was. \throws Error(Usage) for one that is not in it
[[nodiscard]] std::vector<distillation::AlignedLayer> chosenLayers(std::vector<distillation::AlignedLayer> layers, const std::vector<int> &wanted);

/// Key of an align stage.
[[nodiscard]] std::string alignKey(const nlohmann::json &spec, const LoadedModel &teacher, const ComputeSettings &settings, const std::stop_token &stop = {});

/// Key of a calibrate stage. \param full  with its phases filled in
[[nodiscard]] std::string calibrateKey(const nlohmann::json &full, const LoadedModel &teacher, const ComputeSettings &settings, const std::stop_token &stop = {});

/// A distill spec as its key needs it: with all mixer options, and its softmax layers said as `keep`.
[[nodiscard]] nlohmann::json withKept(const nlohmann::json &spec, const experiment::LayerSet &keep, const checkpoint::ModelConfig &teacher);
/// Key of a distill stage that keeps these layers. \throws Error as alignedKey
[[nodiscard]] std::string distillKey(const nlohmann::json &spec, const experiment::LayerSet &keep, const StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings);

}  // namespace stillroom::procedures
