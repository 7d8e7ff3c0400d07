// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::report {

/// Round numbers from low to high, ascending: multiples of 1, 2 or 5 times a power of ten, three to six of them, fewer where hardly a double lies between.
/// Empty where high is not above low.
[[nodiscard]] std::vector<double> evenTicks(double low, double high);
/// What stands at ticks, ascending: as many significant digits as tell them apart, at least three; without zeros at the end.
[[nodiscard]] std::vector<std::string> tickTexts(const std::vector<double> &ticks);
/// On a logarithmic axis: 1, 2 and 5 of each power of ten where there are few of these, else every power, or every second, third …; at most eight. Even ones where
/// there would be fewer than two. Empty where low is not above 0 or high not above low.
[[nodiscard]] std::vector<double> logTicks(double low, double high);

/// Places for labels, as near to the wanted ones as can be while they are at least `gap` apart and within low … high, in the order of the wanted ones.
/// With no room for all, every second, third … is left out, the first stays: none.
[[nodiscard]] std::vector<std::optional<double>> labelPlaces(const std::vector<double> &wanted, double gap, double low, double high);
/// Every how many of the numbers along an axis stand there so that no two come closer than `gap`: 1, 2, 5, 10, 20 …; the first stays in any case, a reader counts on from it.
/// \param places  of their middles, ascending; \param widths  of their texts; all in one unit
[[nodiscard]] std::size_t everyNthLabel(const std::vector<double> &places, const std::vector<double> &widths, double gap);
/// How many columns a legend has so that its rows are as few as there is room for, at least one. \param widths  of the names with their signs, row by row
[[nodiscard]] int columnsThatFit(const std::vector<double> &widths, double spacing, double room);
/// Widens two axes from low to high, 0 within each, until their zeros are at the same height.
void alignZeros(double &lowA, double &highA, double &lowB, double &highB);

}  // namespace stillroom::report
