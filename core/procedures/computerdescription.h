// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace stillroom::procedures {

/// Versions, devices, threads and instruction set: what decides speed and the last bits of a result.
[[nodiscard]] nlohmann::json describeComputer();

}  // namespace stillroom::procedures
