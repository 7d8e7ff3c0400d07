// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

/// How runs side by side look: by what they are, not by the order in which they were chosen.
namespace stillroom::report {

inline constexpr int numRunColours = 6, numRunPatterns = 5;      ///< a pattern: dash of a line, hatch of a bar

/// A number for each, from 0 to 29: its remainder by 6 is the colour, that by 5 the pattern. Each has a look of its own, the remainders of its FNV-1a hash; where
/// another one shown has the same colour, the one that is first by its identity keeps it, and the other takes the next colour that is free. So a run looks the same after
/// a restart, in whatever order, and beside others wherever none of them wants its colour. Up to six differ in colour; of more, all that have room for it in colour or pattern.
/// \param identities  of each run something that stays: its UUID, and the task of a stage. Equal ones look alike
[[nodiscard]] std::vector<int> runLooks(const std::vector<std::string> &identities);

}  // namespace stillroom::report
