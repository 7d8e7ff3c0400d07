// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowcommands.h"

#include "plots/plotview.h"
#include "views/keyaction.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QSet>

#include <algorithm>
#include <utility>

namespace stillroom {
namespace {

using widgets::Command;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(WindowCommands)
};

Command commandOf(QAction *action, const QString &group)
{
    return {widgets::plainText(*action), group, widgets::shownKeys(*action), action->isEnabled() ? QString() : widgets::toolTipOf(*action), action->isEnabled(), [action = QPointer(action)] {
                if (action)
                    action->trigger();
            }};
}

void addMenu(const QMenu &menu, const QString &path, const std::function<void(QAction *, const QString &)> &add)
{
    for (QAction *action : menu.actions()) {
        if (action->isSeparator() || !action->isVisible())
            continue;
        if (action->menu())
            addMenu(*action->menu(), path + QStringLiteral(" › ") + widgets::plainText(*action), add);
        else
            add(action, path);
    }
}

void forEachMenuAction(const QMenuBar &menus, const std::function<void(QAction *, const QString &)> &add)
{
    for (const QAction *top : menus.actions())
        if (top->menu())
            addMenu(*top->menu(), widgets::plainText(*top), add);
}

/// The page and everything in it.
std::vector<const QWidget *> partsOf(const QWidget &page)
{
    std::vector<const QWidget *> parts{&page};
    for (const QWidget *one : page.findChildren<const QWidget *>())
        if (!one->isWindow())      // menus and pop-ups
            parts.push_back(one);
    return parts;
}

}  // namespace

std::vector<Command> menuCommands(const QMenuBar &menus)
{
    std::vector<Command> all;
    forEachMenuAction(menus, [&all](QAction *action, const QString &path) { all.push_back(commandOf(action, path)); });
    return all;
}

std::vector<Command> pageCommands(const QWidget &page, const QString &name, const QStringList &known)
{
    std::vector<Command> all;
    QSet<const QAction *> met;
    for (const QWidget *part : partsOf(page)) {
        if (!part->isVisible())
            continue;
        const auto *plot = qobject_cast<const widgets::PlotView *>(part);
        const QString group = plot ? name + QStringLiteral(" › ") + part->accessibleName() : name;
        for (QAction *action : part->actions())
            if (!met.contains(action) && action->isVisible() && !action->isSeparator() && !action->text().isEmpty()) {
                met.insert(action);
                all.push_back(commandOf(action, group));
                if (plot && action->objectName() == QLatin1String("wantsFigure") && !plot->hasFigure()) {
                    all.back().enabled = false;
                    all.back().reason = Words::tr("There is nothing in the plot for that");
                }
            }
        auto *button = qobject_cast<QPushButton *>(const_cast<QWidget *>(part));      // pressing it changes the page, and that is the point
        const QString text = button ? widgets::withoutLetter(button->text()) : QString();
        if (!text.isEmpty() && !known.contains(text))
            all.push_back({text, name, button->shortcut().toString(QKeySequence::NativeText), button->isEnabled() ? QString() : button->toolTip(), button->isEnabled(), [pressed = QPointer(button)] {
                               if (pressed)
                                   pressed->click();
                           }});
    }
    return all;
}

widgets::KeyGroup menuKeys(const QMenuBar &menus, const QString &title)
{
    widgets::KeyGroup group{title, {}};
    forEachMenuAction(menus, [&group](QAction *action, const QString &) {
        if (const QString keys = widgets::shownKeys(*action); !keys.isEmpty())
            group.rows.emplace_back(keys, widgets::plainText(*action));
    });
    return group;
}

/// Where a page has several plots, a key that only some of them know is named with them.
widgets::KeyGroup pageKeys(const QWidget &page, const QString &name)
{
    struct Row {
        QString keys, what;
        QStringList plots;
        bool isOfAll = false;
    };
    std::vector<Row> rows;
    QSet<QString> plots;
    for (const QWidget *part : partsOf(page)) {
        const auto *plot = qobject_cast<const widgets::PlotView *>(part);
        if (plot)
            plots.insert(plot->accessibleName());
        for (const QAction *action : part->actions()) {
            const QString keys = widgets::shownKeys(*action), what = widgets::plainText(*action);
            if (keys.isEmpty() || what.isEmpty())
                continue;
            auto row = std::find_if(rows.begin(), rows.end(), [&](const Row &one) { return one.keys == keys && one.what == what; });
            if (row == rows.end()) {
                rows.push_back({keys, what, {}});
                row = rows.end() - 1;
            }
            if (!plot)
                row->isOfAll = true;
            else if (!row->plots.contains(plot->accessibleName()))
                row->plots << plot->accessibleName();
        }
    }
    widgets::KeyGroup group{name, {}};
    for (const Row &row : rows) {
        const bool isNamed = !row.isOfAll && row.plots.size() < plots.size();
        const bool isTwice = std::count_if(rows.begin(), rows.end(), [&](const Row &one) { return one.keys == row.keys; }) > 1;
        const QString place = isNamed ? row.plots.join(QStringLiteral(", ")) : isTwice && !row.isOfAll ? Words::tr("a plot") : QString();
        group.rows.emplace_back(row.keys, place.isEmpty() ? row.what : Words::tr("%1 (in: %2)", "what a key does, names of plots").arg(row.what, place));
    }
    return group;
}

}  // namespace stillroom
