// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/phaseone.h"
#include "calibration/taylorerror.h"
#include "distillation/stageone.h"

#include <ATen/core/Tensor.h>
#include <nlohmann/json_fwd.hpp>
#include <vector>

/// What a calibration found and did, as JSON: calibration.json of its artifact. Units stand in the names; null is what a mixer does not have, what was not measured, or a change from zero, which has no finite share.
namespace stillroom::procedures {

inline constexpr int calibrationSchema = 1;

/// {statistic: value, statistic_se: over sequences, "concentration", "lag_share", "entropy_by_position_nats"}: what `inspect` says of a head too.
[[nodiscard]] nlohmann::json toJson(const calibration::HeadAttention &head);

/// {"layer", "teacher_rms", "value_rms", "gate_alpha", "floor_share", "ceiling_share", "before", "after": {"rms_ratio", "relative_mse", "cosine"},
///  "parameter_change": {NAME: ‖Δθ‖/‖θ‖}, "attention": {"sequences", "tokens", "heads": [as above]},
///  "heads": [one per state of the recurrence: {"half_life_target_tokens", "half_life_before_tokens": {"mean", "p10", "p50", "p90"}, …}]}
[[nodiscard]] nlohmann::json toJson(const calibration::LayerCalibration &layer);

/// {"best_step", "relative_mse", "cosine", "stopped_early"}: of a layer's best step in Phase 2.
[[nodiscard]] nlohmann::json alignmentToJson(const distillation::StageOneMetrics &layer);

/// {"error_order_1", "error_order_2", "cosine_order_1", "cosine_order_2", "gamma", "score_rms", "clamped_share"}
[[nodiscard]] nlohmann::json toJson(const calibration::HeadTaylor &head);

/// A layer's maps over the first tokens of the first sequence, of the spec's `maps_tokens`: maps/<layer>.json of the artifact, apart from calibration.json so that only the layer that is looked
/// at is read. {"tokens", "heads": [one per query head: {"attention", "student_before", "student_after": rows}]}: row t says with what weight each of the tokens 0 … t enters, to four significant
/// digits. "attention" are the teacher's probabilities; the student's equivalent maps M (o = M v before norm and gate) are signed and not normalised, as the arm began and as it ended.
/// \param teacher_HTT, before_HTT, after_HTT  float32 on the CPU (calibration::mapsOf)
[[nodiscard]] nlohmann::json mapsToJson(const at::Tensor &teacher_HTT, const at::Tensor &before_HTT, const at::Tensor &after_HTT);

/// What a person should look at, each {"kind", "layer", "heads", "value", "limit"}: "sigma-floor" (share of a layer's heads at the lowest scale above 0.2), "look-back"
/// (heads that look back farther than uniform attention would: a sink), "small-context" (heads whose mean square is below 10 · eps of the output norm, so that it no longer
/// makes unit RMS), "write-target" (mean β off its target by more than 0.05).
[[nodiscard]] nlohmann::json alarmsOf(const std::vector<calibration::LayerCalibration> &layers, double normEps);

}  // namespace stillroom::procedures
