// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QString>

#include <functional>

class QAbstractButton;
class QAction;
class QWidget;

/// Keys as actions of the widget that understands them: the sheet of keys, the palette of commands and context menus list them from there, and nowhere else.
namespace stillroom::widgets {

/// Holds while the widget itself has the keyboard.
QAction *addKeyAction(QWidget &widget, const QString &text, const QKeySequence &key, std::function<void()> act);
/// A further key of a button, for its whole window: QAbstractButton::setShortcut would take the letter that is underlined in its text away.
void addButtonKey(QAbstractButton &button, const QKeySequence &key);
/// Keys that move within the widget, which it handles itself; only the sheet of keys lists them. \param keys  as shown: "← → Home End"
void describeKeys(QWidget &widget, const QString &keys, const QString &what);
/// An action whose key the widget handles itself, because a page has the same key for all of it.
void setShownKeys(QAction &action, const QString &keys);

/// "Ctrl+R", "← → Home End"; empty for none.
[[nodiscard]] QString shownKeys(const QAction &action);
/// Whether it is only there to be listed.
[[nodiscard]] bool isDescription(const QAction &action);
/// Without the mark of its letter: "Score layers".
[[nodiscard]] QString plainText(const QAction &action);
/// Of "&Score layers", and of "为各层评分(&S)", where the letter has nothing to do with the words.
[[nodiscard]] QString withoutLetter(const QString &text);
/// Why it cannot be done or what it does, where its tool tip says more than its name.
[[nodiscard]] QString toolTipOf(const QAction &action);

}  // namespace stillroom::widgets
