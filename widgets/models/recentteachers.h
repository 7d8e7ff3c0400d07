// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/background.h"

#include <QObject>
#include <QSet>
#include <QStringList>

namespace stillroom::widgets {

/// The teachers that were opened last, newest first, from start to start. Whether they are still there is looked up where it stops nobody.
class RecentTeachers final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RecentTeachers)

public:
    static constexpr int most = 10;

    explicit RecentTeachers(QObject *parent = nullptr);
    /// Paths, or "demo".
    [[nodiscard]] QStringList list() const;
    [[nodiscard]] bool isMissing(const QString &argument) const { return m_missing.contains(argument); }
    /// Its folder's or file's name; the whole path where two are called alike.
    [[nodiscard]] QString name(const QString &argument) const;
    void add(const QString &argument);
    void clear();
    void look();                         ///< whether they are there

Q_SIGNALS:
    void changed();

private:
    QSet<QString> m_missing;
    Background m_background;             ///< last: it goes first, and joins
};

}  // namespace stillroom::widgets
