// SPDX-License-Identifier: GPL-3.0-or-later
#include "bytesize.h"

#include "formatted.h"

#include <array>
#include <cmath>

namespace stillroom::cli {

std::string byteText(double bytes)
{
    constexpr std::array<const char *, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (unit + 1 < units.size() && std::abs(bytes) >= 1024.0) {
        bytes /= 1024.0;
        ++unit;
    }
    // "%.3g" would write 1.02e+03 for what is between two units.
    return std::abs(bytes) >= 999.5 ? formatted("%.0f %s", bytes, units[unit]) : formatted("%.3g %s", bytes, units[unit]);
}

}  // namespace stillroom::cli
