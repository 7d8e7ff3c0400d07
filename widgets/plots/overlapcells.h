// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/overlaptable.h"

#include <QFont>
#include <QModelIndex>
#include <QPalette>

#include <qcustomplot.h>

namespace stillroom::widgets {

/// All cells of an overlap matrix as one item of a plot: an item a cell would take longer than a frame for thirty choices.
/// Cell (row, column) is centred on the plot's coordinates (column, row).
class OverlapCells final : public QCPAbstractItem {
public:
    OverlapCells(QCustomPlot *plot, const OverlapTable &table);
    void setLook(const QPalette &palette, const QFont &font);
    void setCurrent(const QModelIndex &cell) { m_current = cell; }
    double selectTest(const QPointF &, bool, QVariant *) const override { return -1.0; }

protected:
    void draw(QCPPainter *painter) override;

private:
    [[nodiscard]] QRectF box(int row, int column) const;
    [[nodiscard]] bool hasRoom(const QRectF &cell) const;
    void drawDiagonal(QCPPainter &painter, int row) const;
    void drawMissing(QCPPainter &painter, const QRectF &where) const;
    /// \param where  the cell; what is drawn there hangs on the other two alone
    void drawOverlap(QPainter &painter, const QRectF &where, double jaccard, bool beyond) const;
    void drawOverlaps(QCPPainter &painter) const;
    void drawRing(QCPPainter &painter) const;
    const OverlapTable &m_table;
    QModelIndex m_current;
    QPalette m_palette;
    QFont m_plain, m_bold;
    QSizeF m_numberSize;
};

}  // namespace stillroom::widgets
