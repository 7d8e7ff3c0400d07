// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stillroom {

/// All files of all figures of a figures.json, drawn by the window's own plots, which nobody sees.
/// \param out  made where it is not there. \param version  of the program. \returns what was written. \throws Error naming the figure and what is missing
std::vector<std::filesystem::path> makePaperFigures(const std::filesystem::path &figuresFile, const std::filesystem::path &out, const std::filesystem::path &workspace, const jobs::Procedure &procedure,
                                                    const std::string &version);

}  // namespace stillroom
