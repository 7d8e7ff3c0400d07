// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"

namespace stillroom::nn {

/// Position of each token counted from the first one of its run of equal document ids.
[[nodiscard]] at::Tensor positionsInDocuments(const at::Tensor &documents_BT);

/// `places` with positions filled in and new shared tables, on `device`. After remembered tokens, rows go on where the state stands.
/// \throws Error(Usage) for members that are not [batch, numTokens].
[[nodiscard]] TokenPlaces completePlaces(TokenPlaces places, std::int64_t batch, std::int64_t numTokens, at::Device device, const DecodeState *state);

/// Moves the state's place behind the tokens of one call.
void rememberPlaces(DecodeState &state, const TokenPlaces &places);

}  // namespace stillroom::nn
