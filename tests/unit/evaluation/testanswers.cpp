// SPDX-License-Identifier: GPL-3.0-or-later
#include "../text/wordtokenizer.h"
#include "evaluation/answers.h"
#include "nn/generate.h"
#include "nn/tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

namespace stillroom::evaluation {

TEST_CASE("an answer is the first whole number; anywhere in the text only where that is asked for")
{
    const auto first = [](std::string_view text) { return answers(text, "7", AnswerMatch::FirstInteger); };
    CHECK(first(" 7"));
    CHECK(first("is 007, not 17"));
    CHECK(first("7.5"));
    CHECK_FALSE(first("17"));
    CHECK_FALSE(first("71"));
    CHECK_FALSE(first("-7"));
    CHECK_FALSE(first("3 + 4 = 7"));
    CHECK_FALSE(first("seven"));
    CHECK_FALSE(first(""));
    CHECK(answers("0", "0", AnswerMatch::FirstInteger));
    CHECK(answers("000", "0", AnswerMatch::FirstInteger));
    CHECK(answers("3 + 4 = 7", "7", AnswerMatch::Substring));
    CHECK(answers("17", "7", AnswerMatch::Substring));
    CHECK_FALSE(answers("16", "7", AnswerMatch::Substring));
}

TEST_CASE("prompts in batches are answered as one by one, and their tokens counted")
{
    std::vector<std::string> words;
    for (int i = 0; i < test::tinyConfig().vocabSize; ++i)
        words.push_back(std::to_string(i));
    const test::WordTokenizer tokenizer(words);
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    std::vector<AnsweredPrompt> prompts;
    AnswerOptions options;
    options.maxNewTokens = 3;
    std::int64_t tokens = 0;
    std::vector<double> right;
    for (std::int64_t i = 0; i < 7; ++i) {
        const at::Tensor ids = test::randomIds(1, 4 + i, test::tinyConfig().vocabSize, static_cast<std::uint64_t>(20 + i)).view(-1);
        AnsweredPrompt prompt{{ids.const_data_ptr<std::int64_t>(), ids.const_data_ptr<std::int64_t>() + ids.numel()}, ""};
        nn::GenerateOptions alone;
        alone.maxNewTokens = 3;
        const auto continued = nn::generate(model, {prompt.ids}, alone).front();
        prompt.answer = i % 3 == 0 ? "nothing" : words[static_cast<std::size_t>(continued.front())];
        right.push_back(i % 3 == 0 ? 0.0 : 1.0);
        tokens += static_cast<std::int64_t>(prompt.ids.size() + continued.size());
        prompts.push_back(std::move(prompt));
    }
    for (const std::int64_t batch : {1, 3, 16}) {
        options.batchSize = batch;
        const Answers found = answerPrompts(model, prompts, tokenizer, options);
        CHECK(found.right == right);
        CHECK(found.tokens == tokens);
        CHECK(found.accuracy() == doctest::Approx(4.0 / 7.0));
    }
}

}  // namespace stillroom::evaluation
