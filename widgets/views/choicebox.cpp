// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/choicebox.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QStyle>

#include <algorithm>

namespace stillroom::widgets {
namespace {

/// Of the list as a name stands in it, with what is around it.
int widthOf(const QComboBox &box, const QString &name)
{
    const QStyle &style = *box.style();
    const int margin = style.pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &box) + style.pixelMetric(QStyle::PM_DefaultFrameWidth, nullptr, &box) + 1;
    return box.fontMetrics().horizontalAdvance(name) + 2 * margin + style.pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, &box);
}

/// As wide as its widest name: left to itself it is as wide as the box, and cuts what the box cuts.
void widenList(QComboBox &box, int first, int last)
{
    int widest = box.view()->minimumWidth();
    for (int row = first; row <= last; ++row)
        widest = std::max(widest, widthOf(box, box.itemText(row)));
    box.view()->setMinimumWidth(widest);
}

}  // namespace

void sayWholeNames(QComboBox &box)
{
    const QString meaning = box.toolTip();
    const auto say = [&box, meaning](const QString &name) { box.setToolTip(name.isEmpty() ? meaning : meaning.isEmpty() ? name : name + QLatin1Char('\n') + meaning); };
    QObject::connect(&box, &QComboBox::currentTextChanged, &box, say);
    QObject::connect(box.model(), &QAbstractItemModel::rowsInserted, &box, [&box](const QModelIndex &, int first, int last) { widenList(box, first, last); });
    QObject::connect(box.model(), &QAbstractItemModel::rowsRemoved, &box, [&box] {
        if (box.count() == 0)
            box.view()->setMinimumWidth(0);
    });
    widenList(box, 0, box.count() - 1);
    say(box.currentText());
}

void letGiveWay(QComboBox &box, int letters)
{
    box.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box.setMinimumContentsLength(letters);
    sayWholeNames(box);
}

}  // namespace stillroom::widgets
