// SPDX-License-Identifier: GPL-3.0-or-later
// Padding is as if it were not there; packed documents are as if each were alone.
#include "mixers/compare.h"
#include "mixers/registry.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <utility>

namespace stillroom::mixers::test::documents_tests {

namespace {

const std::pair<const char *, const char *> cases[] = {
    {"gdn", "{}"},
    {"gdn", R"({"short_conv": true})"},
    {"gla", R"({"num_kv_heads": 2})"},
    {"gla", R"({"short_conv": true})"},
};

std::shared_ptr<nn::TokenMixer> mixerOf(const std::pair<const char *, const char *> &which, at::ScalarType type)
{
    const auto mixer = fromTeacher(which.first, which.second, tinyModel(tinyConfig()), 0, 3);
    perturb(*mixer, 5);
    mixer->visitParameters([type](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.to(type); });
    return mixer;
}

/// [1,T] of document 0 with the given tokens marked as padding.
at::Tensor withPadding(std::int64_t tokens, const std::vector<std::pair<std::int64_t, std::int64_t>> &padded)
{
    auto documents = at::zeros({1, tokens}, at::kLong);
    for (const auto &[from, to] : padded)
        documents.slice(1, from, to).fill_(-1);
    return documents;
}

}  // namespace

TEST_CASE("what stands in the padding changes no bit of a valid output, alone or in a batch")
{
    const at::NoGradGuard noGrad;
    const std::int64_t T = 90;
    const auto documents = at::cat({withPadding(T, {{0, 7}}), withPadding(T, {{80, 90}}), withPadding(T, {{30, 33}, {0, 1}, {89, 90}})}, 0);
    for (const auto &which : cases) {
        CAPTURE(std::string(which.second));
        const auto mixer = mixerOf(which, at::kFloat);
        const auto x = randomNormal({3, T, 32}, 31, at::kFloat);
        const auto padding = documents.lt(0).unsqueeze(2);
        const auto other = at::where(padding, 1e4 * randomNormal({3, T, 32}, 32, at::kFloat), x);
        for (const std::int64_t rows : {1, 3}) {
            const nn::TokenPlaces places{.positions_BT = {}, .documents_BT = documents.slice(0, 0, rows)};
            const auto skip = padding.slice(0, 0, rows);
            const auto a = mixer->forward(x.slice(0, 0, rows), places, nullptr), b = mixer->forward(other.slice(0, 0, rows), places, nullptr);
            CHECK(at::equal(a.masked_fill(skip, 0), b.masked_fill(skip, 0)));
            CHECK(b.isfinite().all().item<bool>());
        }
    }
}

TEST_CASE("a padded sequence equals the sequence alone, and leaves the same state")
{
    const at::NoGradGuard noGrad;
    for (const auto &which : cases) {
        CAPTURE(std::string(which.second));
        const auto mixer = mixerOf(which, at::kDouble);
        const auto x = randomNormal({1, 70, 32}, 33);
        for (const auto &padded : std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>>{{{0, 5}}, {{66, 70}}, {{20, 23}}, {{0, 1}, {2, 4}, {64, 66}, {69, 70}}}) {
            const auto documents = withPadding(70, padded);
            const auto valid = documents[0].ge(0).nonzero().squeeze(1);
            const auto alone = x.index_select(1, valid);
            const auto stateAlone = mixer->initialState(1, 70, at::kDouble), statePadded = mixer->initialState(1, 70, at::kDouble);
            const auto expected = mixer->forward(alone, {}, stateAlone.get());
            const auto got = mixer->forward(x, {.positions_BT = {}, .documents_BT = documents}, statePadded.get());
            CHECK(relativeError(got.index_select(1, valid), expected) <= 1e-12);
            for (std::size_t i = 0; i + 1 < stateAlone->tensors().size(); ++i)   // all but the note of the last document
                CHECK(relativeError(statePadded->tensors()[i].second, stateAlone->tensors()[i].second) <= 1e-12);
            const auto next = randomNormal({1, 1, 32}, 34);
            CHECK(relativeError(mixer->forward(next, {}, statePadded.get()), mixer->forward(next, {}, stateAlone.get())) <= 1e-12);
        }
    }
}

TEST_CASE("a decode step on padding leaves every bit of the state")
{
    const at::NoGradGuard noGrad;
    for (const auto &which : cases) {
        CAPTURE(std::string(which.second));
        const auto mixer = mixerOf(which, at::kFloat);
        const auto state = mixer->initialState(2, 70, at::kFloat);
        const auto x = randomNormal({2, 20, 32}, 35, at::kFloat);
        (void)mixer->forward(x, {.positions_BT = {}, .documents_BT = at::zeros({2, 20}, at::kLong)}, state.get());
        const auto before = state->clone();
        const auto documents = at::tensor({-1, 0}, at::kLong).unsqueeze(1);   // row 0 has ended, row 1 goes on
        (void)mixer->forward(randomNormal({2, 1, 32}, 36, at::kFloat), {.positions_BT = {}, .documents_BT = documents}, state.get());
        for (std::size_t i = 0; i < before->tensors().size(); ++i)
            CHECK(at::equal(state->tensors()[i].second[0], before->tensors()[i].second[0]));
        CHECK_FALSE(at::equal(state->tensors()[0].second[1], before->tensors()[0].second[1]));
    }
}

TEST_CASE("packed documents equal each alone, with gradients that stay in their document")
{
    for (const auto &which : cases) {
        CAPTURE(std::string(which.second));
        const auto mixer = mixerOf(which, at::kDouble);
        const std::vector<std::int64_t> lengths{1, 2, 40, 30, 64, 3};
        std::vector<at::Tensor> ids;
        for (std::size_t i = 0; i < lengths.size(); ++i)
            ids.push_back(at::full({1, lengths[i]}, static_cast<std::int64_t>(i), at::kLong));
        const auto documents = at::cat(ids, 1);
        const auto x = randomNormal({1, documents.size(1), 32}, 37).requires_grad_(true);
        const auto packed = mixer->forward(x, {.positions_BT = {}, .documents_BT = documents}, nullptr);
        std::int64_t start = 0;
        for (const std::int64_t length : lengths) {
            CHECK(relativeError(packed.slice(1, start, start + length), mixer->forward(x.slice(1, start, start + length), {}, nullptr)) <= 1e-12);
            start += length;
        }
        packed.slice(1, 43, 73).sum().backward();   // the fourth document
        const auto perToken = x.grad().abs().sum(2)[0];
        CHECK(perToken.slice(0, 43, 73).min().item<double>() > 0);
        CHECK(perToken.slice(0, 0, 43).max().item<double>() == 0);
        CHECK(perToken.slice(0, 73).max().item<double>() == 0);
    }
}

TEST_CASE("a state does not reach into the next document")
{
    const at::NoGradGuard noGrad;
    for (const auto &which : cases) {
        CAPTURE(std::string(which.second));
        const auto mixer = mixerOf(which, at::kDouble);
        const auto x = randomNormal({2, 30, 32}, 38);
        // Row 0 goes on with document 0, row 1 begins document 1, in one call of many tokens and token by token.
        for (const std::int64_t step : {15, 1}) {
            const auto state = mixer->initialState(2, 30, at::kDouble);
            (void)mixer->forward(x.slice(1, 0, 15), {.positions_BT = {}, .documents_BT = at::zeros({2, 15}, at::kLong)}, state.get());
            std::vector<at::Tensor> pieces;
            for (std::int64_t t = 15; t < 30; t += step)
                pieces.push_back(mixer->forward(x.slice(1, t, t + step), {.positions_BT = {}, .documents_BT = at::tensor({0, 1}, at::kLong).unsqueeze(1).expand({2, step})}, state.get()));
            const auto got = at::cat(pieces, 1);
            CHECK(relativeError(got[0], mixer->forward(x.slice(0, 0, 1), {}, nullptr)[0].slice(0, 15)) <= 1e-12);
            CHECK(relativeError(got[1], mixer->forward(x.slice(0, 1).slice(1, 15), {}, nullptr)[0]) <= 1e-12);
        }
    }
}

}  // namespace stillroom::mixers::test::documents_tests
