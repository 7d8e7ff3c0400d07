// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/phaseone.h"
#include "calibration/taylorerror.h"
#include "distillation/stageone.h"

#include <ATen/core/Tensor.h>
#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

/// What a calibration found and did, as JSON: calibration.json of its artifact. Units stand in the names; null is what a mixer does not have, what was not measured, or a change from zero, which has no finite share.
namespace stillroom::procedures {

inline constexpr int calibrationSchema = 2;      ///< 1 had "before" and "after" of Phase 1 alone

/// {statistic: value, statistic_se: over sequences, "concentration", "lag_share", "entropy_by_position_nats"}: what `inspect` says of a head too.
[[nodiscard]] nlohmann::json toJson(const calibration::HeadAttention &head);

/// Moments of a layer, as they end the names of what was measured at them. The arm's own start: the naive copy, its gate closed where the arm closes it.
inline constexpr const char *beforePhases = "before", *afterPhaseOne = "after_phase_1", *afterPhaseTwo = "after_phase_2";

/// {"layer", "teacher_rms", "gate_alpha", "floor_share", "ceiling_share", "attention": {"sequences", "tokens", "heads": [as above]},
///  "heads": [one per state of the recurrence: {"mean_distance_tokens", "half_life_target_tokens", "beta_target", "sigma", …}],
///  "parameter_change_phase_1": {NAME: ‖Δθ‖/‖θ‖}} and what is said of the moment before the phases, and of the one after Phase 1 where that ran. \param phaseOne  whether it did
[[nodiscard]] nlohmann::json toJson(const calibration::LayerCalibration &layer, bool phaseOne);
/// Says of a layer how it stood at a moment: MOMENT: {"rms_ratio", "relative_mse", "cosine", "value_rms"}, and of each of its heads "half_life_MOMENT_tokens" and "beta_MOMENT":
/// {"mean", "p10", "p50", "p90"}, "context_cosine_MOMENT", "context_rms_MOMENT".
void addState(nlohmann::json &layer, const calibration::LayerState &state, const std::string &moment);
/// "parameter_change_phase_N": {NAME: ‖Δθ‖/‖θ‖, θ as the phase found it}.
void addChanges(nlohmann::json &layer, const std::vector<calibration::ParameterChange> &changes, int phase);

/// {"best_step", "relative_mse", "cosine", "stopped_early"}: of a layer's best step in Phase 2.
[[nodiscard]] nlohmann::json alignmentToJson(const distillation::StageOneMetrics &layer);

/// {"error_order_1", "error_order_2", "cosine_order_1", "cosine_order_2", "gamma", "score_rms", "clamped_share"}
[[nodiscard]] nlohmann::json toJson(const calibration::HeadTaylor &head);

/// A layer's maps over the first tokens of the first sequence, of the spec's `maps_tokens`: maps/<layer>.json of the artifact, apart from calibration.json so that only the layer that is looked
/// at is read. {"tokens", "heads": [one per query head: {"attention", "student_before", "student_after_phase_1", "student_after_phase_2": rows}]}, of the moments that there were: row t says with
/// what weight each of the tokens 0 … t enters, to four significant digits. "attention" are the teacher's probabilities; the student's equivalent maps M (o = M v before norm and gate) are
/// signed and not normalised. Schema 1 had "student_after" for the arm's end.
/// \param teacher_HTT, students_HTT  float32 on the CPU (calibration::mapsOf); students by moment
[[nodiscard]] nlohmann::json mapsToJson(const at::Tensor &teacher_HTT, const std::vector<std::pair<std::string, at::Tensor>> &students_HTT);

/// What a person should look at, each {"kind", "layer", "heads", "value", "limit"}: "sigma-floor" (share of a layer's heads at the lowest scale above 0.2), "look-back"
/// (heads that look back farther than uniform attention would: a sink), "small-context" (heads whose mean square is below 10 · eps of the output norm, so that it no longer
/// makes unit RMS), "write-target" (mean β after Phase 1 off its target by more than 0.05).
/// \param ended  the same layers as the arm left them
[[nodiscard]] nlohmann::json alarmsOf(const std::vector<calibration::LayerCalibration> &layers, const std::vector<calibration::LayerState> &ended, double normEps);

}  // namespace stillroom::procedures
