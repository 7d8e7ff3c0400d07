// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/runreference.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// From the name of a run to the keys of what it made: wherever an artifact is taken, a run that made exactly one may be named instead.
namespace stillroom::store {

/// The run or stage that a person named as `runs list` prints it; nothing where the workspace has no database or none is called so.
/// \throws Error(Usage) where several are, which it names, or one in the trash is; Error(BadFile) for a damaged database
[[nodiscard]] std::optional<RunReference> runCalled(const std::string &text, const std::filesystem::path &workspace);

/// Keys of the artifacts that it made in one of these roles ("align", "distill", …), each once. Of a stage that is of another kind, those of the whole run:
/// the stage 1 inside a scoring stage is a task of its own.
[[nodiscard]] std::vector<std::string> keysMadeBy(const RunReference &run, const std::vector<std::string_view> &roles, const std::filesystem::path &workspace);

/// Names of folders in artifacts/ that begin so, which takes 4 characters or more; in order.
[[nodiscard]] std::vector<std::string> artifactsThatBegin(const std::string &digits, const std::filesystem::path &workspace);

/// "a, b, c and 2 more", for a sentence that asks which one is meant.
[[nodiscard]] std::string shortKeys(const std::vector<std::string> &keys);

}  // namespace stillroom::store
