// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>

namespace stillroom::widgets {

/// Sixteen hexadecimal digits that stand for a workspace where its path cannot: in keys of settings, in the name of a socket. However the path is written (links,
/// "..", a slash at its end), whether or not the folder is there yet.
[[nodiscard]] QString workspaceMark(const std::filesystem::path &workspace);

}  // namespace stillroom::widgets
