// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/calibrationreport.h"

#include <ATen/core/Tensor.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace stillroom::procedures {
namespace {

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
            {"beta_target", numberOrNull(head.betaTarget)},
            {"sigma_raw", numberOrNull(head.scaleRaw)},
            {"sigma", numberOrNull(head.scale)},
            {"sigma_at_floor", head.scaleAtFloor},
            {"sigma_at_ceiling", head.scaleAtCeiling},
            {"context_cosine_at_fit", numberOrNull(head.cosineAtFit)}};
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
json headsWhere(std::size_t heads, const std::function<bool(std::size_t)> &alarming)
{
    json picked = json::array();
    for (std::size_t head = 0; head < heads; ++head)
        if (alarming(head))
            picked.push_back(head);
    return picked;
}

void addAlarm(json &alarms, const char *kind, int layer, json heads, double value, double limit)
{
    alarms.push_back({{"kind", kind}, {"layer", layer}, {"heads", std::move(heads)}, {"value", numberOrNull(value)}, {"limit", limit}});
}

/// Where any head is alarming; its value is their share.
void addShareAlarm(json &alarms, const char *kind, int layer, json heads, std::size_t of, double limit)
{
    const double share = static_cast<double>(heads.size()) / static_cast<double>(std::max<std::size_t>(of, 1));
    if (!heads.empty())
        addAlarm(alarms, kind, layer, std::move(heads), share, limit);
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

nlohmann::json toJson(const LayerCalibration &layer, bool phaseOne)
{
    json attention{{"sequences", layer.attention.numSequences}, {"tokens", layer.attention.numTokens}, {"heads", json::array()}};
    for (const HeadAttention &head : layer.attention.heads)
        attention["heads"].push_back(toJson(head));
    json heads = json::array();
    for (const HeadCalibration &head : layer.heads)
        heads.push_back(calibratedHead(head));
    json made{{"layer", layer.layer},
              {"attention", std::move(attention)},
              {"heads", std::move(heads)},
              {"teacher_rms", numberOrNull(layer.teacherRms)},
              {"gate_alpha", numberOrNull(layer.gateFactor)},
              {"floor_share", numberOrNull(layer.floorShare)},
              {"ceiling_share", numberOrNull(layer.ceilingShare)}};
    addState(made, layer.before, beforePhases);
    if (phaseOne) {
        addState(made, layer.after, afterPhaseOne);
        addChanges(made, layer.changes, 1);
    }
    return made;
}

void addState(nlohmann::json &layer, const calibration::LayerState &state, const std::string &moment)
{
    layer[moment] = {{"rms_ratio", numberOrNull(state.branch.rmsRatio)}, {"relative_mse", numberOrNull(state.branch.relativeMse)}, {"cosine", numberOrNull(state.branch.cosine)},
                     {"value_rms", numberOrNull(state.valueRms)}};
    json &heads = layer.at("heads");
    for (std::size_t head = 0; head < state.heads.size(); ++head) {
        heads.at(head)["half_life_" + moment + "_tokens"] = spread(state.heads[head].halfLife);
        heads.at(head)["beta_" + moment] = spread(state.heads[head].beta);
        heads.at(head)["context_cosine_" + moment] = numberOrNull(state.heads[head].contextCosine);
        heads.at(head)["context_rms_" + moment] = numberOrNull(state.heads[head].contextRms);
    }
}

void addChanges(nlohmann::json &layer, const std::vector<calibration::ParameterChange> &changes, int phase)
{
    json named = json::object();
    for (const calibration::ParameterChange &change : changes)
        named[change.name] = numberOrNull(change.relative);
    layer["parameter_change_phase_" + std::to_string(phase)] = std::move(named);
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

nlohmann::json mapsToJson(const at::Tensor &teacher_HTT, const std::vector<std::pair<std::string, at::Tensor>> &students_HTT)
{
    json heads = json::array();
    for (std::int64_t head = 0; head < teacher_HTT.size(0); ++head) {
        json maps{{"attention", rowsOfMap(teacher_HTT[head])}};
        for (const auto &[moment, map_HTT] : students_HTT)
            maps["student_" + moment] = rowsOfMap(map_HTT[head]);
        heads.push_back(std::move(maps));
    }
    return {{"tokens", teacher_HTT.size(1)}, {"heads", std::move(heads)}};
}

nlohmann::json alarmsOf(const std::vector<LayerCalibration> &layers, const std::vector<calibration::LayerState> &ended, double normEps)
{
    json alarms = json::array();
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const LayerCalibration &layer = layers[i];
        if (layer.floorShare > mostFloorShare)
            addAlarm(alarms, "sigma-floor", layer.layer, headsWhere(layer.heads.size(), [&](std::size_t head) { return layer.heads[head].scaleAtFloor; }), layer.floorShare, mostFloorShare);
        const std::vector<HeadAttention> &queries = layer.attention.heads;
        addShareAlarm(alarms, "look-back", layer.layer, headsWhere(queries.size(), [&](std::size_t head) { return queries[head].distanceVersusUniform.value > 1.0; }), queries.size(), 1.0);
        const double least = leastSquareInEps * normEps;
        addShareAlarm(alarms, "small-context", layer.layer, headsWhere(layer.heads.size(), [&](std::size_t head) { return std::pow(ended.at(i).heads.at(head).contextRms, 2) < least; }),
                      layer.heads.size(), least);
        addShareAlarm(alarms, "write-target", layer.layer,
                      headsWhere(layer.heads.size(), [&](std::size_t head) { return std::abs(layer.after.heads.at(head).beta.mean - layer.heads[head].betaTarget) > mostWriteMiss; }), layer.heads.size(),
                      mostWriteMiss);
    }
    return alarms;
}

}  // namespace stillroom::procedures
