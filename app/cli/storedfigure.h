// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/chart.h"
#include "report/figurespec.h"

#include <filesystem>

namespace stillroom::cli {

/// What a figure spec shows, made again from the workspace. \throws Error(Usage) in a sentence that names the figure and what is missing
[[nodiscard]] report::Figure storedFigure(const report::FigureSpec &spec, const std::filesystem::path &workspace);

}  // namespace stillroom::cli
