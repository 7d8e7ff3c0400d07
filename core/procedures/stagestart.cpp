// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/stagestart.h"

#include "error.h"
#include "experiment/spec.h"
#include "nn/torcherror.h"
#include "procedures/calibrationoptions.h"
#include "procedures/finiteweights.h"
#include "procedures/initreference.h"
#include "procedures/keptlayers.h"
#include "procedures/measures.h"
#include "procedures/selectors.h"
#include "procedures/teacherstage.h"
#include "procedures/trainedrecall.h"
#include "procedures/trainingdata.h"
#include "selection/hybrid.h"

#include <algorithm>

namespace stillroom::procedures {
namespace {

/// Whether it takes something from an earlier stage of its pipeline, which cannot be looked into before it is made.
bool takesFromStage(const nlohmann::json &value)
{
    if (value.is_structured())
        return std::any_of(value.begin(), value.end(), takesFromStage);
    return value.is_string() && !experiment::stageReference(value.get<std::string>()).empty();
}

bool makesLinear(const StageStart &start)
{
    const auto kind = start.spec.at("kind").get<std::string>();
    if (kind == "score")
        return selectorNamed(start.spec.at("selector").get<std::string>()).needsAligned;
    return kind != "distill" || static_cast<int>(start.kept.size()) < start.teacher->files.config.numLayers;
}

/// Mixers as stage 1 begins with them. \param aligned  an align or calibrate spec
std::vector<distillation::AlignedLayer> freshStart(const nlohmann::json &aligned, const LoadedModel &teacher)
{
    return freshMixers(teacher.model, aligned.at("mixer").at("kind").get<std::string>(), mixerOptionsJson(aligned), aligned.at("layers").get<std::vector<int>>(), aligned.at("seed").get<std::uint64_t>());
}

std::vector<distillation::AlignedLayer> startingMixers(const StageStart &start, const StageRun &run)
{
    const nlohmann::json &spec = start.spec;
    const bool isStageOne = spec.at("kind") == "align" || spec.at("kind") == "calibrate";
    if (!makesLinear(start))
        return {};
    if (spec.contains("init")) {
        auto layers = givenStart(spec, run, *start.teacher, start.settings).layers;
        return isStageOne ? chosenLayers(std::move(layers), spec.at("layers").get<std::vector<int>>()) : layers;
    }
    if (isStageOne)
        return freshStart(spec, *start.teacher);
    const nlohmann::json alignment = experiment::alignmentSpec(spec);
    checkData(alignment.at("data"), start.teacher->files, run.stop);
    return freshStart(alignment, *start.teacher);
}

/// What the mixers themselves rule out; returns the stage's key.
std::string checkedKey(const StageStart &start, const StageRun &run)
{
    const nlohmann::json &spec = start.spec;
    const LoadedModel &teacher = *start.teacher;
    const auto kind = spec.at("kind").get<std::string>();
    if (kind == "align")
        return alignKey(spec, teacher, start.settings, run.stop);
    if (kind == "calibrate") {
        const nlohmann::json full = withCalibrationPhases(withMixerOptions(spec, teacher.files.config));
        checkCalibration(full, teacher.model, start.mixers);
        return calibrateKey(full, teacher, start.settings, run.stop);
    }
    if (kind == "distill") {
        (void)selection::hybrid(teacher.model, start.mixers, start.kept);
        return distillKey(spec, start.kept, run, teacher, start.settings);
    }
    const ScoringPlan plan = scoringPlan(spec, teacher.files);
    checkStartLayers(plan, start.mixers);
    return scoringKey(plan, spec, run, teacher, start.settings).key;
}

/// The stage itself, and the stage 1 that it would begin with.
void refuseUnsettledStages(const StageStart &start, const StageRun &run)
{
    const auto kind = start.spec.at("kind").get<std::string>();
    refuseUnsettled(run, kind, start.key);
    const bool hasOwnAlignment = (kind == "score" || kind == "distill") && makesLinear(start) && !start.spec.contains("init");
    if (hasOwnAlignment && (run.fresh || !run.stages().findStage(start.key)))
        refuseUnsettled(run, "align", alignKey(experiment::alignmentSpec(start.spec), *start.teacher, start.settings, run.stop));
}

void checkEvaluation(const nlohmann::json &spec, const StageRun &run)
{
    const ComputeSettings settings = computeSettings(spec);
    for (const char *field : {"teacher", "model"})
        if (spec.contains(field)) {
            const auto loaded = run.models->get(spec.at(field).get<std::string>(), run.workspace, settings.device, run.stop);
            requireFiniteWeights(*loaded, run.stop);
            checkTrainedRecall(spec.at("data"), loaded->files);
        }
    const auto model = run.models->get(spec.at("model").get<std::string>(), run.workspace, settings.device, run.stop);
    checkData(spec.at("data"), model->files, run.stop);
    checkMeasures(spec, model->files);
}

}  // namespace

bool startsFromTeacher(std::string_view kind)
{
    return kind == "align" || kind == "calibrate" || kind == "score" || kind == "distill";
}

StageStart stageStart(const nlohmann::json &named, const StageRun &run)
{
    checkScorings(named, run.workspace);      // before a weight is read
    StageStart start;
    start.spec = withInitKeys(named, run.workspace);
    const nlohmann::json &spec = start.spec;
    start.settings = computeSettings(spec);
    nn::throwIfStopped(run.stop);
    start.teacher = run.models->get(spec.at("teacher").get<std::string>(), run.workspace, start.settings.device, run.stop);
    nn::throwIfStopped(run.stop);
    requireFiniteWeights(*start.teacher, run.stop);
    if (spec.at("kind") == "distill")
        start.kept = keptLayers(spec, run, start.teacher->files.config.numLayers);
    checkData(spec.at("data"), start.teacher->files, run.stop);
    nn::throwIfStopped(run.stop);
    start.mixers = startingMixers(start, run);
    start.key = checkedKey(start, run);
    refuseUnsettledStages(start, run);
    return start;
}

std::string checkStart(const nlohmann::json &spec, const StageRun &run)
{
    const auto kind = spec.at("kind").get<std::string>();
    if (startsFromTeacher(kind))
        return stageStart(spec, run).key;
    if (kind == "pipeline") {
        checkScorings(spec, run.workspace);
        (void)withInitKeys(spec, run.workspace);
        for (const nlohmann::json &stage : spec.at("stages"))
            if (!takesFromStage(stage.at("spec")))
                (void)checkStart(stage.at("spec"), run);
    } else if (kind == "evaluate") {
        checkEvaluation(spec, run);
    } else if (kind == "train-teacher") {
        checkTeacherTask(spec);
        const ComputeSettings settings = computeSettings(spec);
        const std::string key = experiment::stageKey(spec, {}, settings.deviceClass(), settings.typeText());
        refuseUnsettled(run, kind, key);
        return key;
    }
    return {};
}

void checkTeacherTask(const nlohmann::json &spec)
{
    if (spec.at("data").at("source") != "recall-task")
        throw Error(ErrorCode::Usage, "data.source is " + spec.at("data").at("source").dump() + ", but a teacher is trained on the recall task: leave it out or give \"recall-task\"");
    (void)recallTask(spec.at("data"));
}

}  // namespace stillroom::procedures
