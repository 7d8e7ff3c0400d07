// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace stillroom::checkpoint {

/// What a JSON text from outside may demand. The values bound the memory that parsing takes: at most about 200 bytes per value
/// and four times the longest string, whatever the text is.
struct JsonLimits {
    std::size_t maxBytes = std::size_t{16} << 20;
    std::size_t maxDepth = 64;
    std::size_t maxValues = 250'000;
    std::size_t maxStringBytes = std::size_t{4} << 20;
};

/// Parses untrusted JSON: limits are checked before anything is allocated, an object's key may stand only once.
/// \param where names the file in messages.
/// \throws Error(BadFile)
[[nodiscard]] nlohmann::json parseBoundedJson(std::string_view text, const std::string &where, const JsonLimits &limits = {});

/// Reads and parses a file. \throws Error(BadFile)
[[nodiscard]] nlohmann::json readJsonFile(const std::filesystem::path &file, const JsonLimits &limits = {});

}  // namespace stillroom::checkpoint
