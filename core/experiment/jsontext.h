// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

/// Reading JSON that others wrote, within limits.
namespace stillroom::experiment {

inline constexpr std::size_t maximumSpecBytes = std::size_t{16} << 20U;
inline constexpr int maximumJsonDepth = 64;
inline constexpr std::size_t maximumJsonValues = 250'000;   ///< a parsed value takes up to 200 bytes, whatever its text takes

/// Strict JSON: UTF-8, no comments, no name twice in an object, at most `maximumJsonDepth` deep and
/// `maximumJsonValues` values, numbers within double's range.
/// \param what  names the text in messages, e.g. "The spec \"score.json\"".
/// \param code  of the error for what is no such text: Usage for words of a command line, which are no file
/// \throws Error(code) in one sentence with line and column.
[[nodiscard]] nlohmann::json parseJson(std::string_view text, const std::string &what, ErrorCode code = ErrorCode::BadFile);
/// How deep arrays and objects are nested: 0 for a plain value.
[[nodiscard]] int jsonDepth(const nlohmann::json &value);
/// A regular file's bytes. \throws Error(BadFile) when it cannot be read or holds more than `maximumBytes`.
[[nodiscard]] std::string readTextFile(const std::string &path, std::size_t maximumBytes, const std::string &what);
/// As canonicalJson, but bytes that are not UTF-8 become U+FFFD: for texts that a model made.
[[nodiscard]] std::string compactJson(const nlohmann::json &value);
/// The text with U+FFFD for bytes that are not UTF-8.
[[nodiscard]] std::string inUtf8(const std::string &text);

/// A whole number within int's range: JSON's own conversion cuts fractions and wraps what is larger.
/// \throws Error(BadFile) naming `what`, e.g. "The layer"
[[nodiscard]] int wholeNumber(const nlohmann::json &value, const std::string &what);
/// \throws Error(BadFile) for something else than a list of them
[[nodiscard]] std::vector<int> wholeNumbers(const nlohmann::json &list, const std::string &what);
/// Empty where `object` is none, or has no such text.
[[nodiscard]] std::string textIn(const nlohmann::json &object, const char *field);

}  // namespace stillroom::experiment
