// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/savedfilters.h"

#include <QPointer>
#include <QSettings>
#include <QUndoCommand>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace stillroom::widgets {
namespace {

const QString filtersSetting = QStringLiteral("filters");      ///< name, query, name, query …

}  // namespace

/// All of them before and after: what one window did is undone as it was.
class SavedFilters::Edit final : public QUndoCommand {
public:
    Edit(SavedFilters &filters, const QString &text, std::vector<Filter> before, std::vector<Filter> after) : QUndoCommand(text), m_filters(&filters), m_before(std::move(before)), m_after(std::move(after)) {}
    void redo() override { give(m_after); }
    void undo() override { give(m_before); }

private:
    void give(const std::vector<Filter> &all) const
    {
        if (m_filters)
            m_filters->take(all);
    }
    QPointer<SavedFilters> m_filters;
    std::vector<Filter> m_before, m_after;
};

SavedFilters::SavedFilters(QUndoStack &edits, QObject *parent) : QObject(parent), m_edits(edits)
{
    const QStringList kept = QSettings().value(filtersSetting).toStringList();
    for (qsizetype i = 0; i + 1 < kept.size(); i += 2)
        m_all.push_back({kept[i], kept[i + 1]});
}

QStringList SavedFilters::names() const
{
    QStringList names;
    for (const Filter &one : m_all)
        names << one.name;
    return names;
}

const SavedFilters::Filter *SavedFilters::find(const QString &name) const
{
    const auto found = std::find_if(m_all.begin(), m_all.end(), [&](const Filter &one) { return one.name == name; });
    return found == m_all.end() ? nullptr : &*found;
}

void SavedFilters::save(const QString &name, const QString &query)
{
    const QString wanted = name.simplified();
    if (wanted.isEmpty())
        return;
    std::vector<Filter> after = m_all;
    std::erase_if(after, [&](const Filter &one) { return one.name == wanted; });
    after.push_back({wanted, query});
    push(tr("Save the filter %1").arg(wanted), std::move(after));
}

void SavedFilters::rename(const QString &name, const QString &to)
{
    const QString wanted = to.simplified();
    const Filter *old = find(name);
    if (!old || wanted.isEmpty() || wanted == name)
        return;
    const QString query = old->query;
    std::vector<Filter> after = m_all;
    std::erase_if(after, [&](const Filter &one) { return one.name == name || one.name == wanted; });
    after.push_back({wanted, query});
    push(tr("Rename the filter %1").arg(name), std::move(after));
}

void SavedFilters::remove(const QString &name)
{
    std::vector<Filter> after = m_all;
    std::erase_if(after, [&](const Filter &one) { return one.name == name; });
    push(tr("Delete the filter %1").arg(name), std::move(after));
}

void SavedFilters::push(const QString &text, std::vector<Filter> after)
{
    std::sort(after.begin(), after.end(), [](const Filter &a, const Filter &b) { return QString::localeAwareCompare(a.name, b.name) < 0; });
    if (after != m_all)
        m_edits.push(new Edit(*this, text, m_all, std::move(after)));      // the stack takes it over
}

void SavedFilters::take(const std::vector<Filter> &all)
{
    m_all = all;
    QStringList kept;
    for (const Filter &one : m_all)
        kept << one.name << one.query;
    QSettings().setValue(filtersSetting, kept);
    Q_EMIT changed();
}

}  // namespace stillroom::widgets
