// SPDX-License-Identifier: GPL-3.0-or-later
#include "madeup.h"

#include "error.h"

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace stillroom::test {

namespace {

nlohmann::json distil(const std::string &kind, const nlohmann::json &spec, const std::string &key, std::int64_t stepsDone, jobs::RunContext &context)
{
    if (!key.empty())
        context.sink(experiment::Started{.kind = kind, .key = key, .specJson = spec.dump(), .device = "cpu", .computeType = "float32", .version = {}});
    for (std::int64_t step = stepsDone + 1; step <= 2000; ++step) {
        if (context.stop.stop_requested())
            throw Error(ErrorCode::Cancelled, "cancelled");
        context.sink(experiment::Metric{"distill/kl", step, step * 100, 1.0 / static_cast<double>(step), "nats/token"});
        context.sink(experiment::Progress{"stage 2", step, 2000, step * 100, 1.0, 2.0});
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return {{"kind", "distill"}, {"selected", spec.at("keep")}, {"mixer", "gdn"}, {"measures", {{"kl_nats", 0.05}, {"se_nats", 0.001}, {"recall", 0.999}}}};
}

nlohmann::json score(const MadeUp &how, jobs::RunContext &context)
{
    const bool forever = how.scoresForever;
    const int best = forever ? 1 : 4;
    for (int layer = -1; layer < numLayers; ++layer) {
        while (how.holdScoring && !context.stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        experiment::LayerScore one;
        one.selector = "ga-s2";
        one.mixer = "gdn";
        one.layer = layer;
        one.klNats = one.score = layer < 0 ? 1.0 : layer == best ? 0.1 : 0.8 + 0.01 * layer;
        one.se = 0.002;
        one.numSequences = 64;
        one.tokens = forever ? 0 : 46080;
        context.sink(one);
    }
    while (forever && !context.stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (forever)
        throw Error(ErrorCode::Cancelled, "cancelled");
    return {{"kind", "score"}};
}

}  // namespace

nlohmann::json description(int layers, int hiddenSize)
{
    return {{"name", "Made-up"}, {"path", "/made/up"}, {"format", "huggingface"}, {"architecture", "qwen2"}, {"num_layers", layers}, {"hidden_size", hiddenSize}, {"intermediate_size", 88},
            {"num_heads", 2}, {"num_kv_heads", 2}, {"head_dim", 32}, {"vocab_size", 162}, {"context_tokens", 256}, {"rope", {{"type", "default"}, {"theta", 100.0}, {"factor", 1.0}}},
            {"activation", "silu"}, {"tied_head", false}, {"parameters", 222400}, {"stored_types", {{"F32", 80}}}, {"kv_cache_bytes_per_token_bf16", 1536}, {"features", {"qkv_bias", "rope"}},
            {"layer_kinds", std::vector<std::string>(static_cast<std::size_t>(layers), "softmax")}, {"tokenizer", nullptr}, {"sliding_window_tokens", std::vector<int>(static_cast<std::size_t>(layers), 0)},
            {"parts", {{{"part", "embedding"}, {"parameters", 22400}}, {{"part", "attention"}, {"parameters", 100000}}, {{"part", "mlp"}, {"parameters", 100000}}, {{"part", "head"}, {"parameters", 0}}}},
            {"mixers", {{{"mixer", "gdn"}, {"carries", nlohmann::json::array()}, {"does_not_carry", {"rope"}}, {"parameters_per_layer", 20772}, {"state_bytes_per_layer", 8192}}}},
            {"exports", {{{"format", "fla"}, {"exact", true}, {"reasons", nlohmann::json::array()}}}}};
}

nlohmann::json MadeUp::operator()(const nlohmann::json &spec, jobs::RunContext &context)
{
    if (failNext.exchange(false))
        throw Error(ErrorCode::BadFile, "there is no model there");
    const auto kind = spec.at("kind").get<std::string>();
    if (kind == "inspect")
        return model;
    if (kind == "score")
        return score(*this, context);
    return distil(kind, spec, key, stepsDone, context);
}

}  // namespace stillroom::test
