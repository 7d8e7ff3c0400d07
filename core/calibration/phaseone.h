// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/layerattention.h"
#include "calibration/layerstate.h"
#include "calibration/targets.h"
#include "calibration/writestrength.h"
#include "distillation/batchsource.h"
#include "distillation/stageone.h"
#include "nn/transformer.h"

#include <functional>
#include <string>
#include <vector>

namespace stillroom::calibration {

/// How the output gate starts.
enum class GateInit {
    FromValues,   ///< W_g = α W_v with α = λ ρ_T / ρ_V: the layer starts at about λ/2 … λ of the teacher's amplitude, as published. Until it is trained that is all but silence
    Keep,         ///< as it was drawn
};
/// "from-values" | "keep". \throws Error(Usage)
[[nodiscard]] GateInit parseGateInit(const std::string &text);
[[nodiscard]] const char *gateInitName(GateInit init);

/// Phase 1 of Taylor-Calibrate. The defaults set everything that there is to set, without the traps; `published()` is what the authors' code does, and each field says in which trap of the published code it
/// differs. Two more of its traps are not options here: rows of grouped key/value heads repeated singly (trap 1) is the mixer's own option "expand": "row", and
/// calibrating on the text that is measured afterwards (trap 7) is the choice of `sequences`.
struct PhaseOneOptions {
    std::int64_t droppedKeys = 1;            ///< see AttentionOptions; for d̄ and entropy. Published: 0, and sinks tie the half-lives to the calibration length (trap 4)
    DecayTargetOptions decayTarget;          ///< published: the same
    bool meanDecay = false;                  ///< the constant part of the decay is corrected until the mean of −g over the calibration tokens is ĝ; the part that depends on x otherwise adds to it, by about a third where its spread is large
    WriteInit writeInit = WriteInit::Data;   ///< published: Weight, which misses its targets (trap 5)
    WriteTargetOptions writeTarget;          ///< published: the same, whatever the entropies' real spread (trap 6)
    bool kernelScale = true;                 ///< σ for the o that the mixer really reads. Published: false, o without its d^-½, so that σ is too small by √d and mostly clamped (trap 3)
    double leastScale = 0.1, mostScale = 10.0;   ///< σ is clamped to this; a negative one becomes leastScale. Published: the same
    GateInit gateInit = GateInit::FromValues;
    double gateAmplitude = 0.01;             ///< λ
    bool meanOfRms = false;                  ///< ρ_T as the mean of each vector's RMS while ρ_V is one RMS over everything. Published: true, two different statistics (trap 17)
    bool setDecay = true, setWriteStrength = true, setValueScale = true, setOutputGate = true;   ///< what is set at all, among what the mixer has

    [[nodiscard]] static PhaseOneOptions published();
    [[nodiscard]] static PhaseOneOptions measuring();      ///< everything is measured, nothing set
};

/// What Phase 1 did to one head with a state of its own (mixers::LinearMixer::numStates). NaN for what the mixer does not have or what was not set.
struct HeadCalibration {
    double distanceTokens = 0.0;             ///< d̄ of its query heads
    double halfLifeTarget = 0.0;             ///< ln 2 / ĝ, tokens
    double betaTarget = 0.0;
    double scaleRaw = 0.0, scale = 0.0;      ///< σ before and after clamping
    bool scaleAtFloor = false, scaleAtCeiling = false;
    double cosineAtFit = 0.0;                ///< of contexts y and o with the new gates, before values are scaled
};

struct LayerCalibration {
    int layer = 0;
    LayerAttention attention;                ///< what was read off the teacher, with droppedKeys
    std::vector<HeadCalibration> heads;
    double teacherRms = 0.0;                 ///< ρ_T
    double gateFactor = 0.0;                 ///< α; NaN if the gate was not set
    double floorShare = 0.0, ceilingShare = 0.0;   ///< of heads whose σ was clamped; NaN if none was set
    LayerState before, after;
    std::vector<ParameterChange> changes;    ///< those that changed, by name
};

struct PhaseOneResult {
    std::vector<distillation::AlignedLayer> layers;   ///< calibrated copies, ascending by layer
    std::vector<LayerCalibration> reports;            ///< one for each
    std::int64_t numSequences = 0, numTokens = 0;
};

struct PhaseOneProgress {
    std::stop_token stop{};
    std::function<void(const LayerCalibration &)> onLayer{};   ///< after each layer
};

/// Starts linear mixers from what the teacher's attention does on some sequences: decay, write strength, value scale and output gate, in this order, each among
/// those that the mixer has. Layers are independent (teacher-forced). Memory: the hidden states of all `sequences` and five times as much for one layer; a
/// few thousand tokens are enough.
/// \param students  mixers::LinearMixer for softmax layers of the teacher; they are copied.  \param sequences  lossMask is not looked at; padding counts nowhere.
/// \throws Error(Usage) for a layer or a mixer that cannot be calibrated, Error(Cancelled).
[[nodiscard]] PhaseOneResult calibratePhaseOne(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &students, const distillation::Batch &sequences,
                                               const PhaseOneOptions &options, at::ScalarType computeType, const PhaseOneProgress &progress = {});

}  // namespace stillroom::calibration
