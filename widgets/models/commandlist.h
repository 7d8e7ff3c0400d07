// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/fuzzymatch.h"

#include <QAbstractListModel>

#include <functional>
#include <vector>

namespace stillroom::widgets {

/// Something that a person can have done by its name.
struct Command {
    QString text;                        ///< "Score layers", "Layer 14", the name of a run
    QString group;                       ///< where it is from: "Run", "Layers", …
    QString keys;                        ///< as shown at the right; empty for none
    QString reason;                      ///< of one that cannot be done now: why, where it is known
    bool enabled = true;
    std::function<void()> run;
};

/// Commands whose names match what is written, the best ones first; those that can be done before those that cannot, in equal cases.
class CommandList final : public QAbstractListModel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CommandList)

public:
    enum Role { PlacesRole = Qt::UserRole + 1, GroupRole, KeysRole, ReasonRole, DoableRole };      ///< PlacesRole: QList<int>, of the letters of the name that matched

    explicit CommandList(QObject *parent = nullptr) : QAbstractListModel(parent) {}
    void setCommands(std::vector<Command> commands);
    void setQuery(const QString &query);
    [[nodiscard]] const Command &command(int row) const { return m_commands[m_found[static_cast<std::size_t>(row)].place]; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(m_found.size()); }
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    struct Found {
        std::size_t place;               ///< in m_commands
        FuzzyMatch match;
    };
    void find();
    std::vector<Command> m_commands;
    std::vector<Found> m_found;
    QString m_query;
};

}  // namespace stillroom::widgets
