// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/generate.h"
#include "procedures/stagerun.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::procedures {

struct GenerationRequest {
    std::optional<std::string> prompt;      ///< or token ids:
    std::filesystem::path tokensFile;
    bool chat = false;                      ///< wrap the prompt in the model's chat template
    bool ignoreEos = false;
    nn::GenerateOptions options;            ///< stopIds are ours
};

struct Continuation {
    std::vector<std::int64_t> ids;          ///< new ones
    std::string text;                       ///< empty without a tokenizer
    std::int64_t promptTokens = 0, unknownTokens = 0;      ///< of its prompt; unknown: stand for what the tokenizer cannot spell, 0 for a file of ids
    std::int64_t readTokens = 0;            ///< of prompt and new ids together, that the model read: all but a last one after which no more was asked for
};

/// Ids that end a text: the model's and its tokenizer's (which may be null).
[[nodiscard]] std::vector<std::int64_t> endIds(const checkpoint::ModelConfig &config, const text::Tokenizer *tokenizer);

/// Continues each prompt. BOS is added as the tokenizer's own post-processor does; a row ends at an end-of-text id unless told otherwise.
/// \throws Error(Usage) unless exactly one of prompt and tokensFile is given, and for a top-k above the vocabulary; Error(BadFile) for a prompt that is not UTF-8 and a model whose weights are not
/// finite, too, Error(Cancelled).
[[nodiscard]] std::vector<Continuation> continueText(const LoadedModel &model, const GenerationRequest &request);

/// checkpoint::contextWarning of the longest of them.
[[nodiscard]] std::string contextWarning(const checkpoint::ModelConfig &config, const std::vector<Continuation> &continuations);

/// Says what of the sampling is not read where the likeliest token is always taken; empty where nothing was asked for that is not.
[[nodiscard]] std::string unreadWarning(const nn::SamplingOptions &sampling);

}  // namespace stillroom::procedures
