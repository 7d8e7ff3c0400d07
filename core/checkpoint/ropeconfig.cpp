// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/ropeconfig.h"

#include "shownname.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace stillroom::checkpoint {

namespace {

using Json = nlohmann::json;
using Kind = Rope::Kind;

constexpr std::int64_t mostPositions = std::int64_t{1} << 40;
constexpr std::array<std::pair<std::string_view, Kind>, 5> kinds{
    {{"default", Kind::Default}, {"linear", Kind::Linear}, {"dynamic", Kind::Dynamic}, {"yarn", Kind::Yarn}, {"llama3", Kind::Llama3}}};

std::string kindName(Kind kind) {
    for (const auto &[name, value] : kinds)
        if (value == kind)
            return std::string(name);
    return {};
}

Kind parseKind(ConfigFields &rope) {
    const auto old = rope.text("type", "default");
    const auto name = rope.text("rope_type", old);
    for (const auto &[known, kind] : kinds)
        if (known == name)
            return kind;
    rope.unsupported("asks for the RoPE type \"" + shownName(name) + "\", which is not understood (default, linear, dynamic, yarn and llama3 are)");
}

double parseTheta(ConfigFields &config, ConfigFields &rope) {
    const double outside = config.number("rope_theta", 1.0001, 1e15, 10000.0);
    return rope.number("rope_theta", 1.0001, 1e15, outside);
}

void checkPartial(ConfigFields &fields) {
    if (fields.number("partial_rotary_factor", 0, 1e6, 1.0) != 1.0)
        fields.unsupported("rotates only part of each head (partial_rotary_factor is not 1), which is not supported");
}

// llama3 and yarn: a value beside the rope object wins over the one inside; without any it is the model's own length.
std::int64_t originalPositions(ConfigFields &config, ConfigFields &rope, std::int64_t maxPositions) {
    const auto inside = rope.integer("original_max_position_embeddings", 1, mostPositions, maxPositions);
    return config.integer("original_max_position_embeddings", 1, mostPositions, inside);
}

void parseYarn(ConfigFields &rope, Rope &result, std::int64_t maxPositions) {
    const double ratio = static_cast<double>(maxPositions) / static_cast<double>(result.originalMaxPositions);
    if (rope.find("factor") == nullptr && !rope.isNull("factor"))
        rope.bad("factor", "is missing");
    result.factor = rope.number("factor", 1e-3, 1e6, ratio);
    const auto optional = [&rope](const char *key) {
        return rope.find(key) == nullptr ? std::optional<double>() : std::optional(rope.number(key, 0, 1e6));
    };
    result.attentionFactor = optional("attention_factor");
    result.mscale = optional("mscale");
    result.mscaleAllDim = optional("mscale_all_dim");
    const auto orDefault = [&rope](const char *key, double usual) {   // 0 counts as not given
        const double value = rope.number(key, 0, 1e6, usual);
        return value == 0 ? usual : value;
    };
    result.betaFast = orDefault("beta_fast", 32);
    result.betaSlow = orDefault("beta_slow", 1);
    result.truncate = rope.flag("truncate", true);
    static_cast<void>(rope.flag("finetuned", false));   // says how the weights came about, changes nothing
}

void parseScaling(ConfigFields &config, ConfigFields &rope, Rope &result, std::int64_t maxPositions) {
    switch (result.kind) {
    case Kind::Default: break;
    case Kind::Linear:
        result.factor = rope.number("factor", 1e-3, 1e6);
        static_cast<void>(rope.integer("original_max_position_embeddings", 1, mostPositions, maxPositions));   // not used by this kind
        break;
    case Kind::Dynamic:
        result.factor = rope.number("factor", 1e-3, 1e6);
        if (rope.integer("original_max_position_embeddings", 1, mostPositions, maxPositions) != maxPositions)
            rope.unsupported("has dynamic RoPE scaling with an original_max_position_embeddings other than max_position_embeddings, which is ambiguous");
        break;
    case Kind::Yarn:
        result.originalMaxPositions = originalPositions(config, rope, maxPositions);
        parseYarn(rope, result, maxPositions);
        break;
    case Kind::Llama3:
        result.originalMaxPositions = originalPositions(config, rope, maxPositions);
        result.factor = rope.number("factor", 1e-3, 1e6);
        result.lowFreqFactor = rope.number("low_freq_factor", 1e-6, 1e6);
        result.highFreqFactor = rope.number("high_freq_factor", 1e-6, 1e6);
        if (result.highFreqFactor <= result.lowFreqFactor)
            rope.bad("high_freq_factor", "must be greater than low_freq_factor");
        break;
    }
}

}  // namespace

Rope parseRope(ConfigFields &config, std::int64_t maxPositions) {
    const auto *scaling = config.find("rope_scaling");
    const auto *parameters = config.find("rope_parameters");
    const Json none = Json::object();
    const char *key = scaling != nullptr && !scaling->empty() ? "rope_scaling" : "rope_parameters";
    const auto *chosen = std::string_view(key) == "rope_scaling" ? scaling : parameters;
    ConfigFields rope(chosen != nullptr ? *chosen : none, config.where() + ", " + key + ",");
    for (const auto &item : rope.json().items())
        if (item.value().is_object())
            rope.unsupported("differs by layer type (\"" + shownName(item.key()) + "\"), which is not supported");
    for (const char *field : {"type", "rope_type", "rope_theta", "truncate"})
        rope.refuseNull(field);
    Rope result;
    result.kind = parseKind(rope);
    result.theta = parseTheta(config, rope);
    checkPartial(config);
    checkPartial(rope);
    parseScaling(config, rope, result, maxPositions);
    const auto unread = rope.unread();
    if (!unread.empty())
        rope.unsupported("has the field \"" + shownName(unread.front()) + "\", which is not understood for the type \"" + kindName(result.kind) + "\"");
    return result;
}

void addRope(nlohmann::json &config, const Rope &rope) {
    Json scaling{{"rope_type", kindName(rope.kind)}};
    if (rope.kind != Kind::Default)
        scaling["factor"] = rope.factor;
    if (rope.originalMaxPositions > 0 && (rope.kind == Kind::Yarn || rope.kind == Kind::Llama3))
        scaling["original_max_position_embeddings"] = rope.originalMaxPositions;
    if (rope.kind == Kind::Llama3) {
        scaling["low_freq_factor"] = rope.lowFreqFactor;
        scaling["high_freq_factor"] = rope.highFreqFactor;
    }
    if (rope.kind == Kind::Yarn) {
        scaling["beta_fast"] = rope.betaFast;
        scaling["beta_slow"] = rope.betaSlow;
        scaling["truncate"] = rope.truncate;
        const auto optional = [&scaling](const char *key, const std::optional<double> &value) {
            if (value)
                scaling[key] = *value;
        };
        optional("attention_factor", rope.attentionFactor);
        optional("mscale", rope.mscale);
        optional("mscale_all_dim", rope.mscaleAllDim);
    }
    config["rope_theta"] = rope.theta;
    if (rope.kind != Kind::Default)
        config["rope_scaling"] = scaling;
    scaling["rope_theta"] = rope.theta;
    config["rope_parameters"] = std::move(scaling);
}

}  // namespace stillroom::checkpoint
