// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace stillroom::bench {

/// Gives the run that was taken in first a curve of `longPoints` points and every other run its share of what is left of `rows`, straight in the database: as lines that are
/// taken in it would be hours. Every run has one point already. The store must not be open.
void fillMetrics(const std::filesystem::path &workspace, std::int64_t rows, std::int64_t longPoints);

/// UUID of the run with the long curve.
[[nodiscard]] std::string longRun(const std::filesystem::path &workspace);

/// Bytes of the database and its log.
[[nodiscard]] std::int64_t databaseBytes(const std::filesystem::path &workspace);

}  // namespace stillroom::bench
