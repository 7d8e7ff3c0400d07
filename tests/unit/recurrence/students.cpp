// SPDX-License-Identifier: GPL-3.0-or-later
// The students that this recurrence serves, each filled in as its paper does: chunked == token loop == M v.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "recurrence/reference.h"

using namespace stillroom::recurrence;
using namespace stillroom::recurrence::testing;

namespace {

constexpr std::int64_t B = 2, T = 77, H = 3, K = 6, V = 5;

at::Tensor keys(std::uint64_t seed) { return randn({B, T, H, K}, seed); }
at::Tensor unitKeys(std::uint64_t seed) { return keys(seed) / keys(seed).norm(2, -1, true); }
at::Tensor perHead(std::uint64_t seed) { return randn({B, T, H}, seed); }
at::Tensor decayRate(const at::Tensor &x) { return -at::softplus(x); }

Inputs attention() {
    Inputs inputs;
    inputs.q_BTHK = keys(1) / std::sqrt(static_cast<double>(K));
    inputs.k_BTHK = keys(2);
    inputs.v_BTHV = randn({B, T, H, V}, 3);
    return inputs;
}

/// Delta rules write beta k (v - S'^T k)^T, where S' is already decayed: a = -e^g k.
Inputs deltaRule(const at::Tensor &g) {
    auto inputs = attention();
    const auto key = unitKeys(2), beta = perHead(4).sigmoid().unsqueeze(3);
    inputs.k_BTHK = beta * key;
    inputs.g = g;
    inputs.a_BTHK = g.defined() ? -(g.dim() == 3 ? g.unsqueeze(3) : g).exp() * key : -key;
    return inputs;
}

Inputs retNet() {
    auto inputs = attention();
    inputs.g = at::log1p(-at::exp2(-5.0 - at::arange(H, at::kDouble))).expand({B, T, H}).contiguous();
    return inputs;
}

Inputs metaLA() {
    auto inputs = attention();
    inputs.g = at::log_sigmoid(keys(5)) / 16;
    inputs.k_BTHK = 1 - inputs.g.exp();
    return inputs;
}

Inputs mamba2() {
    auto inputs = attention();
    const auto delta = at::softplus(perHead(6));
    inputs.g = -delta * randn({H}, 7).exp();
    inputs.k_BTHK = inputs.k_BTHK * delta.unsqueeze(3);
    return inputs;
}

/// mLSTM: the exponential input gate is in k, the normaliser is the last column of [v, 1].
Inputs mLSTM() {
    auto inputs = attention();
    inputs.g = at::log_sigmoid(perHead(8) + 3);
    inputs.k_BTHK = inputs.k_BTHK * perHead(9).exp().unsqueeze(3);
    inputs.v_BTHV = at::cat({inputs.v_BTHV, at::ones({B, T, H, 1}, at::kDouble)}, 3);
    return inputs;
}

Inputs rwkv6() {
    auto inputs = attention();
    inputs.g = -keys(10).exp();
    inputs.read = Read::BeforeWrite;
    return inputs;
}

Inputs rwkv7() {
    auto inputs = attention();
    const auto erase = unitKeys(11);
    inputs.g = -0.6065306597 * keys(12).sigmoid();
    inputs.a_BTHK = -erase;
    inputs.b_BTHK = erase * keys(13).sigmoid();
    return inputs;
}

void checkStudent(const char *name, const Inputs &inputs) {
    CAPTURE(name);
    const auto expected = tokenLoop(inputs);
    CHECK(relativeError(chunked(inputs).o_BTHV, expected.o_BTHV) <= 1e-10);
    CHECK(relativeError(chunked(inputs).finalState_BHKV, expected.finalState_BHKV) <= 1e-10);
    CHECK(relativeError(at::einsum("bhts,bshv->bthv", {matrix(inputs), inputs.v_BTHV}), expected.o_BTHV) <= 1e-10);
}

}  // namespace

TEST_CASE("every student: chunked == token loop == M v") {
    auto linearAttention = attention();
    linearAttention.k_BTHK = at::elu(linearAttention.k_BTHK) + 1;
    linearAttention.q_BTHK = at::elu(linearAttention.q_BTHK) + 1;
    checkStudent("linear attention", linearAttention);
    checkStudent("RetNet", retNet());
    auto gla = attention();
    gla.g = at::log_sigmoid(keys(14)) / 16;
    checkStudent("GLA", gla);
    checkStudent("MetaLA", metaLA());
    checkStudent("Mamba-2", mamba2());
    checkStudent("mLSTM", mLSTM());
    checkStudent("DeltaNet", deltaRule({}));
    checkStudent("Gated DeltaNet", deltaRule(decayRate(perHead(15)) * randn({H}, 16).exp()));
    checkStudent("KDA", deltaRule(decayRate(keys(17)) * 3));
    checkStudent("RWKV-6", rwkv6());
    checkStudent("RWKV-7", rwkv7());
}

// The decayed read of a delta rule, S' + beta k (v - S'^T k)^T, by its own definition.
TEST_CASE("the tied form is the gated delta rule of the papers") {
    const auto g = decayRate(keys(18));
    const auto inputs = deltaRule(g);
    const auto key = unitKeys(2), beta = perHead(4).sigmoid();
    auto S_BHKV = at::zeros({B, H, K, V}, at::kDouble);
    const auto o_BTHV = chunked(inputs).o_BTHV;
    for (std::int64_t t = 0; t < T; ++t) {
        const auto k_BHK1 = key.select(1, t).unsqueeze(3), v_BH1V = inputs.v_BTHV.select(1, t).unsqueeze(2);
        S_BHKV = g.select(1, t).exp().unsqueeze(3) * S_BHKV;
        const auto error_BH1V = v_BH1V - (k_BHK1 * S_BHKV).sum(2, true);
        S_BHKV = S_BHKV + beta.select(1, t).view({B, H, 1, 1}) * k_BHK1 * error_BH1V;
        const auto o_BHV = (inputs.q_BTHK.select(1, t).unsqueeze(3) * S_BHKV).sum(2);
        CHECK(relativeError(o_BTHV.select(1, t), o_BHV) <= 1e-10);
    }
}

TEST_CASE("mLSTM's normalised read equals its own recurrence with a running maximum") {
    const auto inputs = mLSTM();
    const auto y = chunked(inputs).o_BTHV;
    const auto h = y.slice(3, 0, V) / y.slice(3, V).abs().clamp_min(1);
    const auto inputGate = perHead(9), plainKey = keys(2);
    auto C = at::zeros({B, H, K, V}, at::kDouble), n = at::zeros({B, H, K}, at::kDouble), m = at::zeros({B, H}, at::kDouble);
    for (std::int64_t t = 0; t < T; ++t) {
        const auto decayed = inputs.g.select(1, t) + m, entering = inputGate.select(1, t);
        m = at::maximum(decayed, entering);
        const auto f = (decayed - m).exp(), i = (entering - m).exp();
        const auto k = plainKey.select(1, t), v = inputs.v_BTHV.select(1, t).slice(2, 0, V), q = inputs.q_BTHK.select(1, t);
        C = f.view({B, H, 1, 1}) * C + i.view({B, H, 1, 1}) * k.unsqueeze(3) * v.unsqueeze(2);
        n = f.unsqueeze(2) * n + i.unsqueeze(2) * k;
        const auto floor = (-m).exp().unsqueeze(2);
        const auto expected = (q.unsqueeze(3) * C).sum(2) / at::maximum((q * n).sum(2, true).abs(), floor);
        CHECK(relativeError(h.select(1, t), expected) <= 1e-9);
    }
}
