// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace stillroom::experiment {

/// Which stage a result is of, and the run that made it.
struct StageSource {
    std::string key;
    std::string run, runName;      ///< UUID, and what a person called it; empty where no run of the workspace says so, or it has no name
};

}  // namespace stillroom::experiment
