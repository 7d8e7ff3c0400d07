// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"

namespace stillroom::test {

/// A config of 2 layers, D 32, H 4, G 2, K 8, V 61, untied; change what a test is about.
[[nodiscard]] checkpoint::ModelConfig tinyConfig();
/// Weights drawn from N(0, 0.2²), norms around 1, in the given type.
[[nodiscard]] nn::Transformer tinyModel(const checkpoint::ModelConfig &config, std::uint64_t seed = 1, at::ScalarType type = at::kFloat);
[[nodiscard]] at::Tensor randomIds(std::int64_t batch, std::int64_t numTokens, std::int64_t vocabSize, std::uint64_t seed = 1);
/// max|a − b| / max|b|, in fp64; infinity where shapes differ or something is not finite.
[[nodiscard]] double relativeError(const at::Tensor &a, const at::Tensor &b);
/// Mean next-token cross-entropy of every row, transformers' loss.
[[nodiscard]] at::Tensor nextTokenLoss(const at::Tensor &logits_BTV, const at::Tensor &ids_BT);

}  // namespace stillroom::test
