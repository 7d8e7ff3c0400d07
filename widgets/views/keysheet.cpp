// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/keysheet.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace stillroom::widgets {

KeySheet::KeySheet(const std::vector<KeyGroup> &groups, int first, QWidget *parent) : QDialog(parent), m_words(new QLineEdit(this)), m_list(new QTreeWidget(this))
{
    setWindowTitle(tr("Keys"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(16);
    m_words->setPlaceholderText(tr("words, or a key (Ctrl+F)"));
    m_words->setAccessibleName(tr("Keys with these words"));
    m_words->setClearButtonEnabled(true);
    connect(m_words, &QLineEdit::textChanged, this, &KeySheet::filter);
    QTreeWidget *list = m_list;
    list->setAccessibleName(tr("Keys"));
    list->setColumnCount(2);
    list->setHeaderLabels({tr("Keys"), tr("What they do")});
    list->setFrameShape(QFrame::NoFrame);
    list->setRootIsDecorated(false);
    list->setItemsExpandable(false);
    list->setUniformRowHeights(true);
    for (const KeyGroup &group : groups) {
        auto *head = new QTreeWidgetItem(list, {group.title});
        QFont bold = font();
        bold.setBold(true);
        head->setFont(0, bold);
        head->setFirstColumnSpanned(true);
        for (const auto &[keys, what] : group.rows)
            (new QTreeWidgetItem(head, {keys, what}))->setToolTip(1, what);      // where several plots have a key, their names need more room than there is
    }
    list->expandAll();
    list->resizeColumnToContents(0);
    if (QTreeWidgetItem *head = list->topLevelItem(first))
        list->setCurrentItem(head);
    list->setFocus();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(m_words);
    column->addWidget(list, 1);
    column->addWidget(buttons);
    resize(std::max(sizeHint().width(), fontMetrics().averageCharWidth() * 110), parent ? parent->height() * 4 / 5 : sizeHint().height());
    layout()->activate();      // so that the list knows how much of it is seen
    if (QTreeWidgetItem *head = list->topLevelItem(first))
        list->scrollToItem(head, QAbstractItemView::PositionAtTop);
}

/// Every word must be in the row or in the name of its group; a group without a row goes too.
void KeySheet::filter(const QString &words)
{
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (int group = 0; group < m_list->topLevelItemCount(); ++group) {
        QTreeWidgetItem *head = m_list->topLevelItem(group);
        bool any = false;
        for (int row = 0; row < head->childCount(); ++row) {
            QTreeWidgetItem *item = head->child(row);
            const QString all = QStringList{head->text(0), item->text(0), item->text(1)}.join(QLatin1Char(' '));
            const bool shown = std::all_of(wanted.begin(), wanted.end(), [&](const QString &word) { return all.contains(word, Qt::CaseInsensitive); });
            item->setHidden(!shown);
            any = any || shown;
        }
        head->setHidden(!any);
    }
}

void KeySheet::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Find))
        m_words->setFocus(Qt::ShortcutFocusReason);
    else if (event->key() == Qt::Key_Escape && !m_words->text().isEmpty())
        m_words->clear();
    else
        QDialog::keyPressEvent(event);
}

}  // namespace stillroom::widgets
