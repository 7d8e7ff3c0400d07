// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/overlapcells.h"

#include "views/palette.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace stillroom::widgets {
namespace {

constexpr double gap = 1.0;
constexpr float hatchStrength = 0.55F;

}  // namespace

OverlapCells::OverlapCells(QCustomPlot *plot, const OverlapTable &table) : QCPAbstractItem(plot), m_table(table)
{
    setAntialiased(false);
}

void OverlapCells::setLook(const QPalette &palette, const QFont &font)
{
    m_palette = palette;
    m_plain = m_bold = font;
    m_bold.setBold(true);
    const QFontMetricsF metrics(m_plain);
    m_numberSize = {metrics.horizontalAdvance(QStringLiteral("0.00")) + 4.0, metrics.height()};
}

QRectF OverlapCells::box(int row, int column) const
{
    const QCPAxis *x = mParentPlot->xAxis, *y = mParentPlot->yAxis;
    return QRectF(QPointF(x->coordToPixel(column - 0.5), y->coordToPixel(row - 0.5)), QPointF(x->coordToPixel(column + 0.5), y->coordToPixel(row + 0.5))).normalized().adjusted(gap, gap, -gap, -gap);
}

void OverlapCells::draw(QCPPainter *painter)
{
    drawOverlaps(*painter);
    const QCPRange rows = mParentPlot->yAxis->range();
    for (int row = std::max(0, static_cast<int>(std::ceil(rows.lower))); row < m_table.rowCount() && row < rows.upper; ++row)
        drawDiagonal(*painter, row);
    drawRing(*painter);
}

/// Only what is to be seen. Most cells look like another one: each look is painted once, except for a vector format.
void OverlapCells::drawOverlaps(QCPPainter &painter) const
{
    const QCPRange rows = mParentPlot->yAxis->range(), columns = mParentPlot->xAxis->range();
    const double ratio = painter.device()->devicePixelRatioF();
    const bool vectors = painter.modes().testFlag(QCPPainter::pmVectorized);
    std::map<std::tuple<double, bool, int, int>, QPixmap> looks;
    for (int row = std::max(0, static_cast<int>(std::ceil(rows.lower))); row < m_table.rowCount() && row < rows.upper; ++row)
        for (int column = std::max(0, static_cast<int>(std::ceil(columns.lower))); column < m_table.columnCount() && column < columns.upper; ++column) {
            if (row == column)
                continue;
            if (!m_table.overlapAt(row, column)) {
                drawMissing(painter, box(row, column));
                continue;
            }
            const double jaccard = m_table.overlapAt(row, column)->jaccard;
            const bool beyond = m_table.isBeyondChance(row, column);
            const QRect where = box(row, column).toRect();
            if (vectors) {
                drawOverlap(painter, where, jaccard, beyond);
                continue;
            }
            QPixmap &look = looks[{jaccard, beyond, where.width(), where.height()}];
            if (look.isNull()) {
                look = QPixmap(where.size() * ratio);
                look.setDevicePixelRatio(ratio);
                QPainter once(&look);
                drawOverlap(once, QRectF(QPointF(), QSizeF(where.size())), jaccard, beyond);
            }
            painter.drawPixmap(where.topLeft(), look);
        }
}

/// On paper there may be none for the numbers.
bool OverlapCells::hasRoom(const QRectF &cell) const
{
    return m_numberSize.width() - 4.0 <= cell.width() && m_numberSize.height() <= cell.height() + 2.0;
}

/// J is 1 there and says nothing: the size of the set does.
void OverlapCells::drawDiagonal(QCPPainter &painter, int row) const
{
    const QCPRange columns = mParentPlot->xAxis->range();
    if (row < columns.lower || row > columns.upper)
        return;
    const QRectF where = box(row, row);
    painter.setBrush(m_palette.color(QPalette::AlternateBase));
    painter.setPen(QPen(gridColour(m_palette), 1));
    painter.drawRect(where);
    if (!hasRoom(where))      // a number that stands alone would be read as a Jaccard index
        return;
    if (!m_table.layers(row)) {
        drawMissing(painter, where);
        return;
    }
    painter.setFont(m_plain);
    painter.setPen(quietTextColour(m_palette));
    painter.drawText(where, Qt::AlignCenter, QString::number(m_table.layers(row)->size()));
}

/// Of a choice that has no set at this K.
void OverlapCells::drawMissing(QCPPainter &painter, const QRectF &where) const
{
    painter.setFont(m_plain);
    painter.setPen(quietTextColour(m_palette));
    painter.drawText(where, Qt::AlignCenter, QStringLiteral("–"));
}

void OverlapCells::drawOverlap(QPainter &painter, const QRectF &where, double jaccard, bool beyond) const
{
    const QColor ground = sequentialColour(jaccard), ink = inkOn(ground);
    const QString number = QLocale().toString(jaccard, 'f', 2);
    painter.setPen(Qt::NoPen);
    painter.fillRect(where, ground);
    painter.setFont(beyond ? m_bold : m_plain);
    if (!beyond) {
        QColor hatch = ink;
        hatch.setAlphaF(hatchStrength);
        painter.fillRect(where, QBrush(hatch, Qt::BDiagPattern));
        QRectF behind({}, m_numberSize);
        behind.moveCenter(where.center());
        if (behind.width() <= where.width())
            painter.fillRect(behind.intersected(where), ground);
    }
    painter.setPen(ink);
    if (hasRoom(where))
        painter.drawText(where, Qt::AlignCenter, number);
}

/// Dark within light: to be seen on every colour of the map.
void OverlapCells::drawRing(QCPPainter &painter) const
{
    if (!m_current.isValid())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_palette.color(QPalette::Base), 4));
    painter.drawRect(box(m_current.row(), m_current.column()));
    painter.setPen(QPen(ringColour(m_palette), 2));
    painter.drawRect(box(m_current.row(), m_current.column()));
}

}  // namespace stillroom::widgets
