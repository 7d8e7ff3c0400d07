// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/softmaxmixer.h"

#include <cstdint>
#include <vector>

namespace stillroom::calibration {

/// Tokens of one document in a sequence, in order, without padding.
struct Document {
    at::Tensor index_N;              ///< places in the sequence, on its device
    std::int64_t first = 0, count = 0;
    bool contiguous = true;
    /// The document's entries of a dimension that runs over the sequence's tokens.
    [[nodiscard]] at::Tensor of(const at::Tensor &x, std::int64_t dim) const;
};

/// The documents of a sequence of `numTokens` tokens; \param places  of one sequence, [1,T].
[[nodiscard]] std::vector<Document> documentsOf(const nn::TokenPlaces &places, std::int64_t numTokens, at::Device device);

/// The scores of one document of one softmax layer, a block of rows at a time.
class DocumentRows {
public:
    /// \param qkv  of the sequence, batch 1. \param type  float or double, what is computed in.
    DocumentRows(const nn::SoftmaxMixer &mixer, const Document &document, const nn::SoftmaxMixer::Qkv &qkv, at::ScalarType type);

    [[nodiscard]] std::int64_t numHeads() const { return m_heads; }
    [[nodiscard]] std::int64_t count() const { return m_count; }
    /// Rows of a block whose passes stay in the cache.
    [[nodiscard]] std::int64_t rowsPerBlock() const;
    /// q·k/√K of rows first … first + count − 1 with keys 0 … first + count − 1, [H,R,S]: also where a row does not see the key.
    [[nodiscard]] at::Tensor scores(std::int64_t first, std::int64_t count) const;
    /// Which of these keys each row sees, bool [R,S].
    [[nodiscard]] at::Tensor visible(std::int64_t first, std::int64_t count) const;
    /// softmax over the visible keys; exactly zero elsewhere.
    [[nodiscard]] at::Tensor probabilities(std::int64_t first, std::int64_t count) const;
    /// Σ_s w v, [H,R,V], for weights [H,R,S] of these keys.
    [[nodiscard]] at::Tensor weighted(const at::Tensor &weights_HRS) const;
    /// Keys that each row sees from key `dropped` on, float64 [R]; 0 where there is none.
    [[nodiscard]] at::Tensor keysSeen(std::int64_t first, std::int64_t count, std::int64_t dropped) const;

private:
    /// [H,R,·] as [G, (H/G)·R, ·]: the queries of one key/value head.
    [[nodiscard]] at::Tensor grouped(const at::Tensor &x) const { return x.reshape({m_groups, m_heads / m_groups * x.size(1), x.size(2)}); }

    std::int64_t m_heads, m_groups, m_count;
    at::Tensor m_q_HNK, m_k_GKN, m_v_GNV;
    at::Tensor m_index_N;
    at::Tensor m_firstSeen_N;      ///< with a sliding window that cuts: the first key that each row sees
};

}  // namespace stillroom::calibration
