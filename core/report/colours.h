// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// Okabe and Ito's colours by meaning, as six hexadecimal digits: the window, its exports and TeX read this one table.
namespace stillroom::report {

/// "softmax", "gdn", "gla"; any other mixer has the next colour.
[[nodiscard]] std::string mixerColour(const std::string &mixer);
/// Viridis from 0 to 1, in nine steps that are mixed between: 0xRRGGBB.
[[nodiscard]] unsigned sequentialRgb(double share);
/// "440154"
[[nodiscard]] std::string hexOf(unsigned rgb);
inline constexpr unsigned negativeRgb = 0x0072b2, positiveRgb = 0xd55e00;      ///< ends of the colours of differences, around white
inline constexpr const char *unchosenColour = "B3B3B3";      ///< what is not chosen, on white
inline constexpr const char *shadeColour = "EDEDED";         ///< behind what is not settled
inline constexpr const char *inkColour = "000000";

}  // namespace stillroom::report
