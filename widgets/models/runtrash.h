// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QUndoStack;

namespace stillroom::widgets {

class Session;

/// Throws runs away, as one step of undo; whoever shows them reads them again. \param runs  UUIDs, none of them pinned or locked
void trashRuns(Session &session, QUndoStack &edits, const QStringList &runs);

}  // namespace stillroom::widgets
