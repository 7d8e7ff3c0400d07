// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace stillroom::comparison {

/// A JSON file that a stage wrote. \param what  names it in messages. \throws Error(BadFile)
[[nodiscard]] nlohmann::json readResultFile(const std::filesystem::path &file, const std::string &what);

}  // namespace stillroom::comparison
