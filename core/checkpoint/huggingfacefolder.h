// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelfiles.h"

namespace stillroom::checkpoint {

/// Opens a folder with config.json and safetensors, ours or Hugging Face's. \throws Error(BadFile | Unsupported)
[[nodiscard]] ModelFiles openFolder(const std::filesystem::path &folder);

/// Refuses a file that is a Python pickle, with the way out. \throws Error(Unsupported)
[[noreturn]] void refusePickle(const std::filesystem::path &file);

}  // namespace stillroom::checkpoint
