// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/generate.h"

#include "commands.h"
#include "error.h"
#include "mixers/registry.h"
#include "procedures/modelargument.h"
#include "tokenfile.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace stillroom::cli {
namespace {

std::vector<std::int64_t> promptIds(const GenerateCommand &command, const text::Tokenizer &tokenizer)
{
    if (command.chat)
        return procedures::chatIds(tokenizer, *command.prompt);
    return tokenizer.encode(*command.prompt, true);
}

std::vector<std::int64_t> stopIds(const checkpoint::ModelConfig &config, const text::Tokenizer *tokenizer)
{
    std::vector<std::int64_t> ids = config.eosIds;
    if (tokenizer)
        for (const std::int64_t id : tokenizer->eosIds())
            if (std::find(ids.begin(), ids.end(), id) == ids.end())
                ids.push_back(id);
    return ids;
}

}  // namespace

int generate(const GenerateCommand &command, std::stop_token stop)
{
    at::set_num_threads(command.threads);
    if (command.prompt.has_value() == !command.tokens.empty())
        throw Error(ErrorCode::Usage, "give either --prompt TEXT or --tokens FILE");
    const checkpoint::ModelFiles files = procedures::openModelArgument(command.model);
    std::shared_ptr<const text::Tokenizer> tokenizer;
    if (!files.tokenizerPath.empty())
        tokenizer = procedures::tokenizerOf(files);
    if (command.prompt && !tokenizer)
        tokenizer = procedures::tokenizerOf(files);   // says that there is none
    const auto prompts = command.prompt ? std::vector{promptIds(command, *tokenizer)} : readTokenFile(command.tokens, files.config.vocabSize).rows();
    const nn::Transformer model = mixers::loadModel(files, nn::parseDevice(command.device));

    nn::GenerateOptions options;
    options.maxNewTokens = command.numTokens;
    options.sampling = {command.temperature, command.topK, command.topP, command.seed};
    if (!command.ignoreEos)
        options.stopIds = stopIds(files.config, tokenizer.get());
    options.useCache = !command.noCache;
    options.computeType = nn::parseComputeType(command.dtype);
    options.stop = stop;
    const auto continuations = nn::generate(model, prompts, options);
    for (const std::vector<std::int64_t> &ids : continuations) {
        const std::string text = tokenizer ? tokenizer->decode(ids, true) : std::string();
        if (command.json)
            std::cout << nlohmann::json{{"ids", ids}, {"text", text}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
        else if (tokenizer)
            std::cout << text << '\n';
        else
            std::cout << nlohmann::json(ids).dump() << '\n';
    }
    return 0;
}

}  // namespace stillroom::cli
