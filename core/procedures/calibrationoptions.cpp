// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/calibrationoptions.h"

#include "distillation/batchplaces.h"
#include "error.h"
#include "mixers/linearmixer.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace stillroom::procedures {
namespace {

using calibration::DecayRule;
using calibration::PhaseOneOptions;
using calibration::PhaseTwoOptions;

nlohmann::json toJson(const PhaseOneOptions &options)
{
    return {{"dropped_keys", options.droppedKeys},
            {"decay_rule", options.decayTarget.rule == DecayRule::HalfLife ? "half-life" : "mean-lag"},
            {"longest_distance", options.decayTarget.longestDistanceTokens},
            {"mean_decay", options.meanDecay},
            {"write_init", calibration::writeInitName(options.writeInit)},
            {"least_beta", options.writeTarget.least},
            {"most_beta", options.writeTarget.most},
            {"least_entropy_spread", options.writeTarget.leastSpreadNats},
            {"kernel_scale", options.kernelScale},
            {"least_scale", options.leastScale},
            {"most_scale", options.mostScale},
            {"gate_init", calibration::gateInitName(options.gateInit)},
            {"gate_amplitude", options.gateAmplitude},
            {"mean_of_rms", options.meanOfRms},
            {"set_decay", options.setDecay},
            {"set_write_strength", options.setWriteStrength},
            {"set_value_scale", options.setValueScale},
            {"set_output_gate", options.setOutputGate}};
}

nlohmann::json toJson(const PhaseTwoOptions &options)
{
    return {{"steps", options.steps},
            {"loss", distillation::outputLossName(options.loss)},
            {"learning_rate_copied", options.copiedLearningRate},
            {"learning_rate_new", options.newLearningRate},
            {"learning_rate_output", options.outputLearningRate},
            {"weight_decay", options.weightDecay},
            {"decay_all", options.decayAll},
            {"best_after_update", options.bestAfterUpdate},
            {"clip_norm", options.clipNorm},
            {"patience_steps", options.patienceSteps},
            {"least_improvement", options.leastImprovement},
            {"micro_batch_sequences", options.microBatchSequences}};
}

constexpr std::int64_t usualMapsTokens = 64;

/// What a calibration spec stands for that does not say otherwise. Values keep their scale and gates their drawn start: with whole heads on SmolLM2-135M both cost more than they give,
/// 300 steps of Phase 2 then leave 0.37 of the squared error instead of 0.25 (tests/bench/calibration).
PhaseOneOptions ourPhaseOne()
{
    PhaseOneOptions options;
    options.setValueScale = false;
    options.gateInit = calibration::GateInit::Keep;
    return options;
}

/// `name` filled in by `preset` where the arm has that phase; gone, or refused where it says something, where it has not.
void fillPhase(nlohmann::json &spec, const char *name, bool runs, nlohmann::json preset)
{
    if (!runs) {
        if (spec.contains(name) && !spec.at(name).empty())
            throw Error(ErrorCode::Usage, "The arm \"" + spec.at("arm").get<std::string>() + "\" has no \"" + name + "\": leave that field out, or choose the arm \"both\".");
        spec.erase(name);
        return;
    }
    if (spec.contains(name))
        preset.update(spec.at(name));
    spec[name] = std::move(preset);
}

[[noreturn]] void refusePhase(const std::string &fields, const std::string &why) { throw Error(ErrorCode::Usage, "The fields " + fields + ' ' + why); }

std::string shortNumber(double value) { return nlohmann::json(value).dump(); }

void checkWriteTargets(const PhaseOneOptions &options, mixers::LinearMixer &mixer)
{
    if (!options.setWriteStrength || options.writeInit == calibration::WriteInit::Keep || !mixer.has(mixers::Quantity::WriteStrength))
        return;
    if (options.writeInit == calibration::WriteInit::Bias && !mixer.writeProjection().bias_H.defined())
        throw Error(ErrorCode::Usage, "The field phase_1.write_init is \"bias\" but the mixer \"" + std::string(mixer.kind()) + "\" with these options has no write bias: give it the option write_bias, or choose \"data\".");
    const double most = std::min(1.0, mixer.writeProjection().range);
    if (!(options.writeTarget.least <= options.writeTarget.most && options.writeTarget.most < most))
        refusePhase("phase_1.least_beta and phase_1.most_beta", "are " + shortNumber(options.writeTarget.least) + " and " + shortNumber(options.writeTarget.most) + " but must be in this order and below "
                    + shortNumber(most) + ", which a write strength of the mixer \"" + std::string(mixer.kind()) + "\" cannot reach.");
}

void checkPhaseOne(const PhaseOneOptions &options, mixers::LinearMixer &mixer)
{
    checkWriteTargets(options, mixer);
    if (options.setValueScale && options.leastScale > options.mostScale)
        refusePhase("phase_1.least_scale and phase_1.most_scale", "are " + shortNumber(options.leastScale) + " and " + shortNumber(options.mostScale) + " but must be in this order.");
}

/// The mixer itself says how wide its heads are: a token goes through it.
void checkHeads(const nn::Transformer &teacher, const mixers::LinearMixer &mixer)
{
    const c10::NoGradGuard noGrad;
    const distillation::Batch token{at::zeros({1, 1}, at::kLong), {}, {}};
    const at::Tensor context_11HV = mixer.trace(at::zeros({1, 1, teacher.config.hiddenSize}, teacher.device()), distillation::placesOf(token, teacher.device())).context_BTHV;
    calibration::requireComparableHeads(teacher.config.numHeads, teacher.config.headDim, context_11HV.size(2), context_11HV.size(3));
}

}  // namespace

void checkCalibration(const nlohmann::json &full, const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &students)
{
    if (students.empty())
        return;
    checkHeads(teacher, dynamic_cast<const mixers::LinearMixer &>(*students.front().mixer));
    const calibration::Arm arm = calibration::parseArm(full.at("arm").get<std::string>());
    auto &mixer = dynamic_cast<mixers::LinearMixer &>(*students.front().mixer);
    if ((arm == calibration::Arm::ZeroGate || arm == calibration::Arm::SmallGate) && !mixer.has(mixers::Quantity::OutputGate))
        throw Error(ErrorCode::Usage, "The field \"arm\" is \"" + std::string(calibration::armName(arm)) + "\" but the mixer \"" + std::string(mixer.kind()) + "\" with these options has no output gate: choose another arm.");
    if (full.contains("phase_1"))
        checkPhaseOne(phaseOneOptions(full.at("phase_1")), mixer);
    if (full.contains("phase_2")) {
        const PhaseTwoOptions options = phaseTwoOptions(full.at("phase_2"));
        if (options.copiedLearningRate == 0.0 && options.newLearningRate == 0.0 && options.outputLearningRate == 0.0)
            refusePhase("phase_2.learning_rate_copied, learning_rate_new and learning_rate_output", "are all 0: nothing would be trained; set one of them.");
    }
}

nlohmann::json withCalibrationPhases(const nlohmann::json &spec)
{
    nlohmann::json full = spec;
    const calibration::Arm arm = calibration::parseArm(spec.at("arm").get<std::string>());
    const bool published = spec.at("recipe") == "published";
    fillPhase(full, "phase_1", calibration::runsPhaseOne(arm), toJson(published ? PhaseOneOptions::published() : ourPhaseOne()));
    fillPhase(full, "phase_2", calibration::runsPhaseTwo(arm), toJson(published ? PhaseTwoOptions::published() : PhaseTwoOptions()));
    full.erase("recipe");      // what it stands for is written out
    full["maps_tokens"] = spec.value("maps_tokens", usualMapsTokens);
    if (full.at("maps_tokens") == 0)
        full.erase("maps_tokens");      // none are made: the artifact is that of a spec without them
    return full;
}

PhaseOneOptions phaseOneOptions(const nlohmann::json &phase)
{
    PhaseOneOptions options;
    options.droppedKeys = phase.at("dropped_keys");
    options.decayTarget.rule = phase.at("decay_rule") == "half-life" ? DecayRule::HalfLife : DecayRule::MeanLag;
    options.decayTarget.longestDistanceTokens = phase.at("longest_distance");
    options.meanDecay = phase.at("mean_decay");
    options.writeInit = calibration::parseWriteInit(phase.at("write_init"));
    options.writeTarget.least = phase.at("least_beta");
    options.writeTarget.most = phase.at("most_beta");
    options.writeTarget.leastSpreadNats = phase.at("least_entropy_spread");
    options.kernelScale = phase.at("kernel_scale");
    options.leastScale = phase.at("least_scale");
    options.mostScale = phase.at("most_scale");
    options.gateInit = calibration::parseGateInit(phase.at("gate_init"));
    options.gateAmplitude = phase.at("gate_amplitude");
    options.meanOfRms = phase.at("mean_of_rms");
    options.setDecay = phase.at("set_decay");
    options.setWriteStrength = phase.at("set_write_strength");
    options.setValueScale = phase.at("set_value_scale");
    options.setOutputGate = phase.at("set_output_gate");
    return options;
}

PhaseTwoOptions phaseTwoOptions(const nlohmann::json &phase)
{
    PhaseTwoOptions options;
    options.steps = phase.at("steps");
    options.loss = distillation::parseOutputLoss(phase.at("loss"));
    options.copiedLearningRate = phase.at("learning_rate_copied");
    options.newLearningRate = phase.at("learning_rate_new");
    options.outputLearningRate = phase.at("learning_rate_output");
    options.weightDecay = phase.at("weight_decay");
    options.decayAll = phase.at("decay_all");
    options.bestAfterUpdate = phase.at("best_after_update");
    options.clipNorm = phase.at("clip_norm");
    options.patienceSteps = phase.at("patience_steps");
    options.leastImprovement = phase.at("least_improvement");
    options.microBatchSequences = phase.at("micro_batch_sequences");
    return options;
}

}  // namespace stillroom::procedures
