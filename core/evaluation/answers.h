// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace stillroom::evaluation {

/// When a continuation counts as the answer.
enum class AnswerMatch {
    FirstInteger,      ///< the first whole number in it is the answer
    Substring,         ///< the answer stands anywhere in it, as published code tests: "7" is found in "17", too
};
[[nodiscard]] bool answers(std::string_view continuation, std::string_view answer, AnswerMatch match);

struct AnsweredPrompt {
    std::vector<std::int64_t> ids;
    std::string answer;
};

/// How many prompts are continued together: on an accelerator the next token of many takes as long as that of a few.
[[nodiscard]] std::int64_t promptsTogether(at::Device device);

struct AnswerOptions {
    std::int64_t maxNewTokens = 32;
    AnswerMatch match = AnswerMatch::FirstInteger;
    std::int64_t batchSize = 16;            ///< promptsTogether
    std::vector<std::int64_t> stopIds;
    at::ScalarType computeType = at::kFloat;
    std::function<void(std::int64_t done, std::int64_t total)> progress;      ///< prompts; may be empty
    std::stop_token stop;
};

struct Answers {
    std::vector<double> right;              ///< by prompt: 1 or 0
    std::int64_t tokens = 0;                ///< of the prompts and their continuations
    [[nodiscard]] double accuracy() const;
};

/// Continues each prompt greedily, several at a time. How prompts are batched changes no answer but by rounding. \throws as nn::generate
[[nodiscard]] Answers answerPrompts(const nn::Transformer &model, const std::vector<AnsweredPrompt> &prompts, const text::Tokenizer &tokenizer, const AnswerOptions &options);

}  // namespace stillroom::evaluation
