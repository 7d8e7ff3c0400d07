// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelfiles.h"

#include <nlohmann/json_fwd.hpp>

namespace stillroom::procedures {

/// What `inspect` says of a model without loading its weights: shape, parameters, bytes, types, tokenizer, the features that decide its arithmetic,
/// and which of them each mixer and each export format can carry.
[[nodiscard]] nlohmann::json describe(const checkpoint::ModelFiles &files);

}  // namespace stillroom::procedures
