// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace stillroom {

/// Which process on which machine, so that a process id used again is not taken for the old process.
struct ProcessIdentity {
    std::string host;
    std::string boot;                  ///< the kernel's boot id
    std::int64_t pid = 0;
    std::int64_t startTicks = 0;       ///< clock ticks from boot to the process's start
};

[[nodiscard]] ProcessIdentity thisProcess();
enum class Liveness { Alive, Gone, Elsewhere };
/// Elsewhere: on another machine, where this one cannot look.
[[nodiscard]] Liveness livenessOf(const ProcessIdentity &process);

[[nodiscard]] nlohmann::json toJson(const ProcessIdentity &process);
/// Members that are missing or of another type stay empty, so such a process counts as elsewhere.
[[nodiscard]] ProcessIdentity processFromJson(const nlohmann::json &json);

}  // namespace stillroom
