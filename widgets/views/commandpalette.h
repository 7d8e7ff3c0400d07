// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/commandlist.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListView;

namespace stillroom::widgets {

/// What can be done, by name: one writes some of its letters and presses Enter. Up and Down choose, Escape closes. What cannot be done now stands there grey, with the reason.
class CommandPalette final : public QDialog {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CommandPalette)

public:
    /// Closes, and only then does what was chosen. \param parent  the window in whose upper middle it appears
    CommandPalette(std::vector<Command> commands, QWidget *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void search(const QString &words);
    void step(int by);
    void run();
    void explain();
    void place();
    CommandList m_commands;
    QLineEdit *m_words;
    QListView *m_list;
    QLabel *m_note;                      ///< why the chosen one cannot be done, or that nothing was found
};

}  // namespace stillroom::widgets
