// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace stillroom::widgets {

/// How many points to make room for where a live curve has so many. A vector that doubles moves a long curve while somebody waits: a quarter of a million points took 19 to 40 ms beside
/// a busy job. Memory that nothing has been written to is only an address, so there is room for far more than a training has steps after two or three moves of short curves.
[[nodiscard]] inline qsizetype roomToGrow(qsizetype numPoints)
{
    constexpr qsizetype factor = 32, least = 1024;
    return std::max(least, factor * numPoints);
}

}  // namespace stillroom::widgets
