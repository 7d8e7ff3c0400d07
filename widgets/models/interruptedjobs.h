// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"
#include "store/eventlines.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QUndoStack;

namespace stillroom::widgets {

/// A run whose process is gone without a last word.
struct InterruptedJob {
    QString run, kind, teacher, mixer, selector;
    std::optional<store::LastCheckpoint> checkpoint;
    bool isPinned = false, isLocked = false;
    bool operator==(const InterruptedJob &other) const { return run == other.run && isPinned == other.isPinned && isLocked == other.isLocked; }
};

/// The workspace's interrupted jobs, of whatever teacher, about which a person has not been asked, and what is done with them.
class InterruptedJobs final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(InterruptedJobs)

public:
    /// \param edits  where throwing away is a step of undo
    InterruptedJobs(Session &session, QUndoStack &edits, QObject *parent = nullptr);
    /// Newest first.
    [[nodiscard]] const std::vector<InterruptedJob> &jobs() const { return m_jobs; }
    /// Whether this one is asked about, or is to be left as it is: then nobody else offers it.
    [[nodiscard]] bool isKnown(const QString &run) const;

    void resume();          ///< all of them, oldest first: they go into the queue
    void keep();            ///< they stay as they are, and nobody asks again
    void leave(const QString &run);      ///< one that a person broke off: it stays as it is, and nobody offers to go on with it
    void discard();         ///< into the trash, but for pinned and locked ones, which are kept

Q_SIGNALS:
    void changed();

private:
    void read();
    void take(std::vector<InterruptedJob> jobs);
    Session &m_session;
    QUndoStack &m_edits;
    std::vector<InterruptedJob> m_jobs;
    QStringList m_left, m_begun;      ///< m_begun: here and now, whatever the store still says of them
};

}  // namespace stillroom::widgets
