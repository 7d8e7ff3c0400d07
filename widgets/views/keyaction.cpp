// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/keyaction.h"

#include <QAbstractButton>
#include <QAction>
#include <QRegularExpression>
#include <QVariant>
#include <QWidget>

#include <utility>

namespace stillroom::widgets {
namespace {

constexpr const char *keysProperty = "shownKeys", *descriptionProperty = "describesKeys";

}  // namespace

QAction *addKeyAction(QWidget &widget, const QString &text, const QKeySequence &key, std::function<void()> act)
{
    auto *action = new QAction(text, &widget);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(action, &QAction::triggered, &widget, std::move(act));
    widget.addAction(action);
    return action;
}

void addButtonKey(QAbstractButton &button, const QKeySequence &key)
{
    auto *action = new QAction(button.text(), &button);
    action->setShortcut(key);
    QObject::connect(action, &QAction::triggered, &button, [&button] { button.click(); });      // nothing while it is disabled
    button.addAction(action);
}

void describeKeys(QWidget &widget, const QString &keys, const QString &what)
{
    auto *action = new QAction(what, &widget);
    action->setProperty(keysProperty, keys);
    action->setProperty(descriptionProperty, true);
    action->setVisible(false);      // not in a context menu
    widget.addAction(action);
}

void setShownKeys(QAction &action, const QString &keys)
{
    action.setProperty(keysProperty, keys);
}

QString shownKeys(const QAction &action)
{
    const QString own = action.property(keysProperty).toString();
    if (!own.isEmpty())
        return own;
    QStringList keys;
    for (const QKeySequence &one : action.shortcuts())
        keys << one.toString(QKeySequence::NativeText);
    return keys.isEmpty() ? QString() : keys.front();
}

bool isDescription(const QAction &action)
{
    return action.property(descriptionProperty).toBool();
}

QString plainText(const QAction &action)
{
    return withoutLetter(action.text());
}

QString withoutLetter(const QString &text)
{
    static const QRegularExpression behind(QStringLiteral("\\(&\\w\\)"));
    const QChar meant(1);      // "&&" is an ampersand that is meant
    return text.section(QLatin1Char('\t'), 0, 0).remove(behind).replace(QStringLiteral("&&"), meant).remove(QLatin1Char('&')).replace(meant, QLatin1Char('&'));
}

QString toolTipOf(const QAction &action)
{
    // Without a tool tip of its own it has its name, less the dots and the mark.
    const QString tip = action.toolTip();
    QString name = plainText(action);
    while (name.endsWith(QStringLiteral("…")) || name.endsWith(QLatin1Char('.')))
        name.chop(1);
    return tip == name || tip == plainText(action) ? QString() : tip;
}

}  // namespace stillroom::widgets
