// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/commandlist.h"
#include "views/keysheet.h"

#include <QStringList>

#include <vector>

class QMenuBar;
class QWidget;

/// What the window can do, read from its menus and pages: for the palette of commands and the sheet of keys.
namespace stillroom {

[[nodiscard]] std::vector<widgets::Command> menuCommands(const QMenuBar &menus);
/// Actions and buttons of what is to be seen of a page. \param known  names that the menus have already
[[nodiscard]] std::vector<widgets::Command> pageCommands(const QWidget &page, const QString &name, const QStringList &known);
[[nodiscard]] widgets::KeyGroup menuKeys(const QMenuBar &menus, const QString &title);
/// Of the page and all in it, shown or not, each once.
[[nodiscard]] widgets::KeyGroup pageKeys(const QWidget &page, const QString &name);

}  // namespace stillroom
