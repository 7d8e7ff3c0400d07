// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <QTimer>

namespace stillroom::test {

/// Pages and plots follow what happened once after the event. This comes back when they have.
inline bool settle()
{
    QTimer last;      // behind theirs
    last.setSingleShot(true);
    last.start(0);
    return QTest::qWaitFor([&last] { return !last.isActive(); });
}

}  // namespace stillroom::test
