// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/experimentlist.h"

#include "models/experimenttable.h"
#include "models/jobrunner.h"

#include <QPointer>
#include <QUndoCommand>

#include <algorithm>
#include <memory>
#include <utility>

namespace stillroom::widgets {

class ExperimentList::Edit final : public QUndoCommand {
public:
    Edit(ExperimentList &list, int number, const QString &text, std::vector<Step> redo, std::vector<Step> undo) : QUndoCommand(text), m_list(list), m_number(number), m_redo(std::move(redo)), m_undo(std::move(undo)) {}
    void redo() override { m_list.apply(m_redo); }
    void undo() override { m_list.apply(m_undo); }
    [[nodiscard]] int number() const { return m_number; }

private:
    ExperimentList &m_list;
    int m_number;
    std::vector<Step> m_redo, m_undo;
};

ExperimentList::ExperimentList(Session &session, QObject *parent) : QObject(parent), m_session(session)
{
    connect(&session, &Session::stored, this, &ExperimentList::read);
    connect(&session.jobs().queue(), &JobQueue::changed, this, &ExperimentList::statesChanged);
    read();
}

void ExperimentList::showTrash(bool shown)
{
    m_trash = shown;
    read();
}

void ExperimentList::read()
{
    m_session.withStore("experiments", [list = QPointer<ExperimentList>(this), trash = m_trash, known = m_errand](store::Workspace &workspace) -> Background::Answer {
        auto rows = std::make_shared<std::vector<store::ExperimentRow>>(store::experimentRows(workspace, trash));
        return [list, trash, known, rows] {
            if (list && trash == list->m_trash && known == list->m_errand)      // else it was asked again meanwhile, or edited
                list->take(rows);
        };
    });
}

QString ExperimentList::statusText(const store::ExperimentRow &row) const
{
    return runStatusText(m_session, row);
}

bool ExperimentList::isPaused(const store::ExperimentRow &row) const
{
    return widgets::isPaused(m_session, row);
}

std::optional<int> ExperimentList::editAt(int place) const
{
    const auto *edit = dynamic_cast<const Edit *>(m_edits.command(place));
    return edit ? std::optional(edit->number()) : std::nullopt;
}

void ExperimentList::take(std::shared_ptr<std::vector<store::ExperimentRow>> rows)
{
    m_rows = std::move(rows);
    Q_EMIT changed();
}

const store::ExperimentRow *ExperimentList::rowOf(const std::string &run) const
{
    const auto found = std::find_if(m_rows->begin(), m_rows->end(), [&](const store::ExperimentRow &row) { return row.uuid == run; });
    return found == m_rows->end() ? nullptr : &*found;
}

void ExperimentList::push(const QString &text, std::vector<Step> redo, std::vector<Step> undo)
{
    if (!redo.empty())
        m_edits.push(new Edit(*this, ++m_numEdits, text, std::move(redo), std::move(undo)));      // the stack takes it over
}

void ExperimentList::apply(const std::vector<Step> &steps)
{
    for (const Step &step : steps)
        for (store::ExperimentRow &row : *m_rows)
            if (row.uuid == step.run)
                step.row(row);
    Q_EMIT changed();
    m_session.withStore("edit " + std::to_string(++m_errand), [steps](store::Workspace &workspace) -> Background::Answer {
        for (const Step &step : steps)
            step.store(workspace);
        return [] {};
    });
    read();      // what is really there, also after a refusal
}

void ExperimentList::rename(const QString &run, const QString &name)
{
    const std::string uuid = run.toStdString();
    const store::ExperimentRow *row = rowOf(uuid);
    if (!row || row->locked || row->name == name.toStdString())
        return;
    const auto named = [&uuid](const std::string &text) {
        return Step{uuid, [uuid, text](store::Workspace &workspace) { workspace.setName(uuid, text); }, [text](store::ExperimentRow &one) { one.name = text; }};
    };
    push(tr("Rename"), {named(name.toStdString())}, {named(row->name)});
}

void ExperimentList::setNotes(const QString &run, const QString &notes)
{
    const std::string uuid = run.toStdString();
    const store::ExperimentRow *row = rowOf(uuid);
    if (!row || row->notes == notes.toStdString())
        return;
    const auto noted = [&uuid](const std::string &text) {
        return Step{uuid, [uuid, text](store::Workspace &workspace) { workspace.setNotes(uuid, text); }, [text](store::ExperimentRow &one) { one.notes = text; }};
    };
    push(tr("Edit notes"), {noted(notes.toStdString())}, {noted(row->notes)});
}

namespace {

bool hasTag(const store::ExperimentRow &row, const std::string &tag) { return std::find(row.tags.begin(), row.tags.end(), tag) != row.tags.end(); }

void putTag(store::ExperimentRow &row, const std::string &tag)
{
    if (!hasTag(row, tag))
        row.tags.insert(std::upper_bound(row.tags.begin(), row.tags.end(), tag), tag);
}

}  // namespace

void ExperimentList::addTag(const QStringList &runs, const QString &tag)
{
    const std::string text = tag.trimmed().toStdString();
    std::vector<Step> redo, undo;
    for (const QString &run : runs) {
        const std::string uuid = run.toStdString();
        const store::ExperimentRow *row = rowOf(uuid);
        if (text.empty() || !row || hasTag(*row, text))
            continue;
        redo.push_back({uuid, [uuid, text](store::Workspace &workspace) { workspace.addTag(uuid, text); }, [text](store::ExperimentRow &one) { putTag(one, text); }});
        undo.push_back({uuid, [uuid, text](store::Workspace &workspace) { workspace.removeTag(uuid, text); }, [text](store::ExperimentRow &one) { std::erase(one.tags, text); }});
    }
    push(tr("Add the tag %1").arg(tag.trimmed()), std::move(redo), std::move(undo));
}

void ExperimentList::removeTag(const QStringList &runs, const QString &tag)
{
    const std::string text = tag.toStdString();
    std::vector<Step> redo, undo;
    for (const QString &run : runs) {
        const std::string uuid = run.toStdString();
        const store::ExperimentRow *row = rowOf(uuid);
        if (!row || !hasTag(*row, text))
            continue;
        redo.push_back({uuid, [uuid, text](store::Workspace &workspace) { workspace.removeTag(uuid, text); }, [text](store::ExperimentRow &one) { std::erase(one.tags, text); }});
        undo.push_back({uuid, [uuid, text](store::Workspace &workspace) { workspace.addTag(uuid, text); }, [text](store::ExperimentRow &one) { putTag(one, text); }});
    }
    push(tr("Remove the tag %1").arg(tag), std::move(redo), std::move(undo));
}

void ExperimentList::setPinned(const QStringList &runs, bool pinned)
{
    setMark(pinned ? tr("Pin") : tr("Unpin"), runs, &store::ExperimentRow::pinned, pinned, &store::Workspace::setPinned);
}

void ExperimentList::setLocked(const QStringList &runs, bool locked)
{
    setMark(locked ? tr("Lock") : tr("Unlock"), runs, &store::ExperimentRow::locked, locked, &store::Workspace::setLocked);
}

void ExperimentList::setMark(const QString &text, const QStringList &runs, bool store::ExperimentRow::*mark, bool value, void (store::Workspace::*write)(const std::string &, bool))
{
    const auto made = [mark, write](const std::string &uuid, bool to) {
        return Step{uuid, [uuid, write, to](store::Workspace &workspace) { (workspace.*write)(uuid, to); }, [mark, to](store::ExperimentRow &one) { one.*mark = to; }};
    };
    std::vector<Step> redo, undo;
    for (const QString &run : runs) {
        const store::ExperimentRow *row = rowOf(run.toStdString());
        if (!row || row->*mark == value)
            continue;
        redo.push_back(made(row->uuid, value));
        undo.push_back(made(row->uuid, !value));
    }
    push(text, std::move(redo), std::move(undo));
}

void ExperimentList::setTrashed(const QStringList &runs, bool trashed)
{
    std::vector<Step> redo, undo;
    for (const QString &run : runs) {
        const store::ExperimentRow *row = rowOf(run.toStdString());
        if (!row || (trashed && (row->pinned || row->locked)))      // it stays
            continue;
        const auto made = [uuid = row->uuid](bool to) { return Step{uuid, [uuid, to](store::Workspace &workspace) { workspace.setTrashed(uuid, to); }, [](store::ExperimentRow &) {}}; };
        redo.push_back(made(trashed));
        undo.push_back(made(!trashed));
    }
    push(trashed ? tr("Move to the trash") : tr("Restore"), std::move(redo), std::move(undo));
}

}  // namespace stillroom::widgets
