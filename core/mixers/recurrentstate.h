// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/tokenmixer.h"

namespace stillroom::mixers {

/// What a recurrent mixer remembers: constant in the number of tokens.
/// Legend: B batch, H distinct states (heads that share keys, values and decay share one), K key channels, V value channels,
/// P taps − 1, C channels before the short convolution (q, k, v side by side).
class RecurrentState final : public nn::LayerState {
public:
    at::Tensor S_BHKV;             ///< fp32 (fp64 when computing in fp64)
    at::Tensor history_BPC;        ///< last inputs of the short convolution, in the compute type; undefined without one
    at::Tensor lastDocument_B;     ///< int64: the document that S belongs to, -1 before the first token

    [[nodiscard]] std::unique_ptr<nn::LayerState> clone() const override;
    [[nodiscard]] std::int64_t sizeBytes() const override;
    [[nodiscard]] std::vector<std::pair<std::string, at::Tensor>> tensors() const override;

    /// Forgets, in the rows whose next valid token is of another document than the last one was, everything; then notes the last document
    /// of these tokens. `documents_BT` undefined: they go on with the document at hand.
    void enter(const at::Tensor &documents_BT);
};

}  // namespace stillroom::mixers
