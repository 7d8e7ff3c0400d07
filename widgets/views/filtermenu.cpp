// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/filtermenu.h"

#include <QAction>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>

namespace stillroom::widgets {

FilterMenu::FilterMenu(SavedFilters &filters, QLineEdit &words, QWidget &page) : QToolButton(&page), m_filters(filters), m_words(words), m_page(page)
{
    setText(tr("Filters"));
    setToolTip(tr("Searches that were saved (Ctrl+Shift+F)"));
    setPopupMode(QToolButton::InstantPopup);
    setMenu(new QMenu(this));
    m_save = new QAction(tr("&Save this search as a filter…"), this);
    m_rename = new QAction(tr("&Rename a filter…"), this);
    m_remove = new QAction(tr("&Delete a filter…"), this);
    auto *show = new QAction(tr("Show the saved filters"), this);
    show->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+F")));
    m_save->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+S")));
    for (QAction *action : {show, m_save})
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_page.addActions({show, m_save, m_rename, m_remove});
    connect(show, &QAction::triggered, this, &QToolButton::showMenu);
    connect(m_save, &QAction::triggered, this, &FilterMenu::save);
    connect(m_rename, &QAction::triggered, this, &FilterMenu::rename);
    connect(m_remove, &QAction::triggered, this, &FilterMenu::remove);
    connect(&m_filters, &SavedFilters::changed, this, &FilterMenu::fill);
    connect(&m_words, &QLineEdit::textChanged, this, &FilterMenu::markChosen);
    fill();
}

void FilterMenu::fill()
{
    menu()->clear();
    qDeleteAll(m_choices);
    m_choices.clear();
    for (const SavedFilters::Filter &one : m_filters.all()) {
        QString shown = one.name;
        auto *choice = new QAction(tr("Filter: %1").arg(shown.replace(QLatin1Char('&'), QStringLiteral("&&"))), this);      // no letter of a name is a key
        choice->setCheckable(true);
        choice->setToolTip(one.query);
        connect(choice, &QAction::triggered, this, [this, query = one.query] {
            m_words.setText(query);
            markChosen();
        });
        m_page.addAction(choice);
        m_choices.push_back(choice);
    }
    menu()->addActions(QList<QAction *>(m_choices.begin(), m_choices.end()));
    menu()->addSeparator();
    menu()->addActions({m_save, m_rename, m_remove});
    menu()->setToolTipsVisible(true);
    markChosen();
}

void FilterMenu::markChosen()
{
    for (std::size_t i = 0; i < m_choices.size(); ++i)
        m_choices[i]->setChecked(m_filters.all()[i].query == m_words.text());
    m_save->setEnabled(!m_words.text().trimmed().isEmpty());
    m_rename->setEnabled(!m_choices.empty());
    m_remove->setEnabled(!m_choices.empty());
}

void FilterMenu::save()
{
    QString before;
    for (const SavedFilters::Filter &one : m_filters.all())
        if (one.query == m_words.text())
            before = one.name;
    QStringList names = m_filters.names();
    if (!names.contains(before))
        names.prepend(before);      // an empty line to write into
    bool ok = false;
    const QString name = QInputDialog::getItem(&m_page, tr("Save the search"), tr("Name (one that is there gets this search instead):"), names, static_cast<int>(names.indexOf(before)), true, &ok);
    if (ok)
        m_filters.save(name, m_words.text());
}

QString FilterMenu::asked(const QString &title, const QString &question)
{
    const QStringList names = m_filters.names();
    int chosen = 0;
    for (std::size_t i = 0; i < m_choices.size(); ++i)
        if (m_choices[i]->isChecked())
            chosen = static_cast<int>(i);
    bool ok = false;
    const QString name = QInputDialog::getItem(&m_page, title, question, names, chosen, false, &ok);
    return ok ? name : QString();
}

void FilterMenu::rename()
{
    const QString name = asked(tr("Rename a filter"), tr("Filter:"));
    if (name.isEmpty())
        return;
    bool ok = false;
    const QString to = QInputDialog::getText(&m_page, tr("Rename a filter"), tr("New name of %1:").arg(name), QLineEdit::Normal, name, &ok);
    if (ok)
        m_filters.rename(name, to);
}

void FilterMenu::remove()
{
    const QString name = asked(tr("Delete a filter"), tr("Filter:"));
    if (!name.isEmpty())
        m_filters.remove(name);
}

}  // namespace stillroom::widgets
