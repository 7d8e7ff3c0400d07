// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace stillroom::procedures {

/// As the system calls it; "unknown" where it does not say.
[[nodiscard]] std::string processorName();

/// Versions, devices, threads and instruction set: what decides speed and the last bits of a result.
[[nodiscard]] nlohmann::json describeComputer();

}  // namespace stillroom::procedures
