// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/run.h"

#include <filesystem>
#include <functional>
#include <string>

namespace stillroom {

/// All files of all figures of a figures.json, drawn by the window's own plots, which nobody sees.
/// \param out  made where it is not there. \param version  of the program. \param tell  of each file once it is written
/// \throws Error naming the figures that cannot be made and what is missing, once the others are made
void makePaperFigures(const std::filesystem::path &figuresFile, const std::filesystem::path &out, const std::filesystem::path &workspace, const jobs::Procedure &procedure,
                                                    const std::string &version, const std::function<void(const std::filesystem::path &)> &tell = {});

}  // namespace stillroom
