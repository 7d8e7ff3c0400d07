// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace stillroom::widgets {

/// One word for a POSIX shell, whatever it holds.
[[nodiscard]] QString shellWord(const QString &text);
/// The line that runs this spec in a terminal, with its results in the same workspace: the spec itself stands in it, so that it needs no file.
/// \param run  that it goes on with; empty: a new one
[[nodiscard]] QString runCommandLine(const nlohmann::json &spec, const std::filesystem::path &workspace, const QString &run = {});

}  // namespace stillroom::widgets
