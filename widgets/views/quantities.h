// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

/// Numbers for people, in the locale's way.
namespace stillroom::widgets {

[[nodiscard]] QString shortCount(double count);         ///< "1.2 M", "340 k"
/// One of several on an axis: all in the unit of the largest, with the digits that tell neighbours apart: "2.5 k" beside "10.0 k".
[[nodiscard]] QString countOfMany(double count, double largest, double step);
[[nodiscard]] QString shortDuration(double seconds);    ///< "48 s", "3 min 20 s"
[[nodiscard]] QString shortBytes(double bytes);         ///< "6.0 KiB", "3.1 MiB"
[[nodiscard]] QString shortProbability(double p);       ///< "0.32", "0.0021", "3e-07"
[[nodiscard]] QString measureDigits(double value);      ///< "0.0765", "34.64", "1532.1": by its size
[[nodiscard]] QString shortNumber(double value);        ///< three significant digits: "0.412", "63.5", "1.2e-06"; "–" for what is not there
[[nodiscard]] QString quantityText(double value, const QString &unit);   ///< "63.5 tokens"; the number alone where it has no unit
[[nodiscard]] QString rangesText(const std::vector<int> &ascending);     ///< "2", "1–15", "0–3, 5"

}  // namespace stillroom::widgets
