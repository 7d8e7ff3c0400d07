// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hybridstrip.h"

#include "views/keyaction.h"
#include "views/palette.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace stillroom::widgets {
namespace {

constexpr double margin = 5.0, side = 3.0;   ///< room for the ring around a cell and, outside it, that around the strip

}  // namespace

HybridStrip::HybridStrip(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Hybrid strip"));
    describeKeys(*this, tr("← → Home End"), tr("Walk along the layers"));
    describeKeys(*this, tr("Space"), tr("Keep the selected layer as softmax, or let it go"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto refresh = [this] {
        describe();
        update();
    };
    connect(&session.choice(), &HybridChoice::changed, this, refresh);
    connect(&session.selection(), &LayerSelection::changed, this, refresh);
    connect(&session, &Session::probeChanged, this, refresh);
    connect(&session, &Session::teacherChanged, this, refresh);
}

QSize HybridStrip::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 60, fontMetrics().height() * 2 + 8};
}

QSize HybridStrip::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 20, fontMetrics().height() * 2 + 8};
}

QRectF HybridStrip::cell(int layer) const
{
    const int count = std::max(1, m_session.choice().numLayers());
    const double widest = fontMetrics().averageCharWidth() * 8.0;
    const double step = std::min(widest, (width() - 2.0 * side) / count);
    const double gap = step > 8.0 ? 2.0 : 0.5;
    return {side + layer * step, margin, step - gap, height() - 2.0 * margin};
}

int HybridStrip::layerAt(const QPointF &position) const
{
    for (int layer = 0; layer < m_session.choice().numLayers(); ++layer)
        if (cell(layer).contains(position))
            return layer;
    return -1;
}

QString HybridStrip::cellText(int layer) const
{
    const HybridChoice &choice = m_session.choice();
    QString text = choice.isKnown() ? (choice.isKept(layer) ? tr("Layer %1: softmax, kept").arg(layer) : tr("Layer %1: becomes %2").arg(layer).arg(m_session.probe().toUpper()))
                                    : tr("Layer %1: softmax").arg(layer);
    if (const auto bar = m_session.scores().bar(layer))
        text += QLatin1Char('\n') + tr("score %1 ± %2").arg(QLocale().toString(bar->value, 'f', 4), QLocale().toString(bar->reach, 'f', 4));
    return text;
}

void HybridStrip::describe()
{
    const HybridChoice &choice = m_session.choice();
    setAccessibleDescription(choice.isKnown() ? tr("%n of the layers stay softmax", nullptr, choice.keep()) : tr("%n layers, all softmax", nullptr, choice.numLayers()));
}

void HybridStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const HybridChoice &choice = m_session.choice();
    const QString probe = m_session.probe();
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.85);
    painter.setFont(small);
    for (int layer = 0; layer < choice.numLayers(); ++layer) {
        const QRectF box = cell(layer);
        const QString kind = !choice.isKnown() || choice.isKept(layer) ? QStringLiteral("softmax") : probe;
        const QColor colour = choice.isKnown() ? mixerColour(kind) : unchosenColour(palette());
        QColor soft = colour;
        soft.setAlphaF(kind == QLatin1String("softmax") ? 1.0F : 0.22F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(soft);
        painter.drawRoundedRect(box, 2, 2);
        if (kind != QLatin1String("softmax")) {
            painter.setBrush(QBrush(colour, mixerHatch(kind)));
            painter.drawRoundedRect(box, 2, 2);
        }
        if (box.width() > painter.fontMetrics().horizontalAdvance(QStringLiteral("000"))) {
            painter.setPen(kind == QLatin1String("softmax") ? QColor(Qt::white) : palette().color(QPalette::WindowText));
            painter.drawText(box, Qt::AlignCenter, QString::number(layer));
        }
        if (layer == m_session.selection().layer()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(ringColour(palette()), 2));
            painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), 3, 3);
        }
    }
    if (hasFocus() && choice.numLayers() > 0) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(focusColour(palette()), 1.5));
        painter.drawRoundedRect(QRectF(1, 1, cell(choice.numLayers() - 1).right() + 1, height() - 2), 4, 4);
    }
}

void HybridStrip::mousePressEvent(QMouseEvent *event)
{
    const int layer = layerAt(event->position());
    if (layer >= 0 && event->modifiers().testFlag(Qt::ShiftModifier))
        m_session.choice().toggle(layer);
    m_session.selection().select(layer);
}

void HybridStrip::keyPressEvent(QKeyEvent *event)
{
    const int layer = m_session.selection().layer(), last = m_session.choice().numLayers() - 1;
    switch (event->key()) {
    case Qt::Key_Left: m_session.selection().select(std::max(0, layer - 1)); return;
    case Qt::Key_Right: m_session.selection().select(std::min(last, layer + 1)); return;
    case Qt::Key_Home: m_session.selection().select(std::min(0, last)); return;
    case Qt::Key_End: m_session.selection().select(last); return;
    case Qt::Key_Space: m_session.choice().toggle(layer); return;
    default: QWidget::keyPressEvent(event);
    }
}

bool HybridStrip::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int layer = layerAt(help->pos());
        if (layer >= 0)
            QToolTip::showText(help->globalPos(), cellText(layer), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

}  // namespace stillroom::widgets
