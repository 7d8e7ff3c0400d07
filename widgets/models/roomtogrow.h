// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace stillroom::widgets {

/// How many points to make room for where a live curve has so many: 32 times as many, 1024 at least, but no more than four million beyond them. A vector that merely doubles
/// moves a long curve again and again while somebody waits: a quarter of a million points took 19 to 40 ms beside a busy job. With this room only short curves are moved,
/// and what is never written to takes addresses, not memory.
[[nodiscard]] inline qsizetype roomToGrow(qsizetype numPoints)
{
    constexpr qsizetype factor = 32, least = 1024, mostBeyond = qsizetype{1} << 22;
    return std::max(least, numPoints + std::min((factor - 1) * numPoints, mostBeyond));
}

}  // namespace stillroom::widgets
