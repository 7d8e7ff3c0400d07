// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"

#include <string>
#include <vector>

namespace stillroom::procedures {

/// SHA-256 of held-out sequences, however they are batched: equal where what is measured on them can be compared sequence by sequence. It holds each sequence's
/// length, tokens, documents and which of its tokens count.
[[nodiscard]] std::string heldOutHash(const std::vector<distillation::Batch> &heldOut);

}  // namespace stillroom::procedures
