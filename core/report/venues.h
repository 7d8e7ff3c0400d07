// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

/// How wide a figure is and how large its letters are, where it is to be printed.
namespace stillroom::report {

/// Widths and the sizes of ICML, AISTATS and NeurIPS/ICLR as the package tueplots has them; the other sizes are our choice;
/// ACL's widths are 7.7 and 16 cm of its style file, whose captions are 10 pt. Check each venue's current template.
struct Venue {
    std::string key, name;                ///< "icml", "ICML, UAI"
    double columnInches = 0.0;            ///< 0: it has one column
    double textInches = 0.0;
    double basePt = 0.0, smallPt = 0.0;   ///< titles of axes; tick labels and legend
};

[[nodiscard]] const std::vector<Venue> &venues();
/// \throws Error(Usage) naming the nearest one
[[nodiscard]] const Venue &venueNamed(const std::string &key);

inline constexpr double usualRatio = 0.618;               ///< height of width
inline constexpr double leastInches = 1.0, mostInches = 20.0;
/// "column" (of a venue with one column: its text), "text", or a number of inches. \throws Error(Usage)
[[nodiscard]] double widthInches(const Venue &venue, const std::string &width);

}  // namespace stillroom::report
