// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "evaluation/recall.h"
#include "nn/tinymodel.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace stillroom::evaluation {

namespace {

using test::tinyConfig;
using test::tinyModel;
using text::RecallTarget;

/// A small MQAR-mix whose ids fit a tiny model.
const text::RecallMix &task()
{
    static const text::RecallMix mix({.numKeys = 20, .numValues = 20, .numFillers = 16, .pairs = 5, .length = 40});
    return mix;
}

nn::Transformer modelOf(at::ScalarType type = at::kFloat)
{
    auto config = tinyConfig();
    config.vocabSize = static_cast<int>(task().vocabSize());
    return tinyModel(config, 8, type);
}

std::vector<text::RecallSequence> sequences(std::int64_t count)
{
    std::vector<text::RecallSequence> made;
    for (std::int64_t i = 0; i < count; ++i)
        made.push_back(task().sequence(11, i));
    return made;
}

/// One sequence and one position at a time, in float64.
RecallAccuracy slowAccuracy(const nn::Transformer &model, const std::vector<text::RecallSequence> &all)
{
    double recallRight = 0, fillerRight = 0;
    std::vector<double> shares;
    RecallAccuracy expected;
    for (const auto &sequence : all) {
        double own = 0, ownAll = 0;
        for (std::size_t t = 0; t + 1 < sequence.ids.size(); ++t) {
            if (sequence.targets[t] == RecallTarget::None)
                continue;
            const std::vector<text::TokenId> before(sequence.ids.begin(), sequence.ids.begin() + static_cast<std::ptrdiff_t>(t) + 1);
            const at::Tensor logits = model.logits(model.forward(at::tensor(before, at::kLong).unsqueeze(0), {}, at::kDouble).hidden_BTD)[0][static_cast<std::int64_t>(t)].contiguous();
            const double *z = logits.const_data_ptr<double>();
            std::int64_t best = 0;
            for (std::int64_t v = 1; v < logits.numel(); ++v)
                if (z[v] > z[best])
                    best = v;
            const double right = best == sequence.ids[t + 1] ? 1.0 : 0.0;
            if (sequence.targets[t] == RecallTarget::Recall) {
                own += right;
                ++ownAll;
            } else {
                fillerRight += right;
                ++expected.numFiller;
            }
        }
        recallRight += own;
        expected.numRecall += static_cast<std::int64_t>(ownAll);
        if (ownAll > 0)
            shares.push_back(own / ownAll);
    }
    double mean = 0, squares = 0;
    for (const double share : shares)
        mean += share / static_cast<double>(shares.size());
    for (const double share : shares)
        squares += (share - mean) * (share - mean);
    const auto n = static_cast<double>(shares.size());
    expected.recall = recallRight / static_cast<double>(expected.numRecall);
    expected.filler = fillerRight / static_cast<double>(expected.numFiller);
    expected.recallSe = std::sqrt(squares / (n - 1)) / std::sqrt(n);
    expected.numSequences = std::ssize(shares);
    return expected;
}

void checkEqual(const RecallAccuracy &got, const RecallAccuracy &expected)
{
    CHECK(got.recall == doctest::Approx(expected.recall).epsilon(1e-12));
    CHECK(got.recallSe == doctest::Approx(expected.recallSe).epsilon(1e-12));
    CHECK(got.filler == doctest::Approx(expected.filler).epsilon(1e-12));
    CHECK(got.numRecall == expected.numRecall);
    CHECK(got.numFiller == expected.numFiller);
    CHECK(got.numSequences == expected.numSequences);
}

}  // namespace

TEST_CASE("the perplexity of answers is the one of the softmax at their places, one position at a time in float64")
{
    const c10::NoGradGuard noGrad;
    const nn::Transformer model = modelOf(at::kDouble);
    auto all = sequences(5);
    std::fill(all[2].targets.begin(), all[2].targets.end(), RecallTarget::Filler);      // asks for nothing, and counts nowhere
    double nats = 0.0;
    std::int64_t answers = 0;
    for (const auto &sequence : all)
        for (std::size_t t = 0; t + 1 < sequence.ids.size(); ++t) {
            if (sequence.targets[t] != RecallTarget::Recall)
                continue;
            const std::vector<text::TokenId> before(sequence.ids.begin(), sequence.ids.begin() + static_cast<std::ptrdiff_t>(t) + 1);
            const at::Tensor logits = model.logits(model.forward(at::tensor(before, at::kLong).unsqueeze(0), {}, at::kDouble).hidden_BTD)[0][static_cast<std::int64_t>(t)].contiguous();
            const double *z = logits.const_data_ptr<double>();
            double sum = 0.0;
            for (std::int64_t v = 0; v < logits.numel(); ++v)
                sum += std::exp(z[v]);
            nats += std::log(sum) - z[sequence.ids[t + 1]];
            ++answers;
        }
    for (const std::int64_t batchSize : {1, 2, 16}) {
        const Perplexity measured = answerPerplexity(model, all, at::kDouble, batchSize);
        CHECK(measured.tokens == answers);
        CHECK(measured.natsPerToken == doctest::Approx(nats / static_cast<double>(answers)).epsilon(1e-12));
        CHECK(measured.perplexity() == doctest::Approx(std::exp(nats / static_cast<double>(answers))).epsilon(1e-12));
    }
    CHECK_THROWS_AS((void)answerPerplexity(model, {all[2]}, at::kDouble), Error);
}

TEST_CASE("recall and filler accuracy equal a count position by position, whatever the batch")
{
    const at::NoGradGuard noGrad;
    auto model = modelOf(at::kDouble);
    model.head_VD.slice(0, 0, 20).mul_(0.1);   // so that some answers are right: values and fillers stand out, keys do not
    const auto all = sequences(7);
    const auto expected = slowAccuracy(model, all);
    CHECK(expected.numRecall > 20);
    CHECK(expected.numFiller > 5);
    CHECK(expected.recall > 0.0);
    CHECK(expected.recall < 1.0);
    for (const std::int64_t batch : {1, 2, 3, 7, 64, 0})
        checkEqual(recallAccuracy(model, all, at::kDouble, batch), expected);
}

TEST_CASE("where all tokens are as likely, the lowest id is the answer")
{
    auto model = modelOf();
    model.head_VD = at::zeros_like(model.head_VD);
    auto all = sequences(3);
    std::int64_t zeros = 0, asked = 0;
    for (auto &sequence : all)
        for (std::size_t t = 0; t + 1 < sequence.ids.size(); ++t)
            if (sequence.targets[t] == RecallTarget::Recall) {
                if (asked++ % 3 == 0)
                    sequence.ids[t + 1] = 0;
                zeros += sequence.ids[t + 1] == 0;
            }
    const auto accuracy = recallAccuracy(model, all, at::kFloat);
    CHECK(accuracy.numRecall == asked);
    CHECK(accuracy.recall == doctest::Approx(static_cast<double>(zeros) / static_cast<double>(asked)));
    CHECK(zeros > 0);
}

TEST_CASE("a last token's target does not count, and sequences without a target do not dilute the error")
{
    const auto model = modelOf();
    auto all = sequences(4);
    all[1].targets.assign(all[1].targets.size(), RecallTarget::None);
    const auto before = recallAccuracy(model, all, at::kFloat);
    all[0].targets.back() = RecallTarget::Recall;   // nothing comes after it
    CHECK(recallAccuracy(model, all, at::kFloat).numRecall == before.numRecall);
    all.erase(all.begin() + 1);
    all[0].targets.back() = RecallTarget::None;
    CHECK(recallAccuracy(model, all, at::kFloat).recallSe == doctest::Approx(before.recallSe));
}

TEST_CASE("sequences that ask nothing, differ in length or break the model are refused")
{
    const auto model = modelOf();
    auto all = sequences(2);
    CHECK_THROWS_WITH_AS((void)recallAccuracy(model, {}, at::kFloat), doctest::Contains("ask for nothing"), Error);
    all[1].ids.pop_back();
    CHECK_THROWS_WITH_AS((void)recallAccuracy(model, all, at::kFloat), doctest::Contains("one length"), Error);
    all[1].targets.pop_back();
    CHECK_THROWS_WITH_AS((void)recallAccuracy(model, all, at::kFloat), doctest::Contains("one length"), Error);
    std::stop_source stopped;
    stopped.request_stop();
    CHECK_THROWS_AS((void)recallAccuracy(model, sequences(2), at::kFloat, 16, stopped.get_token()), Error);
    auto broken = modelOf();
    broken.finalNorm_D = at::full_like(broken.finalNorm_D, std::numeric_limits<double>::quiet_NaN());
    CHECK_THROWS_WITH_AS((void)recallAccuracy(broken, sequences(2), at::kFloat), doctest::Contains("not finite"), Error);
}

}  // namespace stillroom::evaluation
