// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/teacherstream.h"
#include "calibration/valuescale.h"
#include "mixers/linearmixer.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

/// How a linear layer stands to the attention that it takes the place of, at one moment: as it begins, after Phase 1, after Phase 2.
namespace stillroom::calibration {

/// Over the tokens that count; NaN for what a mixer does not have.
struct Spread {
    double mean = 0.0, p10 = 0.0, p50 = 0.0, p90 = 0.0;
};

/// One head with a state of its own (mixers::LinearMixer::numStates).
struct HeadState {
    Spread halfLife;              ///< tokens; quantiles of ln 2 / −g_t; the mean is ln 2 / mean(−g_t)
    Spread beta;
    double contextCosine = 0.0;   ///< of the contexts y (teacher) and o (student), −1 … 1
    double contextRms = 0.0;      ///< of o; where its square nears the output norm's eps, that norm no longer makes unit RMS
};

/// A layer's output beside the teacher's, teacher-forced.
struct BranchMatch {
    double rmsRatio = 0.0;      ///< RMS(student) / RMS(teacher)
    double relativeMse = 0.0;   ///< Σ‖y_T − y_S‖² / Σ‖y_T‖²
    double cosine = 0.0;        ///< mean over tokens
};

struct LayerState {
    std::vector<HeadState> heads;
    BranchMatch branch;
    double valueRms = 0.0;      ///< ρ_V: RMS over tokens, heads and channels of the values that enter the recurrence
};

/// What a mixer's recurrence did on all sequences.
struct Observation {
    std::vector<Spread> halfLives, betas;      ///< by state; empty where the mixer has none
    ContextFit fit;
    double valueSquares = 0.0, valueCount = 0.0;
    std::vector<at::Tensor> contexts_1THV;     ///< one for each sequence
    [[nodiscard]] double valueRms() const;
};
/// \throws Error(Cancelled), Error(Usage) for a mixer whose heads cannot be compared with the teacher's.
[[nodiscard]] Observation observe(const mixers::LinearMixer &mixer, const std::vector<SequenceInLayer> &sequences, const std::stop_token &stop);
/// The layer's output with the contexts that were seen and the gate as it is now.
[[nodiscard]] BranchMatch matchOf(const mixers::LinearMixer &mixer, const Observation &seen, const std::vector<SequenceInLayer> &sequences);
[[nodiscard]] LayerState stateOf(const Observation &seen, const BranchMatch &branch, std::size_t states);

/// Each student in the teacher's place, one after the other. Time: one pass of the teacher, its attention once more, one pass of each student; memory as calibratePhaseOne.
/// \param students  mixers::LinearMixer for softmax layers of the teacher, in any order. \return ascending by layer
/// \throws Error(Usage) for a layer or a mixer that cannot be compared, Error(Cancelled).
[[nodiscard]] std::vector<LayerState> layerStates(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &students, const distillation::Batch &sequences,
                                                  at::ScalarType computeType, const std::stop_token &stop = {});

struct ParameterChange {
    std::string name;
    double relative = 0.0;      ///< ‖after − before‖ / ‖before‖; infinite where before is zero and after is not, NaN where one of them is not finite
};
/// Those that differ, by name. \param before, after  mixers of one kind with the same options
[[nodiscard]] std::vector<ParameterChange> parameterChanges(nn::TokenMixer &before, nn::TokenMixer &after);

}  // namespace stillroom::calibration
