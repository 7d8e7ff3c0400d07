// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

/// Names of runs stand where commands take models, scores, starts and layer sets, too: some words mean one of those already.
namespace stillroom::experiment {

/// "0,4,9", or one number of no more digits than any layer has: a UUID may begin with eight digits, as `runs list` prints it, and a run may be called by a date.
[[nodiscard]] bool isLayerList(std::string_view text);

/// What a command takes the word for, wherever it stands for a run: "the demo's teacher"; empty where it may be the name of one.
[[nodiscard]] std::string meaningBesideRuns(std::string_view word);

/// \throws Error(Usage) for a name by which a command would find something else than the run
void checkRunName(std::string_view name);

}  // namespace stillroom::experiment
