// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/messageline.h"

#include "views/palette.h"

#include <QAccessible>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace stillroom::widgets {
namespace {

constexpr int barWidth = 4;
int readingMs = 6000, readingMsALetter = 60;      // a slow reader's pace

}  // namespace

MessageLine::MessageLine(Kind kind, QWidget *parent)
    : QWidget(parent), m_kind(kind), m_text(new QLabel(this)), m_nextStep(new QPushButton(this)), m_dismiss(new QToolButton(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 4, 4);
    row->setSpacing(8);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setAccessibleName(kind == Kind::Problem ? tr("Problem") : tr("Notice"));
    m_dismiss->setText(tr("Dismiss"));
    m_nextStep->hide();
    row->addWidget(m_text, 1);
    row->addWidget(m_nextStep);
    row->addWidget(m_dismiss);
    connect(m_nextStep, &QPushButton::clicked, this, &MessageLine::nextStepRequested);
    connect(m_dismiss, &QToolButton::clicked, this, &MessageLine::dismiss);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *was, QWidget *now) {
        if (was && isAncestorOf(now) && !isAncestorOf(was))
            m_cameFrom = was;
        runClock();
    });
    m_clock.setSingleShot(true);
    connect(&m_clock, &QTimer::timeout, this, &MessageLine::leave);
    hide();
}

void MessageLine::setReadingTime(int ms, int msALetter)
{
    readingMs = ms;
    readingMsALetter = msALetter;
}

void MessageLine::setLeavesByItself(bool leaves)
{
    m_leavesByItself = leaves;
    runClock();
}

/// Or nobody sees it.
bool MessageLine::isBeingRead() const
{
    return QAccessible::isActive() || !isActiveWindow() || underMouse() || isAncestorOf(QApplication::focusWidget());
}

/// From its beginning: who has looked away again may not have come to the end.
void MessageLine::runClock()
{
    if (m_leavesByItself && isVisible() && !isBeingRead()) {
        if (!m_clock.isActive())
            m_clock.start(readingMs + readingMsALetter * static_cast<int>(m_text->text().size()));
    } else {
        m_clock.stop();
    }
}

void MessageLine::leave()
{
    if (!isBeingRead())
        hide();
}

void MessageLine::enterEvent(QEnterEvent *event)
{
    QWidget::enterEvent(event);
    m_clock.stop();
}

void MessageLine::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    runClock();
}

void MessageLine::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    runClock();
}

void MessageLine::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_clock.stop();
}

void MessageLine::dismiss()
{
    const bool hasKeyboard = isAncestorOf(QApplication::focusWidget());
    if (hasKeyboard && m_cameFrom && m_cameFrom->isVisible())
        m_cameFrom->setFocus(Qt::OtherFocusReason);
    hide();
    Q_EMIT dismissed();
}

void MessageLine::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !m_dismiss->isHidden())
        dismiss();
    else
        QWidget::keyPressEvent(event);
}

void MessageLine::showText(const QString &text)
{
    m_text->setText(text);
    setAccessibleName(text);
    show();
    m_clock.stop();
    runClock();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void MessageLine::setNextStep(const QString &label)
{
    m_nextStep->setText(label);
    m_nextStep->setVisible(!label.isEmpty());
}

QPushButton *MessageLine::addStep(const QString &label)
{
    auto *step = new QPushButton(label, this);
    auto *row = static_cast<QHBoxLayout *>(layout());
    row->insertWidget(row->indexOf(m_dismiss), step);
    return step;
}

void MessageLine::setDismissLabel(const QString &label)
{
    m_dismiss->setText(label);
    m_dismiss->setVisible(!label.isEmpty());
}

QString MessageLine::text() const
{
    return m_text->text();
}

void MessageLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::AlternateBase));
    painter.fillRect(0, 0, barWidth, height(), m_kind == Kind::Problem ? problemColour() : focusColour(palette()));
}

}  // namespace stillroom::widgets
