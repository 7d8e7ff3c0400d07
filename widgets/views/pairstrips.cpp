// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pairstrips.h"

#include "views/keyaction.h"
#include "views/names.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {
namespace {

constexpr double ringRoom = 4.0;           ///< room for the ring around a cell
constexpr double widestCell = 40.0;
constexpr double wideGap = 16.0, narrowGap = 8.0;      ///< between the legend's entries

bool has(const experiment::LayerSet &set, int layer)
{
    return std::binary_search(set.begin(), set.end(), layer);
}

void paintPart(QPainter &painter, const QRectF &box, std::optional<PairPart> part, const QPalette &palette)
{
    painter.setPen(QPen(part ? palette.color(QPalette::Text) : gridColour(palette), 1));
    painter.setBrush(Qt::NoBrush);
    if (part) {
        QColor soft = pairColour(*part);
        soft.setAlphaF(*part == PairPart::Both ? 1.0F : 0.35F);
        painter.fillRect(box, soft);
        painter.setBrush(QBrush(*part == PairPart::Both ? pairColour(*part) : palette.color(QPalette::Text), pairHatch(*part)));
    }
    painter.drawRect(box);
}

}  // namespace

PairStrips::PairStrips(LayerSelection &selection, QWidget *parent) : QWidget(parent), m_selection(selection)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Layers of the two choices"));
    describeKeys(*this, tr("← → Home End"), tr("Walk along the layers"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&selection, &LayerSelection::changed, this, qOverload<>(&QWidget::update));
}

void PairStrips::setPair(int numLayers, const Side &a, const Side &b)
{
    m_numLayers = numLayers;
    m_a = a;
    m_b = b;
    setAccessibleDescription(tr("%1 keeps layers %2; %3 keeps layers %4").arg(a.name, layerNames(a.layers), b.name, layerNames(b.layers)));
    update();
}

void PairStrips::clear()
{
    m_numLayers = 0;
    setAccessibleDescription({});
    update();
}

int PairStrips::lineHeight() const
{
    return fontMetrics().height() + 2;
}

int PairStrips::stripHeight() const
{
    return fontMetrics().height() + 6;
}

int PairStrips::stripTop(int strip) const
{
    return lineHeight() + strip * (stripHeight() + lineHeight() + 8);
}

QSize PairStrips::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 60, stripTop(2) + 2 * lineHeight()};
}

QSize PairStrips::minimumSizeHint() const
{
    return {std::max(fontMetrics().averageCharWidth() * 36, static_cast<int>(std::ceil(legendWidth(narrowGap)))), sizeHint().height()};
}

double PairStrips::legendWidth(double gap) const
{
    double width = 2.0 * ringRoom - gap;
    for (const auto &[part, text] : legend())
        width += swatchWidth() + fontMetrics().horizontalAdvance(text) + gap;
    return width;
}

double PairStrips::swatchWidth() const
{
    return fontMetrics().height() * 1.5 + 6;      // with what lies between it and its text
}

std::array<std::pair<PairPart, QString>, 3> PairStrips::legend() const
{
    return {std::pair{PairPart::Both, tr("kept by both")}, std::pair{PairPart::OnlyA, tr("only A")}, std::pair{PairPart::OnlyB, tr("only B")}};
}

QRectF PairStrips::cell(int strip, int layer) const
{
    const double step = std::min(widestCell, (width() - 2.0 * ringRoom) / std::max(1, m_numLayers));
    return {ringRoom + layer * step, static_cast<double>(stripTop(strip)), step - (step > 8.0 ? 2.0 : 0.5), static_cast<double>(stripHeight())};
}

int PairStrips::layerAt(const QPointF &position) const
{
    for (int layer = 0; layer < m_numLayers; ++layer)
        if (position.x() >= cell(0, layer).left() && position.x() <= cell(0, layer).right() && position.y() < cell(1, layer).bottom() + lineHeight())
            return layer;
    return -1;
}

std::optional<PairPart> PairStrips::part(int strip, int layer) const
{
    const bool inA = has(m_a.layers, layer), inB = has(m_b.layers, layer);
    if (!(strip == 0 ? inA : inB))
        return {};
    return inA && inB ? PairPart::Both : strip == 0 ? PairPart::OnlyA : PairPart::OnlyB;
}

QString PairStrips::layerText(int layer) const
{
    const bool inA = has(m_a.layers, layer), inB = has(m_b.layers, layer);
    if (inA && inB)
        return tr("Layer %1: kept by both").arg(layer);
    if (inA || inB)
        return tr("Layer %1: only kept by %2").arg(layer).arg(inA ? m_a.name : m_b.name);
    return tr("Layer %1: kept by neither").arg(layer);
}

void PairStrips::paintStrip(QPainter &painter, int strip) const
{
    const Side &shown = strip == 0 ? m_a : m_b;
    const QRectF title(ringRoom, stripTop(strip) - lineHeight(), width() - 2 * ringRoom, lineHeight());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(tr("%1: %2").arg(strip == 0 ? tr("A") : tr("B"), shown.name), Qt::ElideRight, static_cast<int>(title.width())));
    for (int layer = 0; layer < m_numLayers; ++layer) {
        const QRectF box = cell(strip, layer);
        paintPart(painter, box, part(strip, layer), palette());
        if (layer == m_selection.layer()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(ringColour(palette()), 2));
            painter.drawRect(box.adjusted(-2, -2, 2, 2));
        }
    }
}

void PairStrips::paintNumbers(QPainter &painter) const
{
    painter.setPen(quietTextColour(palette()));
    const double step = m_numLayers > 1 ? cell(1, 1).left() - cell(1, 0).left() : width();
    const int every = std::max(1, static_cast<int>(std::ceil(fontMetrics().horizontalAdvance(QStringLiteral("000")) / step)));
    for (int layer = 0; layer < m_numLayers; layer += every) {
        const QRectF box = cell(1, layer);
        painter.drawText(QRectF(box.center().x() - 30, box.bottom() + 2, 60, lineHeight()), Qt::AlignHCenter | Qt::AlignTop, QString::number(layer));
    }
}

void PairStrips::paintLegend(QPainter &painter) const
{
    const int top = stripTop(1) + stripHeight() + lineHeight() + 6;
    const double gap = legendWidth(wideGap) <= width() ? wideGap : narrowGap;
    double left = ringRoom;
    for (const auto &[part, text] : legend()) {
        paintPart(painter, QRectF(left, top + 2, fontMetrics().height() * 1.5, fontMetrics().height() - 4), part, palette());
        left += swatchWidth();
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRectF(left, top, width() - left, fontMetrics().height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        left += fontMetrics().horizontalAdvance(text) + gap;
    }
}

void PairStrips::paintEvent(QPaintEvent *)
{
    if (m_numLayers == 0)
        return;
    QPainter painter(this);
    for (const int strip : {0, 1})
        paintStrip(painter, strip);
    paintNumbers(painter);
    paintLegend(painter);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(focusColour(palette()), 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void PairStrips::mousePressEvent(QMouseEvent *event)
{
    m_selection.select(layerAt(event->position()));
}

void PairStrips::keyPressEvent(QKeyEvent *event)
{
    const int layer = m_selection.layer(), last = m_numLayers - 1;
    if (last < 0)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: m_selection.select(std::max(0, layer - 1)); return;
    case Qt::Key_Right: m_selection.select(std::min(last, layer + 1)); return;
    case Qt::Key_Home: m_selection.select(0); return;
    case Qt::Key_End: m_selection.select(last); return;
    default: QWidget::keyPressEvent(event);
    }
}

bool PairStrips::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int layer = layerAt(help->pos());
        if (layer >= 0)
            QToolTip::showText(help->globalPos(), layerText(layer), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

}  // namespace stillroom::widgets
