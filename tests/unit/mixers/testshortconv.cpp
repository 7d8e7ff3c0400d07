// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/compare.h"
#include "mixers/shortconv.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <vector>

namespace stillroom::mixers::test::shortconv_tests {

namespace {

/// The definition: each row's documents one by one, padding left out, number by number.
struct Expected {
    at::Tensor y_BTC, history_BPC;
};

Expected slowConvolution(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &history, const at::Tensor &documents)
{
    const std::int64_t T = x.size(1), C = x.size(2), W = weight.size(2);
    Expected expected{at::zeros_like(x), at::zeros({x.size(0), W - 1, C}, x.options())};
    for (std::int64_t b = 0; b < x.size(0); ++b) {
        std::vector<at::Tensor> seen;   // inputs of the document at hand
        for (std::int64_t p = 0; history.defined() && p < W - 1; ++p)
            seen.push_back(history[b][p]);
        std::int64_t current = -1;
        for (std::int64_t t = 0; t < T; ++t) {
            const std::int64_t document = documents.defined() ? documents[b][t].item<std::int64_t>() : 0;
            if (document < 0)
                continue;
            if (current >= 0 && document != current)
                seen.clear();
            current = document;
            seen.push_back(x[b][t]);
            for (std::int64_t j = 0; j < W; ++j)
                if (static_cast<std::int64_t>(seen.size()) > j)
                    expected.y_BTC[b][t] += weight.select(2, W - 1 - j).squeeze(1) * seen[seen.size() - 1 - static_cast<std::size_t>(j)];
        }
        for (std::int64_t p = 0; p < W - 1 && p < static_cast<std::int64_t>(seen.size()); ++p)
            expected.history_BPC[b][W - 2 - p].copy_(seen[seen.size() - 1 - static_cast<std::size_t>(p)]);
    }
    return expected;
}

void check(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &history, const at::Tensor &documents)
{
    const auto expected = slowConvolution(x, weight, history, documents);
    const auto got = shortConvolution(x, weight, history, documents);
    const auto valid = documents.defined() ? documents.ge(0).unsqueeze(2).expand_as(x) : at::ones_like(x, at::kBool);
    CHECK((got.y_BTC - expected.y_BTC).masked_fill(valid.logical_not(), 0).abs().max().item<double>() <= 1e-12);
    CHECK(got.y_BTC.isfinite().all().item<bool>());
    CHECK(at::equal(got.history_BPC, expected.history_BPC));
}

}  // namespace

TEST_CASE("the short convolution equals its definition: taps, histories, packed documents, padding anywhere")
{
    std::uint64_t seed = 0;
    for (const std::int64_t W : {1, 2, 4, 7})
        for (const std::int64_t T : {1, 2, 3, 4, 12})
            for (const bool remembered : {false, true})
                for (int draw = 0; draw < 6; ++draw) {
                    CAPTURE(W);
                    CAPTURE(T);
                    CAPTURE(draw);
                    const auto x = randomNormal({3, T, 5}, ++seed), weight = randomNormal({5, 1, W}, ++seed);
                    const auto history = remembered ? randomNormal({3, W - 1, 5}, ++seed) : at::Tensor();
                    at::Tensor documents;
                    if (draw > 0) {   // runs of documents with padding sprinkled over them; draw 5: padding only
                        const auto runs = (randomNormal({3, T}, ++seed).gt(0.8).to(at::kLong)).cumsum(1);
                        documents = runs.masked_fill(randomNormal({3, T}, ++seed).gt(draw == 5 ? -100.0 : 0.7), -1);
                    }
                    check(x, weight, history, documents);
                }
}

TEST_CASE("the last tap multiplies the current token, and bfloat16 inputs are summed in float32")
{
    const auto x = randomNormal({1, 6, 2}, 1, at::kBFloat16);
    const auto identity = at::cat({at::zeros({2, 1, 3}), at::ones({2, 1, 1})}, 2);
    const auto same = shortConvolution(x, identity, {}, {});
    CHECK((same.y_BTC.scalar_type() == at::kFloat));
    CHECK((same.history_BPC.scalar_type() == at::kBFloat16));
    CHECK(at::equal(same.y_BTC, x.to(at::kFloat)));
    const auto delay = at::cat({at::ones({2, 1, 1}), at::zeros({2, 1, 3})}, 2);   // the first tap: three tokens ago
    CHECK(at::equal(shortConvolution(x, delay, {}, {}).y_BTC.slice(1, 3), x.to(at::kFloat).slice(1, 0, 3)));
}

}  // namespace stillroom::mixers::test::shortconv_tests
