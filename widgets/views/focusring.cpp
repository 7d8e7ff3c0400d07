// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/focusring.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QRegion>

namespace stillroom::widgets {
namespace {

constexpr int largeFrom = 60;      // px: no single control is as high

}  // namespace

int focusRingMargin(const QWidget *widget)
{
    // Large things fill their place: beside them there is no room, and nothing is lost at their edge.
    return qobject_cast<const QAbstractScrollArea *>(widget) || widget->height() > largeFrom ? 0 : focusRingWidth;
}

QRegion focusRing(const QRect &frame)
{
    return QRegion(frame) - QRegion(frame.adjusted(focusRingWidth, focusRingWidth, -focusRingWidth, -focusRingWidth));
}

FocusRing::FocusRing(QObject *parent) : QObject(parent)
{
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, QWidget *now) { follow(now); });
}

/// A list that drops down or a menu is where one is anyway.
void FocusRing::follow(QWidget *focus)
{
    const bool wanted = focus && !focus->isWindow() && focus->window()->windowType() != Qt::Popup;
    if (!m_frame && !wanted)
        return;
    if (!m_frame)
        m_frame = new QFocusFrame;
    m_frame->setWidget(wanted ? focus : nullptr);
}

}  // namespace stillroom::widgets
