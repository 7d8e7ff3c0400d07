// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/generation.h"

#include "error.h"
#include "procedures/finiteweights.h"
#include "procedures/modelargument.h"
#include "procedures/tokenfile.h"
#include "text/chattemplate.h"
#include "text/writtentext.h"

#include <algorithm>
#include <iterator>

namespace stillroom::procedures {
namespace {

text::WrittenText promptIds(const text::Tokenizer &tokenizer, const GenerationRequest &request)
{
    const std::string what = "the prompt";
    if (!request.chat)
        return text::encodeWritten(tokenizer, *request.prompt, true, what);
    text::requireUtf8(*request.prompt, what);
    const std::vector<text::ChatMessage> messages{{"user", *request.prompt}};
    return text::encodeWritten(tokenizer, text::renderChat(tokenizer, messages, true), false, what);   // a template writes BOS itself
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
    if (const int topK = request.options.sampling.topK, vocabSize = model.files.config.vocabSize; topK > vocabSize)
        throw Error(ErrorCode::Usage, "top-k is " + std::to_string(topK) + ", but the model has " + std::to_string(vocabSize) + " tokens: give at most so many, or 0 to draw from all of them");
    std::shared_ptr<const text::Tokenizer> tokenizer;
    if (request.prompt || !model.files.tokenizerPath.empty())
        tokenizer = tokenizerOf(model.files);
    requireFiniteWeights(model, request.options.stop);
    std::vector<std::vector<std::int64_t>> prompts;
    std::int64_t unknownTokens = 0;
    if (request.prompt) {
        text::WrittenText prompt = promptIds(*tokenizer, request);
        unknownTokens = prompt.unknownTokens;
        prompts.push_back(std::move(prompt.ids));
    } else {
        prompts = readTokenFile(request.tokensFile, model.files.config.vocabSize).rows();
    }
    nn::GenerateOptions options = request.options;
    if (!request.ignoreEos)
        options.stopIds = endIds(model.files.config, tokenizer.get());
    std::vector<Continuation> continuations;
    for (std::vector<std::int64_t> &ids : nn::generate(model.model, prompts, options)) {
        std::string text = tokenizer ? tokenizer->decode(ids, true) : std::string();
        const auto promptTokens = static_cast<std::int64_t>(prompts[continuations.size()].size());
        const std::int64_t readTokens = options.maxNewTokens > 0 ? promptTokens + std::min<std::int64_t>(std::ssize(ids), options.maxNewTokens - 1) : 0;
        continuations.push_back({std::move(ids), std::move(text), promptTokens, unknownTokens, readTokens});
    }
    return continuations;
}

std::string contextWarning(const checkpoint::ModelConfig &config, const std::vector<Continuation> &continuations)
{
    std::int64_t longest = 0;
    for (const Continuation &one : continuations)
        longest = std::max(longest, one.readTokens);
    return checkpoint::contextWarning(config, longest);
}

std::string unreadWarning(const nn::SamplingOptions &sampling)
{
    const nn::SamplingOptions unasked;
    if (sampling.temperature > 0.0 || (sampling.topK == unasked.topK && sampling.topP == unasked.topP && sampling.seed == unasked.seed))
        return {};
    return "nothing is sampled at temperature 0, so top-k, top-p and seed change nothing: give a temperature, or leave them out";
}

}  // namespace stillroom::procedures
