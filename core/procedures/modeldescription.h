// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelfiles.h"

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace stillroom::procedures {

/// What `inspect` says of a model without loading its weights: shape, parameters, bytes, types, tokenizer, the features that decide its arithmetic,
/// and which of them each mixer and each export format can carry.
/// \param step  is told before each part how many of how many are done; what it throws goes through
[[nodiscard]] nlohmann::json describe(const checkpoint::ModelFiles &files, const std::function<void(std::int64_t done, std::int64_t total)> &step = {});

}  // namespace stillroom::procedures
