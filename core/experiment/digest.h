// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

namespace stillroom::experiment {

/// SHA-256 of the bytes, 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256Hex(std::string_view bytes);
/// SHA-256 of a regular file's content, read in pieces. \throws Error(BadFile) when it cannot be read, Error(Cancelled) once a stop is requested.
[[nodiscard]] std::string sha256OfFile(const std::filesystem::path &file, const std::stop_token &stop = {});

}  // namespace stillroom::experiment
