// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace stillroom::checkpoint {

/// A name that comes from a file, fit to stand in a message: at most 160 bytes, control characters replaced by '?'.
[[nodiscard]] std::string shownName(std::string_view name);

}  // namespace stillroom::checkpoint
