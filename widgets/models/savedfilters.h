// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <vector>

class QUndoStack;

namespace stillroom::widgets {

/// What a person searches for again and again, under names: kept in the settings, for every workspace. Each change is a step of undo.
class SavedFilters final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SavedFilters)

public:
    struct Filter {
        QString name, query;
        bool operator==(const Filter &) const = default;
    };
    explicit SavedFilters(QUndoStack &edits, QObject *parent = nullptr);

    /// By name.
    [[nodiscard]] const std::vector<Filter> &all() const { return m_all; }
    [[nodiscard]] QStringList names() const;
    /// Null where there is none of that name.
    [[nodiscard]] const Filter *find(const QString &name) const;
    /// Takes the place of one with that name. Nothing happens for an empty name.
    void save(const QString &name, const QString &query);
    /// One that has the new name already gives way.
    void rename(const QString &name, const QString &to);
    void remove(const QString &name);

Q_SIGNALS:
    void changed();

private:
    class Edit;
    void push(const QString &text, std::vector<Filter> after);
    void take(const std::vector<Filter> &all);

    QUndoStack &m_edits;
    std::vector<Filter> m_all;
};

}  // namespace stillroom::widgets
