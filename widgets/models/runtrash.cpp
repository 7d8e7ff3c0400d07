// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runtrash.h"

#include "models/session.h"

#include <QUndoCommand>
#include <QUndoStack>

namespace stillroom::widgets {
namespace {

class Trashing final : public QUndoCommand {
public:
    Trashing(Session &session, const QStringList &runs) : QUndoCommand(Session::tr("Move to the trash")), m_session(session), m_runs(runs) {}
    void redo() override { set(true); }
    void undo() override { set(false); }

private:
    void set(bool trashed) const
    {
        // A name of its own: no other errand may take its place while it waits.
        const std::string errand = (trashed ? "trash " : "restore ") + m_runs.join(QLatin1Char(' ')).toStdString();
        m_session.withStore(errand, [session = &m_session, runs = m_runs, trashed](store::Workspace &workspace) -> Background::Answer {
            for (const QString &run : runs)
                workspace.setTrashed(run.toStdString(), trashed);
            return [session] { Q_EMIT session->stored(); };
        });
    }
    Session &m_session;
    QStringList m_runs;
};

}  // namespace

void trashRuns(Session &session, QUndoStack &edits, const QStringList &runs)
{
    if (!runs.isEmpty())
        edits.push(new Trashing(session, runs));      // the stack takes it over
}

}  // namespace stillroom::widgets
