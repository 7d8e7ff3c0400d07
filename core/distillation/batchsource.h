// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace stillroom::distillation {

/// The sequences of one optimizer step (all of its micro-batches), on the CPU.
struct Batch {
    at::Tensor ids_BT;         ///< int64
    at::Tensor documents_BT;   ///< int64, -1 is padding; undefined: one document, no padding
    at::Tensor lossMask_BT;    ///< bool, true where the token's loss counts; undefined: all. Padding never counts
};

/// Where training data comes from. A batch is a pure function of (source, step): the position is the step, so that a resumed run needs
/// only its number, and students that are compared see the same batches in the same order.
class BatchSource {
public:
    virtual ~BatchSource() = default;
    /// \throws Error(Usage) for a negative step, Error(BadFile) when the data cannot be read.
    [[nodiscard]] virtual Batch batch(std::int64_t step) = 0;
    /// Names the data for people and for a stage's key: content hash, order, seed.
    [[nodiscard]] virtual std::string description() const = 0;
};

/// Sequences held in memory, drawn without replacement in an order shuffled anew for each pass from hash(seed, "batch-order", pass).
class TensorBatchSource final : public BatchSource {
public:
    /// \param sequences  N sequences; members as in Batch with N rows. \throws Error(Usage) for shapes that do not fit or batchSize < 1.
    TensorBatchSource(Batch sequences, std::int64_t batchSize, std::uint64_t seed);
    [[nodiscard]] Batch batch(std::int64_t step) override;
    [[nodiscard]] std::string description() const override;

private:
    Batch m_sequences;
    std::int64_t m_batchSize;
    std::uint64_t m_seed;
    std::int64_t m_pass = -1;        ///< pass whose order m_order holds
    std::vector<std::int64_t> m_order;
    void shuffleFor(std::int64_t pass);
};

/// True where a token's loss counts: not padding, and in lossMask where there is one. [B,T] bool on the CPU.
[[nodiscard]] at::Tensor countedTokens(const Batch &batch);
/// Next-token labels [B,T] on the CPU, -100 where there is none: the last column, another document's token, padding, or an uncounted position.
[[nodiscard]] at::Tensor nextTokenLabels(const Batch &batch);
/// Rows first … first+count-1 of a batch: a micro-batch.
[[nodiscard]] Batch rowsOf(const Batch &batch, std::int64_t first, std::int64_t count);
/// \throws Error(Usage) naming the member whose type or shape is wrong.
void checkBatch(const Batch &batch, std::int64_t vocabSize);

}  // namespace stillroom::distillation
