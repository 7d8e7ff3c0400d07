// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/generation.h"

#include "error.h"
#include "procedures/modelargument.h"
#include "procedures/tokenfile.h"
#include "text/chattemplate.h"

#include <algorithm>

namespace stillroom::procedures {
namespace {

std::vector<std::int64_t> promptIds(const text::Tokenizer &tokenizer, const GenerationRequest &request)
{
    if (!request.chat)
        return tokenizer.encode(*request.prompt, true);
    const std::vector<text::ChatMessage> messages{{"user", *request.prompt}};
    return tokenizer.encode(text::renderChat(tokenizer, messages, true), false);   // a template writes BOS itself
}

}  // namespace

std::vector<std::int64_t> endIds(const checkpoint::ModelConfig &config, const text::Tokenizer *tokenizer)
{
    std::vector<std::int64_t> ids = config.eosIds;
    if (tokenizer)
        for (const std::int64_t id : tokenizer->eosIds())
            if (std::find(ids.begin(), ids.end(), id) == ids.end())
                ids.push_back(id);
    return ids;
}

std::vector<Continuation> continueText(const LoadedModel &model, const GenerationRequest &request)
{
    if (request.prompt.has_value() == !request.tokensFile.empty())
        throw Error(ErrorCode::Usage, "give either a prompt or a file of token ids");
    std::shared_ptr<const text::Tokenizer> tokenizer;
    if (request.prompt || !model.files.tokenizerPath.empty())
        tokenizer = tokenizerOf(model.files);
    std::vector<std::vector<std::int64_t>> prompts;
    if (request.prompt)
        prompts.push_back(promptIds(*tokenizer, request));
    else
        prompts = readTokenFile(request.tokensFile, model.files.config.vocabSize).rows();
    nn::GenerateOptions options = request.options;
    if (!request.ignoreEos)
        options.stopIds = endIds(model.files.config, tokenizer.get());
    std::vector<Continuation> continuations;
    for (std::vector<std::int64_t> &ids : nn::generate(model.model, prompts, options)) {
        std::string text = tokenizer ? tokenizer->decode(ids, true) : std::string();
        continuations.push_back({std::move(ids), std::move(text)});
    }
    return continuations;
}

}  // namespace stillroom::procedures
