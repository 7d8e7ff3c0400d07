// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/phasetwo.h"

#include "error.h"
#include "mixers/linearmixer.h"

#include <map>
#include <memory>
#include <string>

namespace stillroom::calibration {

namespace {

using LinearMixers = std::map<int, std::shared_ptr<const mixers::LinearMixer>>;

double rateOf(const PhaseTwoOptions &options, mixers::ParameterRole role)
{
    switch (role) {
    case mixers::ParameterRole::Copied:
        return options.copiedLearningRate;
    case mixers::ParameterRole::Output:
        return options.outputLearningRate;
    case mixers::ParameterRole::New:
        return options.newLearningRate;
    }
    return options.newLearningRate;
}

}  // namespace

PhaseTwoOptions PhaseTwoOptions::published()
{
    PhaseTwoOptions options;
    options.loss = distillation::OutputLoss::MeanSquare;
    options.decayAll = true;
    options.bestAfterUpdate = true;
    options.patienceSteps = 0;
    options.leastImprovement = 0.0;
    return options;
}

distillation::StageOneOptions stageOneOptions(const PhaseTwoOptions &options, const std::vector<distillation::AlignedLayer> &students, at::ScalarType computeType)
{
    LinearMixers linear;
    for (const distillation::AlignedLayer &student : students) {
        const auto mixer = std::dynamic_pointer_cast<const mixers::LinearMixer>(student.mixer);
        if (!mixer)
            throw Error(ErrorCode::Usage, "Layer " + std::to_string(student.layer) + "'s mixer \"" + std::string(student.mixer->kind()) + "\" is not a linear one: there is nothing to calibrate.");
        linear[student.layer] = mixer;
    }
    distillation::StageOneOptions stage;
    stage.loss = options.loss;
    stage.learningRate = options.newLearningRate;
    stage.learningRateOf = [options, linear](int layer, const std::string &parameter) { return rateOf(options, linear.at(layer)->role(parameter)); };
    stage.weightDecay = options.weightDecay;
    stage.decayAll = options.decayAll;
    stage.adamw.beta2 = 0.999;
    stage.schedule.kind = distillation::ScheduleKind::Constant;
    stage.clipNorm = options.clipNorm;
    stage.steps = options.steps;
    stage.microBatchSequences = options.microBatchSequences;
    stage.computeType = computeType;
    stage.restoreBest = true;
    stage.bestAfterUpdate = options.bestAfterUpdate;
    stage.patienceSteps = options.patienceSteps;
    stage.leastImprovement = options.leastImprovement;
    stage.fixedBatch = true;
    return stage;
}

}  // namespace stillroom::calibration
