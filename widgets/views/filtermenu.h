// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/savedfilters.h"

#include <QToolButton>

class QAction;
class QLineEdit;

namespace stillroom::widgets {

/// The button beside a search line with its saved filters: to choose, save, rename and delete one. All of it is also among the actions of the page, for keys and commands.
class FilterMenu final : public QToolButton {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FilterMenu)

public:
    /// \param page  gets the actions
    FilterMenu(SavedFilters &filters, QLineEdit &words, QWidget &page);

private:
    void fill();
    void markChosen();
    void save();
    void rename();
    void remove();
    /// One of them; empty where a person thinks better of it.
    [[nodiscard]] QString asked(const QString &title, const QString &question);

    SavedFilters &m_filters;
    QLineEdit &m_words;
    QWidget &m_page;
    std::vector<QAction *> m_choices;      ///< in the order of the filters
    QAction *m_save = nullptr, *m_rename = nullptr, *m_remove = nullptr;
};

}  // namespace stillroom::widgets
