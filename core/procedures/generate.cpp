// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/spec.h"
#include "procedures/generation.h"
#include "procedures/stages.h"
#include "procedures/teacherstage.h"
#include "text/writtentext.h"

#include <nlohmann/json.hpp>

namespace stillroom::procedures {

StageResult generate(const nlohmann::json &spec, StageRun &run)
{
    const ComputeSettings settings = computeSettings(spec);
    const auto model = run.models->get(spec.at("model").get<std::string>(), run.workspace, settings.device, run.stop);
    std::vector<std::string> inputs{model->hash};
    GenerationRequest request;
    if (spec.contains("prompt"))
        request.prompt = spec.at("prompt").get<std::string>();
    if (spec.contains("tokens_file")) {
        request.tokensFile = spec.at("tokens_file").get<std::string>();
        inputs.push_back(checkpoint::fileHash(request.tokensFile, run.stop));
    }
    request.chat = spec.at("chat").get<bool>();
    request.ignoreEos = spec.at("ignore_eos").get<bool>();
    request.options.maxNewTokens = spec.at("max_new_tokens").get<std::int64_t>();
    request.options.sampling = {spec.at("temperature").get<double>(), spec.at("top_k").get<int>(), spec.at("top_p").get<double>(), spec.at("seed").get<std::uint64_t>()};
    request.options.computeType = settings.computeType;
    request.options.stop = run.stop;
    const std::string key = experiment::stageKey(spec, inputs, settings.deviceClass(), settings.typeText());
    sayStarted(run, spec, key, settings);
    warnOfFiles(run, model->files);
    return reuseOrCompute(run, "generate", key, [&](const std::filesystem::path &) {
        nlohmann::json rows = nlohmann::json::array();
        const std::vector<Continuation> continuations = continueText(*model, request);
        if (std::string warning = contextWarning(model->files.config, continuations); !warning.empty())
            run.sink(experiment::Warning{std::move(warning)});
        nn::SamplingOptions asked = request.options.sampling;
        asked.seed = {};      // every spec has one, whoever asked for it
        if (std::string warning = unreadWarning(asked); !warning.empty())
            run.sink(experiment::Warning{std::move(warning)});
        for (const Continuation &one : continuations) {
            if (std::string warning = text::unknownWarning(one.unknownTokens, static_cast<std::size_t>(one.promptTokens), "the prompt"); !warning.empty())
                run.sink(experiment::Warning{std::move(warning)});
            run.sink(experiment::Text{"continuation", one.text});
            rows.push_back({{"ids", one.ids}, {"text", one.text}, {"unknown_tokens", one.unknownTokens}});
        }
        return nlohmann::json{{"kind", "generate"}, {"continuations", rows}};
    });
}

}  // namespace stillroom::procedures
