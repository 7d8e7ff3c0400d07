// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/overlaptable.h"

#include "analysis/chanceoverlap.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace stillroom::widgets {

OverlapTable::OverlapTable(ChoiceBook &choices, HybridChoice &hybrid, QObject *parent) : QAbstractTableModel(parent), m_choices(choices), m_hybrid(hybrid)
{
    refresh();
}

bool OverlapTable::hasRowsOf(const std::vector<ChoiceBook::Entry> &entries) const
{
    return std::equal(entries.begin(), entries.end(), m_entries.begin(), m_entries.end(), [](const ChoiceBook::Entry &a, const ChoiceBook::Entry &b) { return a.name == b.name; });
}

bool OverlapTable::fits(const ChoiceBook::Entry &entry) const
{
    const comparison::Choice &choice = entry.choice;
    const QString text = entry.name + QLatin1Char(' ') + QString::fromStdString(choice.note);
    const QStringList words = m_filter.words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(), [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); })
           && (m_filter.group.isEmpty() || m_filter.group == choiceGroup(choice))
           && (m_filter.names.empty() || std::find(m_filter.names.begin(), m_filter.names.end(), choice.name) != m_filter.names.end())
           && (m_filter.probe.isEmpty() || choice.probe.empty() || m_filter.probe == QString::fromStdString(choice.probe));
}

void OverlapTable::setFilter(const ChoiceFilter &filter)
{
    m_filter = filter;
    refresh();
}

void OverlapTable::refresh()
{
    m_keep = m_hybrid.keep();
    std::vector<ChoiceBook::Entry> entries;
    std::vector<std::optional<experiment::LayerSet>> sets;
    for (const ChoiceBook::Entry &entry : m_choices.entries()) {
        if (!fits(entry))
            continue;
        auto set = entry.choice.rule ? entry.choice.rule->at(m_keep) : std::nullopt;
        if (!set && m_filter.withSetOnly)
            continue;
        entries.push_back(entry);
        sets.push_back(std::move(set));
    }
    const bool sameRows = hasRowsOf(entries);
    if (!sameRows)
        beginResetModel();
    m_entries = std::move(entries);
    m_sets = std::move(sets);
    m_matrix = analysis::OverlapMatrix(m_sets, std::max(1, m_choices.numLayers()));
    if (!sameRows)
        endResetModel();
    else if (!m_entries.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

bool OverlapTable::isBeyondChance(int row, int column) const
{
    const auto &cell = overlapAt(row, column);
    return row != column && cell && analysis::isBeyondChance(cell->pValue);
}

QString OverlapTable::sentence(int row, int column) const
{
    const QString &a = entry(row).name, &b = entry(column).name;
    const auto noSet = [&](int which) {
        return entry(which).choice.rule ? tr("%1 has no set of %n layers.", nullptr, m_keep).arg(entry(which).name) : tr("%1 is still being scored.").arg(entry(which).name);
    };
    if (!layers(row))
        return noSet(row);
    if (!layers(column))
        return noSet(column);
    const int sizeA = static_cast<int>(layers(row)->size()), sizeB = static_cast<int>(layers(column)->size());
    if (row == column)
        return tr("%1 keeps %n layers: %2.", nullptr, sizeA).arg(a, layerNames(*layers(row)));
    const analysis::OverlapIndex &cell = *overlapAt(row, column);
    const QLocale locale;
    return tr("%1 and %2 share %3 of %n layers, J = %4; two random sets have %5 on average, and as much as this with p = %6.", nullptr, sizeA + sizeB - cell.shared)
        .arg(a, b)
        .arg(cell.shared)
        .arg(locale.toString(cell.jaccard, 'f', 2), locale.toString(cell.chance, 'f', 2), shortProbability(cell.pValue));
}

QString OverlapTable::asTsv() const
{
    QStringList lines, head{tr("choice"), tr("layers kept")};
    for (const ChoiceBook::Entry &one : m_entries)
        head << one.name;
    lines << head.join(QLatin1Char('\t'));
    for (int row = 0; row < rowCount(); ++row) {
        QStringList line{entry(row).name, layers(row) ? layerNames(*layers(row)) : QString()};
        for (int column = 0; column < columnCount(); ++column)
            line << (overlapAt(row, column) ? QString::number(overlapAt(row, column)->jaccard, 'g', 6) : QString());
        lines << line.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

int OverlapTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int OverlapTable::columnCount(const QModelIndex &parent) const
{
    return rowCount(parent);
}

QVariant OverlapTable::data(const QModelIndex &at, int role) const
{
    if (!checkIndex(at, CheckIndexOption::IndexIsValid))
        return {};
    const auto &cell = overlapAt(at.row(), at.column());
    switch (role) {
    case Qt::DisplayRole:
        if (!cell)
            return QStringLiteral("–");
        // The star is the table's second channel, as the hatch is the plot's.
        return QLocale().toString(cell->jaccard, 'f', 2) + (isBeyondChance(at.row(), at.column()) ? QStringLiteral("*") : QString());
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: return sentence(at.row(), at.column());
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    default: return {};
    }
}

QVariant OverlapTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0 || section >= rowCount())
        return {};
    const QString &name = entry(section).name;
    if (role == Qt::DisplayRole)
        return orientation == Qt::Vertical ? tr("%1  %2").arg(section + 1).arg(name) : QString::number(section + 1);
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
        const QString note = QString::fromStdString(entry(section).choice.note);
        return note.isEmpty() ? name : tr("%1: %2").arg(name, note);
    }
    return {};
}

}  // namespace stillroom::widgets
