// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/controlstyle.h"

#include <QApplication>
#include <QProxyStyle>
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

    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *more) const override
    {
        switch (hint) {
        case SH_Widget_Animate:
        case SH_Widget_Animation_Duration:
        case SH_Menu_FadeOutOnHide: return 0;
        default: return QProxyStyle::styleHint(hint, option, widget, more);
        }
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
    for (const Qt::UIEffect effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo, Qt::UI_AnimateTooltip, Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox})
        QApplication::setEffectEnabled(effect, false);
}

}  // namespace stillroom::widgets
