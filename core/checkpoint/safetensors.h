// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/tensorsource.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace stillroom::checkpoint {

/// The "__metadata__" of a safetensors file, in the order of its keys; empty when there is none. \throws Error(BadFile)
[[nodiscard]] std::vector<std::pair<std::string, std::string>> readSafetensorsMetadata(const std::filesystem::path &file);

/// The files that a model.safetensors.index.json names, once each, in the order of their names, in the index's folder.
/// \throws Error(BadFile) for a name that is not a plain file name.
[[nodiscard]] std::vector<std::filesystem::path> shardFiles(const std::filesystem::path &indexFile);

}  // namespace stillroom::checkpoint
