// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figuresheet.h"

#include <QPainter>

namespace stillroom::widgets {
namespace {

constexpr int sheetMargin = 16;       // white around the figure, as a page has

}  // namespace

FigureSheet::FigureSheet(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Preview"));
}

void FigureSheet::setFigure(const QPixmap &figure)
{
    m_figure = figure;
    setFixedSize(figure.deviceIndependentSize().toSize() + QSize(2 * sheetMargin, 2 * sheetMargin));
    update();
}

void FigureSheet::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Qt::white);      // paper, whatever the theme
    painter.drawPixmap(sheetMargin, sheetMargin, m_figure);
}

}  // namespace stillroom::widgets
