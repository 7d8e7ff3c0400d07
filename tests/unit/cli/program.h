// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

/// stillroom-cli in a process of its own.
namespace stillroom::test {

struct Answer {
    int status = -1;                 ///< exit status
    std::string out, err;
    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};
[[nodiscard]] Answer runProgram(const std::vector<std::string> &arguments);

}  // namespace stillroom::test
