// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/calibrationreport.h"

#include <ATen/core/Tensor.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace stillroom::procedures {
namespace {

using calibration::BranchMatch;
using calibration::HeadAttention;
using calibration::HeadCalibration;
using calibration::LayerCalibration;
using nlohmann::json;

constexpr double mostFloorShare = 0.2;
constexpr double leastSquareInEps = 10.0;
constexpr double mostWriteMiss = 0.05;

/// JSON has no word for what is not finite.
json numberOrNull(double value) { return std::isfinite(value) ? json(value) : json(); }

json numbers(const std::vector<double> &values)
{
    json list = json::array();
    for (const double value : values)
        list.push_back(numberOrNull(value));
    return list;
}

void put(json &object, const std::string &name, const std::string &unit, const calibration::Estimate &estimate)
{
    object[name + unit] = numberOrNull(estimate.value);
    object[name + "_se" + unit] = numberOrNull(estimate.standardError);
}

json spread(const calibration::Spread &of)
{
    return {{"mean", numberOrNull(of.mean)}, {"p10", numberOrNull(of.p10)}, {"p50", numberOrNull(of.p50)}, {"p90", numberOrNull(of.p90)}};
}

json calibratedHead(const HeadCalibration &head)
{
    return {{"mean_distance_tokens", numberOrNull(head.distanceTokens)},
            {"half_life_target_tokens", numberOrNull(head.halfLifeTarget)},
            {"half_life_before_tokens", spread(head.halfLifeBefore)},
            {"half_life_after_tokens", spread(head.halfLifeAfter)},
            {"beta_target", numberOrNull(head.betaTarget)},
            {"beta_before", spread(head.betaBefore)},
            {"beta_after", spread(head.betaAfter)},
            {"sigma_raw", numberOrNull(head.scaleRaw)},
            {"sigma", numberOrNull(head.scale)},
            {"sigma_at_floor", head.scaleAtFloor},
            {"sigma_at_ceiling", head.scaleAtCeiling},
            {"context_cosine_before", numberOrNull(head.cosineBefore)},
            {"context_cosine_at_fit", numberOrNull(head.cosineAtFit)},
            {"context_cosine_after", numberOrNull(head.cosineAfter)},
            {"context_rms_before", numberOrNull(head.contextRmsBefore)},
            {"context_rms_after", numberOrNull(head.contextRmsAfter)}};
}

json branch(const BranchMatch &match)
{
    return {{"rms_ratio", numberOrNull(match.rmsRatio)}, {"relative_mse", numberOrNull(match.relativeMse)}, {"cosine", numberOrNull(match.cosine)}};
}

/// To four significant digits.
json shortNumber(float value)
{
    std::array<char, 32> text{};
    (void)std::snprintf(text.data(), text.size(), "%.4g", static_cast<double>(value));
    return numberOrNull(std::strtod(text.data(), nullptr));
}

/// The rows of a causal map: the zeros right of the diagonal are left out.
json rowsOfMap(const at::Tensor &map_TT)
{
    const at::Tensor dense_TT = map_TT.contiguous();
    const std::int64_t tokens = dense_TT.size(0);
    const float *weight = dense_TT.const_data_ptr<float>();
    json rows = json::array();
    for (std::int64_t t = 0; t < tokens; ++t) {
        json row = json::array();
        for (std::int64_t s = 0; s <= t; ++s)
            row.push_back(shortNumber(weight[t * tokens + s]));
        rows.push_back(std::move(row));
    }
    return rows;
}

/// The numbers of the heads that `alarming` picks.
template <typename Head>
json headsWhere(const std::vector<Head> &heads, const std::function<bool(const Head &)> &alarming)
{
    json picked = json::array();
    for (std::size_t head = 0; head < heads.size(); ++head)
        if (alarming(heads[head]))
            picked.push_back(head);
    return picked;
}

void addAlarm(json &alarms, const char *kind, int layer, json heads, double value, double limit)
{
    alarms.push_back({{"kind", kind}, {"layer", layer}, {"heads", std::move(heads)}, {"value", numberOrNull(value)}, {"limit", limit}});
}

}  // namespace

nlohmann::json toJson(const HeadAttention &head)
{
    json made;
    put(made, "mean_distance", "_tokens", head.meanDistanceTokens);
    put(made, "distance_vs_uniform", "", head.distanceVersusUniform);
    put(made, "sink_mass", "", head.sinkMass);
    put(made, "entropy", "_nats", head.entropyNats);
    put(made, "relative_entropy", "", head.relativeEntropy);
    made["concentration"] = numberOrNull(head.concentration);
    put(made, "context_rms", "", head.contextRms);
    put(made, "output_rms", "", head.outputRms);
    made["lag_share"] = numbers(head.lagShare);
    made["entropy_by_position_nats"] = numbers(head.entropyByPosition);
    return made;
}

nlohmann::json toJson(const LayerCalibration &layer)
{
    json attention{{"sequences", layer.attention.numSequences}, {"tokens", layer.attention.numTokens}, {"heads", json::array()}};
    for (const HeadAttention &head : layer.attention.heads)
        attention["heads"].push_back(toJson(head));
    json heads = json::array(), changes = json::object();
    for (const HeadCalibration &head : layer.heads)
        heads.push_back(calibratedHead(head));
    for (const calibration::ParameterChange &change : layer.changes)
        changes[change.name] = numberOrNull(change.relative);
    return {{"layer", layer.layer},
            {"attention", std::move(attention)},
            {"heads", std::move(heads)},
            {"teacher_rms", numberOrNull(layer.teacherRms)},
            {"value_rms", numberOrNull(layer.valueRms)},
            {"gate_alpha", numberOrNull(layer.gateFactor)},
            {"floor_share", numberOrNull(layer.floorShare)},
            {"ceiling_share", numberOrNull(layer.ceilingShare)},
            {"before", branch(layer.before)},
            {"after", branch(layer.after)},
            {"parameter_change", std::move(changes)}};
}

nlohmann::json alignmentToJson(const distillation::StageOneMetrics &layer)
{
    return {{"layer", layer.layer}, {"best_step", layer.bestStep}, {"best_loss", numberOrNull(layer.bestLoss)}, {"relative_mse", numberOrNull(layer.bestRelativeMse)},
            {"cosine", numberOrNull(layer.bestCosine)}, {"stopped_early", layer.stopped}};
}

nlohmann::json toJson(const calibration::HeadTaylor &head)
{
    return {{"error_order_1", numberOrNull(head.errorOfOrder[0])}, {"error_order_2", numberOrNull(head.errorOfOrder[1])},
            {"cosine_order_1", numberOrNull(head.cosineOfOrder[0])}, {"cosine_order_2", numberOrNull(head.cosineOfOrder[1])},
            {"gamma", numberOrNull(head.gamma)}, {"score_rms", numberOrNull(head.scoreRms)}, {"clamped_share", numberOrNull(head.clampedShare)}};
}

nlohmann::json mapsToJson(const at::Tensor &teacher_HTT, const at::Tensor &before_HTT, const at::Tensor &after_HTT)
{
    json heads = json::array();
    for (std::int64_t head = 0; head < teacher_HTT.size(0); ++head)
        heads.push_back({{"attention", rowsOfMap(teacher_HTT[head])}, {"student_before", rowsOfMap(before_HTT[head])}, {"student_after", rowsOfMap(after_HTT[head])}});
    return {{"tokens", teacher_HTT.size(1)}, {"heads", std::move(heads)}};
}

nlohmann::json alarmsOf(const std::vector<LayerCalibration> &layers, double normEps)
{
    json alarms = json::array();
    for (const LayerCalibration &layer : layers) {
        if (layer.floorShare > mostFloorShare)
            addAlarm(alarms, "sigma-floor", layer.layer, headsWhere<HeadCalibration>(layer.heads, [](const auto &head) { return head.scaleAtFloor; }), layer.floorShare, mostFloorShare);
        const json distant = headsWhere<HeadAttention>(layer.attention.heads, [](const auto &head) { return head.distanceVersusUniform.value > 1.0; });
        if (!distant.empty())
            addAlarm(alarms, "look-back", layer.layer, distant, static_cast<double>(distant.size()) / static_cast<double>(layer.attention.heads.size()), 1.0);
        const double least = leastSquareInEps * normEps;
        const json quiet = headsWhere<HeadCalibration>(layer.heads, [&](const auto &head) { return head.contextRmsAfter * head.contextRmsAfter < least; });
        if (!quiet.empty())
            addAlarm(alarms, "small-context", layer.layer, quiet, static_cast<double>(quiet.size()) / static_cast<double>(layer.heads.size()), least);
        const json missed = headsWhere<HeadCalibration>(layer.heads, [](const auto &head) { return std::abs(head.betaAfter.mean - head.betaTarget) > mostWriteMiss; });
        if (!missed.empty())
            addAlarm(alarms, "write-target", layer.layer, missed, static_cast<double>(missed.size()) / static_cast<double>(layer.heads.size()), mostWriteMiss);
    }
    return alarms;
}

}  // namespace stillroom::procedures
