// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPalette>
#include <QString>

#include <utility>
#include <vector>

#include <qcustomplot.h>

namespace stillroom::widgets {

/// The cells of a map of heads as one item of a plot. Row i is centred on y = i, column j on x = j.
class HeadCells final : public QCPAbstractItem {
public:
    struct Cell {
        QColor colour;                    ///< invalid: no number
        QString number;                   ///< written where there is room
    };
    struct Row {
        std::vector<Cell> cells;
        bool kept = false;                ///< a softmax layer of the chosen hybrid: pale and hatched
    };
    explicit HeadCells(QCustomPlot *plot);
    void setLook(const QPalette &palette, const QFont &font);
    void setRows(std::vector<Row> rows) { m_rows = std::move(rows); }
    [[nodiscard]] const std::vector<Row> &rows() const { return m_rows; }
    void setPicked(int row, int column) { m_picked = {row, column}; }      ///< -1: none; a row alone is ringed whole
    [[nodiscard]] double selectTest(const QPointF &, bool, QVariant *) const override { return -1.0; }

protected:
    void draw(QCPPainter *painter) override;

private:
    void drawCell(QCPPainter &painter, const QRectF &where, const Cell &cell, bool kept) const;
    void drawRing(QCPPainter &painter) const;
    [[nodiscard]] QRectF box(int row, int firstColumn, int lastColumn) const;
    std::vector<Row> m_rows;
    std::pair<int, int> m_picked{-1, -1};
    QPalette m_palette;
    QFont m_font;
};

}  // namespace stillroom::widgets
