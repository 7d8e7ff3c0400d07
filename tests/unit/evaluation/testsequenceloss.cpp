// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "evaluation/perplexity.h"
#include "evaluation/sequenceloss.h"
#include "nn/tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cmath>

namespace stillroom::evaluation {

TEST_CASE("the loss of a sequence is -log p of its labelled tokens, written out in float64")
{
    const std::int64_t length = 300, width = 6, vocabulary = 11;         // more than one slice
    at::Tensor hidden_BTD = test::randomIds(2, length * width, 1000, 2).to(at::kFloat).view({2, length, width}) / 300.0 - 1.5;
    const at::Tensor head_VD = test::randomIds(vocabulary, width, 1000, 3).to(at::kFloat) / 500.0 - 1.0;
    at::Tensor labels_BT = test::randomIds(2, length, vocabulary, 4);
    labels_BT[1].narrow(0, 100, 150).fill_(-100);
    const SequenceLosses losses = sequenceLosses(hidden_BTD, head_VD, labels_BT);
    CHECK(losses.tokens == std::vector<std::int64_t>{300, 150});
    for (std::int64_t row = 0; row < 2; ++row) {
        double sum = 0.0;
        for (std::int64_t t = 0; t < length; ++t) {
            const auto label = labels_BT[row][t].item<std::int64_t>();
            if (label < 0)
                continue;
            double all = 0.0, chosen = 0.0;
            for (std::int64_t v = 0; v < vocabulary; ++v) {
                double logit = 0.0;
                for (std::int64_t d = 0; d < width; ++d)
                    logit += hidden_BTD[row][t][d].item<double>() * head_VD[v][d].item<double>();
                all += std::exp(logit);
                if (v == label)
                    chosen = logit;
            }
            sum += std::log(all) - chosen;
        }
        CHECK(losses.nats[static_cast<std::size_t>(row)] == doctest::Approx(sum / static_cast<double>(losses.tokens[static_cast<std::size_t>(row)])).epsilon(1e-6));
    }
    // Rows do not see each other.
    CHECK(sequenceLosses(hidden_BTD.narrow(0, 1, 1), head_VD, labels_BT.narrow(0, 1, 1)).nats.front() == losses.nats[1]);
}

TEST_CASE("the loss of a sequence is that of perplexity on the same text")
{
    const nn::Transformer model = test::tinyModel(test::tinyConfig());
    const at::Tensor ids_BT = test::randomIds(1, 40, test::tinyConfig().vocabSize, 6);
    at::Tensor labels_BT = at::full({1, 40}, -100, at::TensorOptions(at::kLong));
    labels_BT.narrow(1, 0, 39).copy_(ids_BT.narrow(1, 1, 39));
    const SequenceLosses losses = sequenceLosses(model.forward(ids_BT, {}, at::kFloat).hidden_BTD, model.head_VD, labels_BT);
    const Perplexity whole = perplexity(model, {ids_BT.const_data_ptr<std::int64_t>(), 40}, {});
    CHECK(losses.nats.front() == doctest::Approx(whole.natsPerToken).epsilon(1e-6));
    CHECK(losses.tokens.front() == whole.tokens);
}

TEST_CASE("logits are in float32 from the head on, whatever the states are in")
{
    const at::Tensor states_BTD = (test::randomIds(1, 8 * 6, 1000, 12).to(at::kFloat).view({1, 8, 6}) / 300.0 - 1.5).to(at::kBFloat16);
    const at::Tensor head_VD = test::randomIds(11, 6, 1000, 13).to(at::kFloat) / 500.0 - 1.0, labels_BT = test::randomIds(1, 8, 11, 14);
    CHECK(sequenceLosses(states_BTD, head_VD, labels_BT).nats == sequenceLosses(states_BTD.to(at::kFloat), head_VD, labels_BT).nats);
}

TEST_CASE("the errors of a sequence are counted one token after the other")
{
    const std::int64_t length = 300, width = 6, vocabulary = 5;
    const at::Tensor hidden_BTD = test::randomIds(2, length * width, 1000, 2).to(at::kFloat).view({2, length, width}) / 300.0 - 1.5;
    const at::Tensor head_VD = test::randomIds(vocabulary, width, 1000, 3).to(at::kFloat) / 500.0 - 1.0;
    at::Tensor labels_BT = test::randomIds(2, length, vocabulary, 4);
    labels_BT[1].narrow(0, 0, 280).fill_(-100);
    const std::vector<double> errors = sequenceErrors(hidden_BTD, head_VD, labels_BT);
    for (std::int64_t row = 0; row < 2; ++row) {
        double wrong = 0.0, all = 0.0;
        for (std::int64_t t = 0; t < length; ++t) {
            const auto label = labels_BT[row][t].item<std::int64_t>();
            if (label < 0)
                continue;
            std::int64_t best = 0;
            const at::Tensor logits_V = at::mv(head_VD, hidden_BTD[row][t]);
            for (std::int64_t v = 1; v < vocabulary; ++v)
                if (logits_V[v].item<float>() > logits_V[best].item<float>())
                    best = v;
            wrong += best == label ? 0.0 : 1.0;
            all += 1.0;
        }
        CHECK(wrong > 0.0);
        CHECK(wrong < all);
        CHECK(errors[static_cast<std::size_t>(row)] == wrong / all);
    }
    at::Tensor broken_BTD = hidden_BTD.clone();
    broken_BTD[0][7].fill_(std::nan(""));
    CHECK_THROWS_AS((void)sequenceErrors(broken_BTD, head_VD, labels_BT), Error);
}

TEST_CASE("labels that cannot be are refused")
{
    const at::Tensor hidden_BTD = at::ones({2, 3, 4}), head_VD = at::ones({5, 4}), labels_BT = at::zeros({2, 3}, at::TensorOptions(at::kLong));
    CHECK_THROWS_AS((void)sequenceLosses(hidden_BTD, head_VD, labels_BT.narrow(0, 0, 1)), Error);
    CHECK_THROWS_AS((void)sequenceLosses(hidden_BTD, head_VD, labels_BT + 5), Error);
    at::Tensor none_BT = labels_BT.clone();
    none_BT[1].fill_(-1);
    CHECK_THROWS_WITH_AS((void)sequenceLosses(hidden_BTD, head_VD, none_BT), doctest::Contains("predicts no token"), Error);
    CHECK_THROWS_AS((void)sequenceLosses(hidden_BTD * INFINITY, head_VD, labels_BT), Error);
}

}  // namespace stillroom::evaluation
