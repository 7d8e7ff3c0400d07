// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/choicebox.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStylePainter>

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

}  // namespace

ChoiceBox::ChoiceBox(QWidget *parent) : QComboBox(parent)
{
    connect(this, &QComboBox::currentTextChanged, this, &ChoiceBox::sayWholeName);
}

void ChoiceBox::letGiveWay(int letters)
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(letters);
}

/// Less what styles leave free on both sides of the words.
int ChoiceBox::roomFor(const QStyleOptionComboBox &option) const
{
    constexpr int besideWords = 1, besideIcon = 4;
    const int icon = option.currentIcon.isNull() ? 0 : option.iconSize.width() + besideIcon;
    return style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() - 2 * besideWords - icon;
}

QString ChoiceBox::shownText() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    return fontMetrics().elidedText(currentIndex() < 0 && !isEditable() ? placeholderText() : currentText(), Qt::ElideMiddle, roomFor(option));
}

/// Left to itself the list is as wide as the box, and cuts what the box cuts.
void ChoiceBox::showPopup()
{
    int widest = 0;
    for (int row = 0; row < count(); ++row)
        widest = std::max(widest, widthOf(*this, itemText(row)));
    view()->setMinimumWidth(widest);
    QComboBox::showPopup();
}

bool ChoiceBox::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTipChange && !m_isSaying) {
        m_meaning = toolTip();
        sayWholeName();
    }
    return QComboBox::event(event);
}

void ChoiceBox::sayWholeName()
{
    const QString name = currentText();
    m_isSaying = true;
    setToolTip(name.isEmpty() ? m_meaning : m_meaning.isEmpty() ? name : name + QLatin1Char('\n') + m_meaning);
    m_isSaying = false;
}

/// As QComboBox does it, but for the words.
void ChoiceBox::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    if (currentIndex() < 0)
        option.palette.setBrush(QPalette::ButtonText, option.palette.placeholderText());
    if (!isEditable())
        option.currentText = shownText();
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace stillroom::widgets
