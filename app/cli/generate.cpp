// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "error.h"
#include "folders.h"
#include "formatted.h"
#include "procedures/generation.h"
#include "shownname.h"
#include "text/writtentext.h"
#include "warningline.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>

#include <iostream>

namespace stillroom::cli {

int generate(const GenerateCommand &command, std::stop_token stop)
{
    if (command.chat && !command.tokens.empty())
        throw Error(ErrorCode::Usage, "--chat wraps a text, and token ids are read as they are: give --prompt, or leave --chat out");
    at::set_num_threads(command.threads);
    procedures::GenerationRequest request;
    request.prompt = command.prompt;
    request.tokensFile = command.tokens;
    request.chat = command.chat;
    request.ignoreEos = command.ignoreEos;
    request.options.maxNewTokens = command.numTokens;
    request.options.sampling = {command.temperature, command.topK, command.topP, command.seed};
    request.options.useCache = !command.noCache;
    request.options.computeType = nn::parseComputeType(command.dtype);
    request.options.stop = stop;
    procedures::LoadedModels models;
    const auto model = models.get(command.model, workspaceOr(command.workspace), nn::parseDevice(command.device), stop);
    sayWarning(model->files.warning);
    const auto continuations = procedures::continueText(*model, request);
    for (const procedures::Continuation &one : continuations)
        sayWarning(text::unknownWarning(one.unknownTokens, static_cast<std::size_t>(one.promptTokens), "the prompt"));
    sayWarning(procedures::contextWarning(model->files.config, continuations));
    sayWarning(procedures::unreadWarning(request.options.sampling));
    const auto asJson = [](const procedures::Continuation &one) { return nlohmann::json{{"ids", one.ids}, {"text", one.text}, {"unknown_tokens", one.unknownTokens}}; };
    if (command.json) {
        nlohmann::json document = continuations.size() == 1 ? asJson(continuations.front()) : nlohmann::json::array();
        if (continuations.size() > 1)
            for (const procedures::Continuation &one : continuations)
                document.push_back(asJson(one));
        std::cout << documentText(document, -1) << '\n';
        return 0;
    }
    for (const procedures::Continuation &one : continuations)
        std::cout << (one.text.empty() ? nlohmann::json(one.ids).dump() : shownText(one.text)) << '\n';
    return 0;
}

}  // namespace stillroom::cli
