// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace stillroom::widgets {

/// Least side of what is pressed with the mouse, in pixels.
inline constexpr int leastHitArea = 24;

/// Of a table: an airy line, and enough to be hit.
[[nodiscard]] int rowHeight(const QWidget &table);

/// For all of the program: the style that it has, but that nothing to be pressed is lower than leastHitArea, nothing moves by itself, and what has the keyboard wears a ring. Once, before the first window.
void useControlStyle();

}  // namespace stillroom::widgets
