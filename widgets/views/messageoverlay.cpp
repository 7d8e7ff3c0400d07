// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/messageoverlay.h"

#include "views/messageline.h"
#include "views/palette.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace stillroom::widgets {
namespace {

constexpr int lineWidth = 1;

}  // namespace

MessageOverlay::MessageOverlay(QWidget *ground) : QWidget(ground->parentWidget()), m_ground(ground)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, lineWidth, 0, 0);
    column->setSpacing(lineWidth);
    ground->installEventFilter(this);
    hide();
}

void MessageOverlay::add(MessageLine *line)
{
    layout()->addWidget(line);
    line->installEventFilter(this);
    m_lines.push_back(line);
    place();
}

/// A message that has got another text may be higher.
bool MessageOverlay::event(QEvent *event)
{
    const bool isDone = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)
        place();
    return isDone;
}

bool MessageOverlay::eventFilter(QObject *watched, QEvent *event)
{
    const bool isOfGround = watched == m_ground && (event->type() == QEvent::Resize || event->type() == QEvent::Move);
    const bool isOfLine = watched != m_ground && (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent);
    if (isOfGround || isOfLine)
        place();
    return QWidget::eventFilter(watched, event);
}

/// What is seen of it are lines: above the messages, where the page is cut, and between two of them. Of the roles of a palette that are meant for lines none stands out in the dark.
void MessageOverlay::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), unchosenColour(palette()));
}

void MessageOverlay::place()
{
    const bool any = std::any_of(m_lines.begin(), m_lines.end(), [](const MessageLine *line) { return !line->isHidden(); });
    if (any) {
        layout()->activate();
        const QRect ground = m_ground->geometry();
        const int height = layout()->hasHeightForWidth() ? layout()->heightForWidth(ground.width()) : layout()->sizeHint().height();
        setGeometry(ground.left(), ground.bottom() + 1 - height, ground.width(), height);
        raise();
    }
    setVisible(any);
}

}  // namespace stillroom::widgets
