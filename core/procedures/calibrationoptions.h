// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/arms.h"
#include "calibration/phaseone.h"
#include "calibration/phasetwo.h"

#include "nn/transformer.h"

#include <nlohmann/json_fwd.hpp>
#include <vector>

/// From the fields of a completed calibrate spec to the options of Taylor-Calibrate's phases.
namespace stillroom::procedures {

/// The spec with every field of the phases that its arm has filled in by its recipe, and without the others: equal calibrations get equal keys. `maps_tokens` is filled in too, and left out where it is 0.
/// \throws Error(Usage) for fields of a phase that the arm does not have.
[[nodiscard]] nlohmann::json withCalibrationPhases(const nlohmann::json &spec);

/// What only the mixers can tell: that their heads can be compared with the teacher's, which every arm reports; that they have a gate where the arm closes one, that the write strengths aimed at can be reached; and fields that do not go together.
/// \param full  with its phases filled in.  \param students  fresh ones, of the spec's mixer. \throws Error(Usage) naming the field
void checkCalibration(const nlohmann::json &full, const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &students);

/// \param phase  `phase_1` of a spec that is filled in.
[[nodiscard]] calibration::PhaseOneOptions phaseOneOptions(const nlohmann::json &phase);
/// \param phase  `phase_2` of a spec that is filled in.
[[nodiscard]] calibration::PhaseTwoOptions phaseTwoOptions(const nlohmann::json &phase);

}  // namespace stillroom::procedures
