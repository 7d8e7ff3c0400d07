// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// The one way to log. Torch-free and spdlog-free on purpose: LibTorch ships a newer {fmt} than Debian's spdlog was built for.
namespace stillroom::log {

enum class Level { Debug, Info, Warning, Error };

/// Writes one line to standard error (or where `toFile` says). Thread safe.
void write(Level level, std::string_view message);
inline void info(std::string_view message) { write(Level::Info, message); }
inline void warning(std::string_view message) { write(Level::Warning, message); }
inline void error(std::string_view message) { write(Level::Error, message); }

/// Lines below this level are dropped; Warning at start.
void setLevel(Level level);

}  // namespace stillroom::log
