// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plotview.h"

#include "plots/plotlook.h"
#include "views/palette.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <qcustomplot.h>

namespace stillroom::widgets {
namespace {

constexpr int ringWidth = 2;

}  // namespace

PlotView::PlotView(QWidget *parent) : QWidget(parent), m_plot(new QCustomPlot(this)), m_empty(new QCPItemText(m_plot))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(ringWidth, ringWidth, ringWidth, ringWidth);
    layout->addWidget(m_plot);
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_empty->position->setType(QCPItemPosition::ptViewportRatio);
    m_empty->position->setCoords(0.5, 0.5);
    m_empty->setClipToAxisRect(false);
    m_empty->setVisible(false);
}

void PlotView::setEmptyText(const QString &sentence)
{
    const bool empty = !sentence.isEmpty();
    m_empty->setText(sentence);
    m_empty->setVisible(empty);
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis})
        axis->setVisible(!empty);
    if (empty)
        m_plot->legend->setVisible(false);
}

void PlotView::restyle()
{
    applyPlotLook(*m_plot, *this);
    m_empty->setColor(quietTextColour(palette()));
    m_empty->setFont(font());
    applyPalette();
}

void PlotView::invalidate()
{
    m_stale = !isVisible();
    if (!m_stale)
        refresh();
}

void PlotView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_stale) {
        m_stale = false;
        refresh();
    }
}

void PlotView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        restyle();
        refresh();
    }
}

void PlotView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void PlotView::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

void PlotView::paintEvent(QPaintEvent *)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setPen(QPen(focusColour(palette()), ringWidth));
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

}  // namespace stillroom::widgets
