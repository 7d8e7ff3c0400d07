// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace stillroom::evaluation {

/// How far a student's hidden states turn away from its teacher's, layer after layer, when each runs on its own states: what errors of single layers
/// add up to, which the teacher-forced loss of stage 1 does not show.
/// cos(h_T, h_S) is taken token by token and averaged over a sequence's counted tokens, in float64.
struct HiddenCosines {
    std::vector<std::vector<double>> afterBlock;   ///< [L][sequences]: of the residual stream after block n
    std::vector<double> final;                     ///< [sequences]: after the final norm
    void append(const HiddenCosines &more);        ///< the sequences of another batch
};

/// Both models run side by side, block by block: memory holds two states, whatever L is.
/// \param places  undefined members are filled in. \param counted_BT  bool, on the CPU: which tokens enter the means.
/// \throws Error(Usage) when depth or width differ or a sequence counts no token; Error(NonFinite) naming the layer; Error(Cancelled).
[[nodiscard]] HiddenCosines hiddenCosines(const nn::Transformer &teacher, const nn::Transformer &student, const at::Tensor &ids_BT, const nn::TokenPlaces &places,
                                          const at::Tensor &counted_BT, at::ScalarType computeType, const std::stop_token &stop = {});

}  // namespace stillroom::evaluation
