// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"
#include "store/experimentrows.h"

#include <QObject>
#include <QUndoStack>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace stillroom::widgets {

/// The experiments of the workspace and what a person does with them: names, notes, tags, pins, locks, the trash. Every edit can be undone.
/// Reading and writing happen where they stop nobody; what is edited is shown at once.
class ExperimentList final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ExperimentList)

public:
    explicit ExperimentList(Session &session, QObject *parent = nullptr);

    [[nodiscard]] const std::vector<store::ExperimentRow> &rows() const { return *m_rows; }
    /// The same, for who points into them: they stay where they are when others have been read.
    [[nodiscard]] std::shared_ptr<const std::vector<store::ExperimentRow>> shared() const { return m_rows; }
    [[nodiscard]] bool showsTrash() const { return m_trash; }
    /// Those in the trash instead of the others.
    void showTrash(bool shown);
    void read();
    /// "finished"; "paused" where it waits in the queue, whatever its last word in the store was.
    [[nodiscard]] QString statusText(const store::ExperimentRow &row) const;
    [[nodiscard]] bool isPaused(const store::ExperimentRow &row) const;
    /// Which edit stands at this place of the stack: a number that no other one gets. None: there is no edit of this list.
    [[nodiscard]] std::optional<int> editAt(int place) const;
    [[nodiscard]] QUndoStack &edits() { return m_edits; }

    // Of runs, by UUID; each is one step of undo. A locked one keeps its name and stays out of the trash, as a pinned one does.
    void rename(const QString &run, const QString &name);
    void setNotes(const QString &run, const QString &notes);
    void addTag(const QStringList &runs, const QString &tag);
    void removeTag(const QStringList &runs, const QString &tag);
    void setPinned(const QStringList &runs, bool pinned);
    void setLocked(const QStringList &runs, bool locked);
    void setTrashed(const QStringList &runs, bool trashed);

Q_SIGNALS:
    void changed();
    void statesChanged();                 ///< of jobs in the queue

private:
    /// What is done to the store, and to the rows of that run.
    struct Step {
        std::string run;
        std::function<void(store::Workspace &)> store;
        std::function<void(store::ExperimentRow &)> row;
    };
    class Edit;
    /// One step of undo that gives every run this value of a mark, less those that have it.
    void setMark(const QString &text, const QStringList &runs, bool store::ExperimentRow::*mark, bool value, void (store::Workspace::*write)(const std::string &, bool));
    void push(const QString &text, std::vector<Step> redo, std::vector<Step> undo);
    void take(std::shared_ptr<std::vector<store::ExperimentRow>> rows);
    void apply(const std::vector<Step> &steps);
    [[nodiscard]] const store::ExperimentRow *rowOf(const std::string &run) const;

    Session &m_session;
    std::shared_ptr<std::vector<store::ExperimentRow>> m_rows = std::make_shared<std::vector<store::ExperimentRow>>();
    QUndoStack m_edits;
    bool m_trash = false;
    int m_numEdits = 0;
    int m_errand = 0;                     ///< of edits: none may take another's place in the queue
};

}  // namespace stillroom::widgets
