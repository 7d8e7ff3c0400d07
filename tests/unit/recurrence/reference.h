// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "recurrence/arguments.h"
#include "recurrence/recurrence.h"

/// The slow and obvious side of the recurrence tests.
namespace stillroom::recurrence::testing {

struct Variant {
    Writing writing = Writing::Additive;
    DecayKind decay = DecayKind::None;
    Read read = Read::AfterWrite;
    [[nodiscard]] std::string name() const;
};

/// All 18.
[[nodiscard]] std::vector<Variant> allVariants();

struct Size {
    std::int64_t B = 2, T = 37, H = 2, K = 5, V = 4;
};

/// Random inputs as a mixer would make them: unit keys, beta in (0,1), g = logsigmoid(randn) * decayScale, a random initial state.
/// Tied: k = beta k^, a = -e^g k^ (gated delta rule). General: a, b as in RWKV-7.
[[nodiscard]] Inputs randomInputs(const Variant &variant, const Size &size, std::uint64_t seed, c10::ScalarType type = at::kDouble,
                                  double decayScale = 1.0);

/// The same with another decay: for tied inputs `a` follows it.
void setDecay(Inputs &inputs, const Variant &variant, const at::Tensor &g);

/// Token by token, straight from the definition, row by row, in plain (differentiable) tensor operations.
[[nodiscard]] Outputs tokenLoop(const Inputs &inputs);

/// The tensors of `inputs` that can carry a gradient, with names, in a fixed order.
struct Named {
    std::string name;
    at::Tensor *tensor;
};
[[nodiscard]] std::vector<Named> differentiable(Inputs &inputs);

/// Copies whose leaves ask for a gradient.
[[nodiscard]] Inputs withGradients(const Inputs &inputs);
[[nodiscard]] Inputs converted(const Inputs &inputs, c10::ScalarType type);

/// Gradients of sum(o·w1) + sum(finalState·w2) with fixed random weights, in the order of `differentiable`.
[[nodiscard]] std::vector<at::Tensor> gradientsOf(Inputs &inputs, const Outputs &outputs, std::uint64_t seed);

/// max|a-b| / max(1e-30, max|b|)
[[nodiscard]] double relativeError(const at::Tensor &a, const at::Tensor &b);
[[nodiscard]] double largest(const at::Tensor &x);
[[nodiscard]] at::Tensor randn(at::IntArrayRef shape, std::uint64_t seed, c10::ScalarType type = at::kDouble);

/// A part of the tokens, [first, last).
[[nodiscard]] Inputs tokens(const Inputs &inputs, std::int64_t first, std::int64_t last);
/// One batch row.
[[nodiscard]] Inputs row(const Inputs &inputs, std::int64_t index);

}  // namespace stillroom::recurrence::testing
