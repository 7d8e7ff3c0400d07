// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/headcells.h"

#include "views/palette.h"

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {
namespace {

constexpr double keptStrength = 0.35;
constexpr double roomAround = 6.0;

}  // namespace

HeadCells::HeadCells(QCustomPlot *plot) : QCPAbstractItem(plot)
{
    setAntialiased(false);
    setClipToAxisRect(false);      // the ring of a cell at the edge lies around it; what is scrolled away is not drawn
}

void HeadCells::setLook(const QPalette &palette, const QFont &font)
{
    m_palette = palette;
    m_font = font;
}

/// Edges on whole pixels, so that neighbours touch at one line: cells of ten pixels have no room for two.
QRectF HeadCells::box(int row, int firstColumn, int lastColumn) const
{
    const QCPAxis *x = mParentPlot->xAxis, *y = mParentPlot->yAxis;
    const auto edge = [](double pixel) { return std::floor(pixel + 0.5); };
    const QRectF whole(QPointF(edge(x->coordToPixel(firstColumn - 0.5)), edge(y->coordToPixel(row - 0.5))), QPointF(edge(x->coordToPixel(lastColumn + 0.5)), edge(y->coordToPixel(row + 0.5))));
    return whole.normalized();
}

/// Only what is to be seen.
void HeadCells::draw(QCPPainter *painter)
{
    const QCPRange rows = mParentPlot->yAxis->range(), columns = mParentPlot->xAxis->range();
    const int last = std::min(static_cast<int>(m_rows.size()), static_cast<int>(std::ceil(rows.upper)));
    for (int row = std::max(0, static_cast<int>(std::ceil(rows.lower))); row < last; ++row) {
        const Row &one = m_rows[static_cast<std::size_t>(row)];
        for (int column = std::max(0, static_cast<int>(std::ceil(columns.lower))); column < static_cast<int>(one.cells.size()) && column < columns.upper; ++column)
            drawCell(*painter, box(row, column, column).adjusted(0, 0, -1, -1), one.cells[static_cast<std::size_t>(column)], one.kept);
    }
    drawRing(*painter);
}

void HeadCells::drawCell(QCPPainter &painter, const QRectF &where, const Cell &cell, bool kept) const
{
    const QColor ground = m_palette.color(QPalette::Base);
    QColor fill = cell.colour.isValid() ? cell.colour : m_palette.color(QPalette::AlternateBase);
    if (kept) {
        const auto part = [](int of, int on) { return static_cast<int>(of * keptStrength + on * (1.0 - keptStrength)); };
        fill = QColor(part(fill.red(), ground.red()), part(fill.green(), ground.green()), part(fill.blue(), ground.blue()));
    }
    painter.setPen(Qt::NoPen);
    painter.fillRect(where, fill);
    if (kept || !cell.colour.isValid())
        painter.fillRect(where, QBrush(unchosenColour(m_palette), Qt::BDiagPattern));
    const QFontMetricsF metrics(m_font);
    const QSizeF size(metrics.horizontalAdvance(cell.number), metrics.height());
    if (cell.number.isEmpty() || size.width() + roomAround > where.width() || size.height() > where.height())
        return;
    QRectF behind({}, size + QSizeF(roomAround, 0));
    behind.moveCenter(where.center());
    painter.fillRect(behind, fill);
    painter.setFont(m_font);
    painter.setPen(inkOn(fill));
    painter.drawText(where, Qt::AlignCenter, cell.number);
}

/// Dark within light, outside of the cell: its colour stays whole.
void HeadCells::drawRing(QCPPainter &painter) const
{
    const auto [row, column] = m_picked;
    if (row < 0 || row >= static_cast<int>(m_rows.size()) || !mParentPlot->yAxis->range().contains(row) || (column >= 0 && !mParentPlot->xAxis->range().contains(column)))
        return;
    const int last = static_cast<int>(m_rows[static_cast<std::size_t>(row)].cells.size()) - 1;
    const QRectF around = (column >= 0 ? box(row, column, column) : box(row, 0, std::max(0, last))).adjusted(-1, -1, 0, 0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_palette.color(QPalette::Base), 5));
    painter.drawRect(around);
    painter.setPen(QPen(ringColour(m_palette), 2));
    painter.drawRect(around);
}

}  // namespace stillroom::widgets
