// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAction;
class QKeySequence;
class QObject;

namespace stillroom {

/// An action that cannot be taken now is grey, and says why: in its tool tip, and to whoever presses its keys.
void allow(QAction &action, bool possible, const QString &otherwise);

/// Why the action with these keys cannot be taken now. Empty where it can, and where no action below the window has them.
[[nodiscard]] QString whyNot(const QObject &window, const QKeySequence &keys);

}  // namespace stillroom
