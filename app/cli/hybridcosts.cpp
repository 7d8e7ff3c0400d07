// SPDX-License-Identifier: GPL-3.0-or-later
#include "hybridcosts.h"

#include "bytesize.h"
#include "error.h"
#include "formatted.h"
#include "procedures/layercosts.h"
#include "procedures/modelargument.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>

namespace stillroom::cli {
namespace {

/// The spec that names the teacher: the run's own, or that of the first stage of a pipeline that has one.
nlohmann::json withTeacher(const nlohmann::json &runSpec)
{
    if (!runSpec.is_object() || runSpec.contains("teacher") || !runSpec.contains("stages"))
        return runSpec;
    for (const nlohmann::json &stage : runSpec.at("stages"))
        if (stage.contains("spec") && stage.at("spec").contains("teacher"))
            return stage.at("spec");
    return runSpec;
}

}  // namespace

std::vector<analysis::Budget> budgetsFrom(const SelectCommand &command)
{
    using Kind = analysis::Budget::Kind;
    std::vector<analysis::Budget> budgets;
    if (command.percent)
        budgets.push_back({Kind::Percent, *command.percent, 0});
    for (const auto &[text, option, kind] : {std::tuple{command.kvBytes, "--kv-bytes", Kind::KvBytes}, std::tuple{command.stateBytes, "--state-bytes", Kind::StateBytes},
                                             std::tuple{command.decodeBytes, "--decode-bytes", Kind::DecodeBytes}}) {
        if (text.empty())
            continue;
        if (command.context.empty())
            throw Error(ErrorCode::Usage, std::string(option) + " depends on how many tokens came before: say --context TOKENS");
        budgets.push_back({kind, bytesFrom(text), tokensFrom(command.context)});
    }
    return budgets;
}

KnownCosts costsFor(const SelectCommand &command, const nlohmann::json &runSpec, const std::filesystem::path &workspace)
{
    const nlohmann::json spec = withTeacher(runSpec);
    std::string teacher = command.teacher, mixer = command.mixer;
    if (teacher.empty() && spec.is_object())
        teacher = spec.value("teacher", std::string());
    if (mixer.empty() && spec.is_object() && spec.contains("mixer"))
        mixer = spec.at("mixer").value("kind", std::string());
    if (mixer.empty())
        mixer = "gdn";
    if (teacher.empty())
        return {};
    try {
        return {procedures::layerCosts(procedures::openModelArgument(teacher, workspace).config, mixer), {}};
    } catch (const Error &error) {
        if (!command.teacher.empty() || !command.mixer.empty())
            throw;
        return {std::nullopt, error.what()};
    }
}

nlohmann::json costJson(const analysis::LayerCosts &costs, int keep, std::int64_t context)
{
    const analysis::HybridCost cost = analysis::hybridCost(costs, keep);
    nlohmann::json json = {{"added_parameters", cost.addedParameters}, {"teacher_cache_bytes_per_token", cost.teacherCacheBytesPerToken}, {"cache_bytes_per_token", cost.cacheBytesPerToken},
                           {"state_bytes", cost.stateBytes}, {"break_even_tokens", cost.breakEvenTokens}, {"weight_bytes", cost.weightBytes}};
    for (const std::int64_t tokens : context > 0 ? std::vector<std::int64_t>{context} : std::vector<std::int64_t>{8192, 32768})
        json["decode_bytes"].push_back({{"context", tokens}, {"bytes", cost.decodeBytes(tokens)}, {"teacher_bytes", cost.teacherDecodeBytes(tokens)},
                                        {"cache_bytes", static_cast<double>(cost.cacheBytesPerToken) * static_cast<double>(tokens)}});
    return json;
}

void printCosts(const nlohmann::json &costs)
{
    const auto bytes = [&](const nlohmann::json &from, const char *field) { return byteText(from.at(field).get<double>()); };
    std::cout << "adds " << costs.at("added_parameters") << " parameters; cache " << bytes(costs, "teacher_cache_bytes_per_token") << " → " << bytes(costs, "cache_bytes_per_token")
              << " a token (bf16), and " << bytes(costs, "state_bytes") << " of state";
    if (costs.at("break_even_tokens").get<double>() > 0.0)
        std::cout << "; smaller than the teacher's cache above " << counted(static_cast<std::int64_t>(std::ceil(costs.at("break_even_tokens").get<double>())), "token");
    std::cout << '\n';
    for (const nlohmann::json &one : costs.at("decode_bytes"))
        std::cout << "at " << counted(one.at("context").get<std::int64_t>(), "token") << ": cache " << bytes(one, "cache_bytes") << ", " << bytes(one, "bytes") << " read and written to decode one more (teacher "
                  << bytes(one, "teacher_bytes") << ")\n";
}

}  // namespace stillroom::cli
