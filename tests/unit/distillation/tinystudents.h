// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "distillation/stageone.h"
#include "nn/transformer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stillroom::distillation::test {

/// A teacher of 4 layers, width 32, 4 query and 2 key/value heads of 8, vocabulary 61.
[[nodiscard]] nn::Transformer tinyTeacher(at::ScalarType type = at::kFloat, bool tiedHead = false);
/// A softmax Transformer of another size, untied, with half as many key/value heads as query heads.
[[nodiscard]] nn::Transformer softmaxModel(int layers, int width, int vocabulary, int heads = 4, int headDim = 8);
/// Linear mixers made from the teacher's layers.
[[nodiscard]] std::vector<AlignedLayer> linearLayers(const nn::Transformer &teacher, const std::vector<int> &layers, const std::string &kind = "gdn");
/// The teacher with those layers' mixers in place.
[[nodiscard]] nn::Transformer hybridOf(const nn::Transformer &teacher, const std::vector<AlignedLayer> &layers);
/// Random sequences of two documents each, left padding and a ragged loss mask.
[[nodiscard]] Batch raggedBatch(std::int64_t sequences, std::int64_t length, std::uint64_t seed = 1);
/// The same batch in every step.
class FixedSource final : public BatchSource {
public:
    explicit FixedSource(Batch batch) : m_batch(std::move(batch)) {}
    Batch batch(std::int64_t) override { return m_batch; }
    std::string description() const override { return "one batch"; }

private:
    Batch m_batch;
};
[[nodiscard]] TensorBatchSource shuffledSource(std::int64_t batchSize = 4, std::int64_t length = 12);

/// Copies of a mixer's or model's parameters, in order.
[[nodiscard]] std::vector<at::Tensor> parametersOf(nn::TokenMixer &mixer);
[[nodiscard]] std::vector<at::Tensor> parametersOf(nn::Transformer model);
[[nodiscard]] bool sameBits(const std::vector<at::Tensor> &a, const std::vector<at::Tensor> &b);
/// Largest difference over the largest entry, over all tensors.
[[nodiscard]] double largestRelative(const std::vector<at::Tensor> &a, const std::vector<at::Tensor> &b);

}  // namespace stillroom::distillation::test
