// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/commandlist.h"

#include <algorithm>
#include <tuple>

namespace stillroom::widgets {

void CommandList::setCommands(std::vector<Command> commands)
{
    beginResetModel();
    m_commands = std::move(commands);
    find();
    endResetModel();
}

void CommandList::setQuery(const QString &query)
{
    beginResetModel();
    m_query = query;
    find();
    endResetModel();
}

void CommandList::find()
{
    m_found.clear();
    for (std::size_t place = 0; place < m_commands.size(); ++place)
        if (auto match = fuzzyMatch(m_query, m_commands[place].text))
            m_found.push_back({place, std::move(*match)});
    const auto rank = [this](const Found &one) { return std::tuple(-one.match.score, !m_commands[one.place].enabled, m_query.isEmpty() ? 0 : m_commands[one.place].text.size()); };
    std::stable_sort(m_found.begin(), m_found.end(), [&](const Found &a, const Found &b) { return rank(a) < rank(b); });
}

QVariant CommandList::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Found &found = m_found[static_cast<std::size_t>(index.row())];
    const Command &one = m_commands[found.place];
    switch (role) {
    case Qt::DisplayRole: return one.text;
    case Qt::ToolTipRole: return one.reason;
    case Qt::AccessibleTextRole: {
        QStringList parts{one.text, one.group, one.keys};
        if (!one.enabled)
            parts << (one.reason.isEmpty() ? tr("not possible now") : tr("not possible now: %1").arg(one.reason));
        parts.removeAll(QString());
        return parts.join(QStringLiteral(", "));
    }
    case PlacesRole: return QVariant::fromValue(found.match.places);
    case GroupRole: return one.group;
    case KeysRole: return one.keys;
    case ReasonRole: return one.reason;
    case DoableRole: return one.enabled;
    default: return {};
    }
}

}  // namespace stillroom::widgets
