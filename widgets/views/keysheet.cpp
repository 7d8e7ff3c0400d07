// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/keysheet.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace stillroom::widgets {

KeySheet::KeySheet(const std::vector<KeyGroup> &groups, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Keys"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(16);
    auto *list = new QTreeWidget(this);
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
            new QTreeWidgetItem(head, {keys, what});
    }
    list->expandAll();
    list->resizeColumnToContents(0);
    if (list->topLevelItemCount() > 0)
        list->setCurrentItem(list->topLevelItem(0));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(list, 1);
    column->addWidget(buttons);
    resize(std::max(sizeHint().width(), fontMetrics().averageCharWidth() * 90), parent ? parent->height() * 4 / 5 : sizeHint().height());
}

}  // namespace stillroom::widgets
