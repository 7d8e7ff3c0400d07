// SPDX-License-Identifier: GPL-3.0-or-later
#include "whynot.h"

#include <QAction>
#include <QKeySequence>

#include <algorithm>

namespace stillroom {
namespace {

constexpr const char *reasonProperty = "stillroomReason";      // a tool tip is never empty: without one it is the action's text

}  // namespace

void allow(QAction &action, bool possible, const QString &otherwise)
{
    action.setEnabled(possible);
    action.setToolTip(possible ? QString() : otherwise);
    action.setProperty(reasonProperty, possible ? QString() : otherwise);
}

QString whyNot(const QObject &window, const QKeySequence &keys)
{
    const QList<QAction *> actions = window.findChildren<QAction *>();
    const auto found = std::find_if(actions.begin(), actions.end(), [&keys](const QAction *action) { return !action->isEnabled() && action->shortcuts().contains(keys); });
    return found == actions.end() ? QString() : (*found)->property(reasonProperty).toString();
}

}  // namespace stillroom
