// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QComboBox;

namespace stillroom::widgets {

/// What the box has no room for is said whole: the chosen name in its tool tip, above what the tip says so far, and every name in its list. Once for a box.
void sayWholeNames(QComboBox &box);
/// As sayWholeNames, and the box takes the room of `letters` letters at least, more where its row has it, whatever the names in it: a page is not widened by them.
void letGiveWay(QComboBox &box, int letters);

}  // namespace stillroom::widgets
