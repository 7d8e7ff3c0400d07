// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelconfig.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stillroom::mixers {

/// How large a model is, known from its config alone: of a teacher and of a hybrid, each layer by its own mixer.
struct ModelSize {
    struct Part {
        std::string name;                  ///< embedding, attention, linear, mlp, norms, head
        std::int64_t parameters = 0;
    };
    std::vector<Part> parts;               ///< in the order that they are computed in; "linear" only where a layer is
    std::int64_t parameters = 0;           ///< their sum; a tied head counted once
    std::int64_t kvBytesPerToken = 0;      ///< of the softmax layers, in bf16, one sequence; a sliding window bounds the tokens, not this
    std::int64_t stateBytes = 0;           ///< of the linear layers, in fp32, one sequence, with what a mixer keeps beside S
};

/// \throws Error(BadFile) where a layer's mixer or its options do not exist
[[nodiscard]] ModelSize modelSize(const checkpoint::ModelConfig &config);

}  // namespace stillroom::mixers
