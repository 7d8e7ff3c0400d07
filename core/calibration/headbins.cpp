// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/headbins.h"

namespace stillroom::calibration {

std::int64_t binStart(std::int64_t bin)
{
    if (bin < 4)
        return bin;
    const std::int64_t octave = bin / 2;
    return (bin % 2 == 0 ? std::int64_t{2} : std::int64_t{3}) << (octave - 1);
}

std::vector<std::int64_t> binsOf(std::int64_t count)
{
    std::vector<std::int64_t> bins;
    bins.reserve(static_cast<std::size_t>(count));
    std::int64_t bin = 0;
    for (std::int64_t value = 0; value < count; ++value) {
        while (bin + 1 < mostBins && value >= binStart(bin + 1))
            ++bin;
        bins.push_back(bin);
    }
    return bins;
}

}  // namespace stillroom::calibration
