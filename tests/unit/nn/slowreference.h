// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"

#include <vector>

namespace stillroom::test {

/// One value per (token, channel) or (token, vocabulary entry).
using Rows = std::vector<std::vector<double>>;

/// A softmax Transformer as its definition reads, one number at a time in double: no batch, no cache, no shared code with the room.
/// `documents` empty: one document. Positions count from each document's first token.
struct SlowReference {
    Rows logits;
    std::vector<Rows> hiddenStates;    ///< input of each layer, then the final norm's output
    std::vector<Rows> mixerOutputs;
    std::vector<std::vector<Rows>> probabilities;   ///< [layer][head][t][s]
};
[[nodiscard]] SlowReference slowForward(const nn::Transformer &model, const std::vector<std::int64_t> &ids, const std::vector<std::int64_t> &documents = {});

}  // namespace stillroom::test
