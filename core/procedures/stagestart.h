// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/stageone.h"
#include "experiment/score.h"
#include "procedures/computesettings.h"
#include "procedures/stagerun.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// What a stage refuses before it works, in one place: asked before a run is kept and before its cost is said, so that both say no in the same words.
namespace stillroom::procedures {

/// Kinds whose stages turn layers of a teacher linear: align, calibrate, score and distill.
[[nodiscard]] bool startsFromTeacher(std::string_view kind);

/// What such a stage begins with, once nothing of it was refused.
struct StageStart {
    nlohmann::json spec;                              ///< with the key of what `init` names
    std::string key;                                  ///< of the stage
    ComputeSettings settings;
    std::shared_ptr<const LoadedModel> teacher;
    experiment::LayerSet kept;                        ///< softmax layers of a distill spec's hybrid; empty for other kinds
    std::vector<distillation::AlignedLayer> mixers;   ///< of its `init`, or as stage 1 begins them; none where no layer becomes linear
};

/// Loads the teacher and its mixers; computes nothing and leaves the workspace as it is. Refuses what the stage would: models, mixers and a start that do not fit, data that cannot be read or
/// is too little, an equal stage that was interrupted where `run` says neither resume nor fresh. \param run  with its models. \throws Error as the stage; Error(Cancelled)
[[nodiscard]] StageStart stageStart(const nlohmann::json &completedSpec, const StageRun &run);

/// The same for a spec of any kind, and for the stages of a pipeline that take nothing from an earlier one. Returns the key of a stage that may be resumed; empty for a pipeline and for
/// kinds that go through at once.
std::string checkStart(const nlohmann::json &completedSpec, const StageRun &run);

/// Refuses a train-teacher spec whose data is no recall task, or one that cannot be. \throws Error(Usage)
void checkTeacherTask(const nlohmann::json &completedSpec);

}  // namespace stillroom::procedures
