// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace stillroom::comparison {

/// A JSON file that a stage wrote. \param what  names it in messages. \throws Error(BadFile)
[[nodiscard]] nlohmann::json stageResult(const std::filesystem::path &file, const std::string &what);
/// Empty where there is no such text.
[[nodiscard]] std::string textIn(const nlohmann::json &object, const char *field);

}  // namespace stillroom::comparison
