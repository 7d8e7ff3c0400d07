// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// Okabe and Ito's colours by meaning, as six hexadecimal digits: the window, its exports and TeX read this one table.
namespace stillroom::report {

/// "softmax", "gdn", "gla"; any other mixer has the next colour.
[[nodiscard]] std::string mixerColour(const std::string &mixer);
inline constexpr const char *unchosenColour = "B3B3B3";      ///< what is not chosen, on white
inline constexpr const char *inkColour = "000000";

}  // namespace stillroom::report
