// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Names of runs stand where commands take models, scores, starts and layer sets, too: some words mean one of those already.
namespace stillroom::experiment {

/// "0,4,9", or one number of no more digits than any layer has: a UUID may begin with eight digits, as `runs list` prints it, and a run may be called by a date.
[[nodiscard]] bool isLayerList(std::string_view text);

/// What a command takes the word for, wherever it stands for a run: "the demo's teacher"; empty where it may be the name of one.
[[nodiscard]] std::string meaningBesideRuns(std::string_view word);

/// What people write of a run: a name, a tag or a note.
/// \param what  names it in messages, e.g. "The tag"
/// \throws Error(Usage) for bytes that are not UTF-8, which no JSON could say again, and for more than a table or a page can show
void checkWritten(const std::string &what, const std::string &text, std::size_t mostBytes);
/// \throws Error(Usage) as checkWritten, and for a name by which a command would find something else than the run
void checkRunName(const std::string &name);

}  // namespace stillroom::experiment
