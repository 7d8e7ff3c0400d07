// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/recentteachers.h"

#include "folders.h"
#include "models/deeplink.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace stillroom::widgets {
namespace {

const QString setting = QStringLiteral("recent/teachers"), demoTeacher = QStringLiteral("demo");

QString fileName(const QString &argument)
{
    const QString name = QFileInfo(argument).fileName();
    return name.isEmpty() ? argument : name;
}

}  // namespace

RecentTeachers::RecentTeachers(QObject *parent) : QObject(parent)
{
    look();
}

QStringList RecentTeachers::list() const
{
    return QSettings().value(setting).toStringList().mid(0, most);
}

QString RecentTeachers::name(const QString &argument) const
{
    if (argument == demoTeacher)
        return tr("The demo");
    const QString own = fileName(argument);
    const QStringList all = list();
    return std::count_if(all.begin(), all.end(), [&](const QString &one) { return fileName(one) == own; }) > 1 ? argument : own;
}

void RecentTeachers::add(const QString &argument)
{
    const QString kept = wholeTeacher(argument);
    QStringList now = list();
    if (!now.isEmpty() && now.front() == kept)
        return;
    now.removeAll(kept);
    now.prepend(kept);
    QSettings().setValue(setting, now.mid(0, most));
    m_missing.remove(kept);
    Q_EMIT changed();
}

void RecentTeachers::clear()
{
    QSettings().remove(setting);
    m_missing.clear();
    Q_EMIT changed();
}

void RecentTeachers::look()
{
    m_background.run("look", [this, all = list()]() -> Background::Answer {
        QSet<QString> missing;
        for (const QString &one : all)
            if (isTeacherPath(one) && !stillroom::isThere(one.toStdString()))
                missing.insert(one);
        return [this, missing] {
            if (missing == m_missing)
                return;
            m_missing = missing;
            Q_EMIT changed();
        };
    });
}

}  // namespace stillroom::widgets
