// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/answers.h"

#include "nn/generate.h"

#include <algorithm>

namespace stillroom::evaluation {
namespace {

constexpr std::string_view digits = "0123456789";

/// The first whole number of a text without leading zeros, with its sign; empty where there is none.
std::string firstInteger(std::string_view text)
{
    const std::size_t begin = text.find_first_of(digits);
    if (begin == std::string_view::npos)
        return {};
    std::string number(text.substr(begin, text.find_first_not_of(digits, begin) - begin));
    number.erase(0, std::min(number.find_first_not_of('0'), number.size() - 1));
    return begin > 0 && text[begin - 1] == '-' ? '-' + number : number;
}

}  // namespace

bool answers(std::string_view continuation, std::string_view answer, AnswerMatch match)
{
    return match == AnswerMatch::Substring ? continuation.find(answer) != std::string_view::npos : firstInteger(continuation) == answer;
}

double Answers::accuracy() const
{
    double sum = 0.0;
    for (const double one : right)
        sum += one;
    return right.empty() ? 0.0 : sum / static_cast<double>(right.size());
}

std::int64_t promptsTogether(at::Device device) { return device.is_cpu() ? 16 : 256; }

Answers answerPrompts(const nn::Transformer &model, const std::vector<AnsweredPrompt> &prompts, const text::Tokenizer &tokenizer, const AnswerOptions &options)
{
    nn::GenerateOptions generation;
    generation.maxNewTokens = options.maxNewTokens;
    generation.stopIds = options.stopIds;
    generation.computeType = options.computeType;
    generation.stop = options.stop;
    Answers result;
    const auto step = static_cast<std::size_t>(std::max<std::int64_t>(options.batchSize, 1));
    for (std::size_t first = 0; first < prompts.size(); first += step) {
        const std::size_t last = std::min(prompts.size(), first + step);
        std::vector<std::vector<std::int64_t>> ids;
        for (std::size_t i = first; i < last; ++i)
            ids.push_back(prompts[i].ids);
        const auto continuations = nn::generate(model, ids, generation);
        for (std::size_t i = first; i < last; ++i) {
            const std::vector<std::int64_t> &continuation = continuations[i - first];
            result.right.push_back(answers(tokenizer.decode(continuation, true), prompts[i].answer, options.match) ? 1.0 : 0.0);
            result.tokens += static_cast<std::int64_t>(prompts[i].ids.size() + continuation.size());
        }
        if (options.progress)
            options.progress(static_cast<std::int64_t>(last), static_cast<std::int64_t>(prompts.size()));
    }
    return result;
}

}  // namespace stillroom::evaluation
