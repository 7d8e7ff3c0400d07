// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/controlstyle.h"

#include "views/focusring.h"
#include "views/palette.h"

#include <QApplication>
#include <QFocusFrame>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>
#include <QTableView>
#include <QWidget>

#include <algorithm>

namespace stillroom::widgets {
namespace {

class ControlStyle final : public QProxyStyle {
public:
    using QProxyStyle::QProxyStyle;

    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &contents, const QWidget *widget) const override
    {
        QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
        switch (type) {
        case CT_CheckBox:
        case CT_RadioButton:
        case CT_PushButton:
        case CT_ToolButton:
        case CT_ComboBox:
        case CT_LineEdit:
        case CT_SpinBox:
        case CT_Slider:
        case CT_TabBarTab:
        case CT_MenuItem:
        case CT_MenuBarItem:
        case CT_HeaderSection:
            size.setHeight(std::max(size.height(), leastHitArea));
            if (type == CT_CheckBox || type == CT_RadioButton || type == CT_ToolButton || type == CT_PushButton)
                size.setWidth(std::max(size.width(), leastHitArea));
            return size;
        default: return size;
        }
    }

    /// A tip may lie over a button: what is pressed is the button.
    void polish(QWidget *widget) override
    {
        QProxyStyle::polish(widget);
        if (widget->inherits("QTipLabel"))
            widget->setWindowFlag(Qt::WindowTransparentForInput);
    }
    using QProxyStyle::polish;

    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *more) const override
    {
        switch (hint) {
        case SH_Widget_Animate:
        case SH_Widget_Animation_Duration:
        case SH_Menu_FadeOutOnHide: return 0;
        case SH_FocusFrame_AboveWidget: return 1;
        case SH_FocusFrame_Mask:      // a plot within it is not painted twice
            if (auto *mask = qstyleoption_cast<QStyleHintReturnMask *>(more); mask && option)
                mask->region = focusRing(option->rect);
            return 1;
        default: return QProxyStyle::styleHint(hint, option, widget, more);
        }
    }

    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override
    {
        const bool isMargin = metric == PM_FocusFrameHMargin || metric == PM_FocusFrameVMargin;      // items of views have the same around their words
        const auto *frame = isMargin && option ? qobject_cast<const QFocusFrame *>(option->styleObject) : nullptr;
        return frame && frame->widget() ? focusRingMargin(frame->widget()) : QProxyStyle::pixelMetric(metric, option, widget);
    }

    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override
    {
        const auto *table = element == CE_ItemViewItem ? qobject_cast<const QTableView *>(widget) : nullptr;
        const auto *item = table && !table->hasFocus() ? qstyleoption_cast<const QStyleOptionViewItem *>(option) : nullptr;
        if (item) {      // a chosen row is not where the keyboard is
            QStyleOptionViewItem pale(*item);
            pale.palette.setColor(QPalette::Highlight, over(item->palette.color(QPalette::Highlight), item->palette.color(QPalette::Base), 0.25));
            pale.palette.setColor(QPalette::HighlightedText, item->palette.color(QPalette::Text));
            QProxyStyle::drawControl(element, &pale, painter, widget);
            return;
        }
        if (element != CE_FocusFrame) {
            QProxyStyle::drawControl(element, option, painter, widget);
            return;
        }
        painter->save();
        painter->setClipRegion(focusRing(option->rect), Qt::IntersectClip);
        painter->fillRect(option->rect, focusColour(QApplication::palette()));      // controls have shades of their own
        painter->restore();
    }
};

}  // namespace

int rowHeight(const QWidget &table)
{
    return std::max(leastHitArea + 1, table.fontMetrics().height() * 3 / 2);      // a cell is a pixel lower than its row
}

void useControlStyle()
{
    if (!dynamic_cast<ControlStyle *>(QApplication::style()))
        QApplication::setStyle(new ControlStyle(QApplication::style()->objectName()));      // the program's from here on
    if (!qApp->findChild<FocusRing *>())
        new FocusRing(qApp);
    for (const Qt::UIEffect effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo, Qt::UI_AnimateTooltip, Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox})
        QApplication::setEffectEnabled(effect, false);
}

}  // namespace stillroom::widgets
