// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "evaluation/passkeyrecall.h"
#include "nn/tinymodel.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace stillroom::evaluation {

namespace {

using text::PasskeyDocument;

constexpr std::int64_t length = 24;

/// Likeliest next token, one position at a time, in float64.
text::TokenId slowNext(const nn::Transformer &model, const std::vector<text::TokenId> &ids, std::size_t t)
{
    const std::vector<text::TokenId> before(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(t) + 1);
    const at::Tensor logits = model.logits(model.forward(at::tensor(before, at::kLong).unsqueeze(0), {}, at::kDouble).hidden_BTD)[0][static_cast<std::int64_t>(t)];
    return logits.argmax().item<std::int64_t>();
}

/// Random ids, with runs of two answers' tokens from `starts` on. Where `right` says so the ids are those the model would write.
PasskeyDocument document(const nn::Transformer &model, std::int64_t seed, const std::vector<std::size_t> &starts, const std::vector<std::vector<bool>> &right)
{
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU).clone();
    generator.set_current_seed(static_cast<std::uint64_t>(seed));
    const std::int64_t vocabulary = model.embedding_VD.size(0);
    const at::Tensor drawn = at::randint(vocabulary, {length}, generator, at::kLong);
    PasskeyDocument made;
    made.ids.assign(drawn.const_data_ptr<std::int64_t>(), drawn.const_data_ptr<std::int64_t>() + length);
    made.answers.assign(length, 0);
    for (std::size_t i = 0; i < starts.size(); ++i)
        for (std::size_t j = 0; j < right[i].size(); ++j) {
            const std::size_t t = starts[i] + j;
            made.answers[t] = 1;
            const text::TokenId next = slowNext(model, made.ids, t);
            made.ids[t + 1] = right[i][j] ? next : (next + 1) % vocabulary;
        }
    return made;
}

}  // namespace

TEST_CASE("a passkey is recalled when all of its tokens are the likeliest, whatever the batch")
{
    const c10::NoGradGuard noGradients;
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    const std::vector<PasskeyDocument> documents{
        document(model, 1, {5, 14, 20}, {{true, true}, {true, false, true}, {true, true, true}}),   // the last one ends with the document
        document(model, 2, {8}, {{false, true}}),
        document(model, 3, {2, 9}, {{true}, {true, true}}),
    };
    for (const std::int64_t batch : {1, 2, 8}) {
        const PasskeyRecall recall = passkeyRecall(model, documents, at::kFloat, batch);
        CHECK(recall.numPasskeys == 6);
        CHECK(recall.numDocuments == 3);
        CHECK(recall.recall == doctest::Approx(4.0 / 6.0));
        CHECK(recall.tokenAccuracy == doctest::Approx(11.0 / 13.0));
        const double mean = (2.0 / 3.0 + 0.0 + 1.0) / 3.0;
        const double variance = ((2.0 / 3.0 - mean) * (2.0 / 3.0 - mean) + mean * mean + (1.0 - mean) * (1.0 - mean)) / 2.0;
        CHECK(recall.recallSe == doctest::Approx(std::sqrt(variance / 3.0)));
    }
}

TEST_CASE("passkey documents that cannot be measured are refused, and measuring stops when asked")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    PasskeyDocument none = document(model, 1, {}, {});
    CHECK_THROWS_AS((void)passkeyRecall(model, {none}, at::kFloat), Error);
    CHECK_THROWS_AS((void)passkeyRecall(model, {}, at::kFloat), Error);
    PasskeyDocument shorter = document(model, 1, {4}, {{true}});
    shorter.ids.pop_back();
    shorter.answers.pop_back();
    CHECK_THROWS_AS((void)passkeyRecall(model, {document(model, 2, {4}, {{true}}), shorter}, at::kFloat), Error);
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS((void)passkeyRecall(model, {document(model, 2, {4}, {{true}})}, at::kFloat, 8, stop.get_token()), Error);
}

}  // namespace stillroom::evaluation
