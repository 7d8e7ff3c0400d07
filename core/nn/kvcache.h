// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/tokenmixer.h"

namespace stillroom::nn {

/// Keys and values of the tokens so far, in buffers made once and written in place. With a sliding window the buffers are a ring of
/// `window` slots: token n lies in slot n mod window.
class KvCache final : public LayerState {
public:
    struct Shape {
        std::int64_t batch = 0, kvHeads = 0, headDim = 0;
        std::int64_t maxTokens = 0;
        std::int64_t window = 0;   ///< 0: no limit
        [[nodiscard]] std::int64_t capacity() const { return window > 0 && window < maxTokens ? window : maxTokens; }
    };
    /// What the queries of one call attend to. Of several queries, key s stands at index firstKey + s; a single query sees every key
    /// (but for documents), in whatever order they lie.
    struct Keys {
        at::Tensor k_BGSK, v_BGSK;      ///< G key/value heads
        at::Tensor documents_BS;        ///< undefined: no documents or padding so far
        std::int64_t firstKey = 0, firstQuery = 0;
    };

    KvCache(const Shape &shape, at::TensorOptions options);

    /// Remembers T more tokens. \throws Error(Usage) when they do not fit.
    [[nodiscard]] Keys append(const at::Tensor &k_BGTK, const at::Tensor &v_BGTK, const at::Tensor &documents_BT);
    [[nodiscard]] std::int64_t numTokens() const { return m_numTokens; }

    [[nodiscard]] std::unique_ptr<LayerState> clone() const override;
    [[nodiscard]] std::int64_t sizeBytes() const override;
    /// "k", "v" (filled slots only), "documents" where there are any, "num_tokens".
    [[nodiscard]] std::vector<std::pair<std::string, at::Tensor>> tensors() const override;

private:
    [[nodiscard]] std::int64_t filled() const;
    void write(const at::Tensor &k_BGTK, const at::Tensor &v_BGTK, const at::Tensor &documents_BT);
    [[nodiscard]] Keys filledKeys() const;

    Shape m_shape;
    at::Tensor m_k_BGSK, m_v_BGSK, m_documents_BS;
    std::int64_t m_numTokens = 0;
};

}  // namespace stillroom::nn
