// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace stillroom::calibration {

/// Bins of lags and positions that are the same for every text, so that sums of different lengths add up: 0, 1, 2, 3, then two to an octave,
/// [4,6), [6,8), [8,12), [12,16), …
inline constexpr std::int64_t mostBins = 44;   ///< up to 2²² tokens; what is longer counts in the last

/// Lower edge of a bin, in tokens; binStart(mostBins) is where the last one ends.
[[nodiscard]] std::int64_t binStart(std::int64_t bin);
/// The bin of each of 0 … count − 1.
[[nodiscard]] std::vector<std::int64_t> binsOf(std::int64_t count);

}  // namespace stillroom::calibration
