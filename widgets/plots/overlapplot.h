// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/overlaptable.h"
#include "plots/plotview.h"

class QCPColorScale;
class QItemSelectionModel;

namespace stillroom::widgets {

class OverlapCells;

/// The overlap table as a heat map with its numbers. What chance explains is hatched and thin, the rest bold; the chance level is marked on the scale.
/// Arrow keys move the cell, Enter opens it; a click does both.
class OverlapPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OverlapPlot)

public:
    /// \param current  whose current index is the cell; shared with the table twin
    OverlapPlot(OverlapTable &table, QItemSelectionModel &current, QWidget *parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Where the current cell is drawn; empty without one.
    [[nodiscard]] QRect currentCell() const;

Q_SIGNALS:
    void opened();                 ///< the current cell, by a click or Enter

protected:
    void applyPalette() override;
    void refresh() override;
    void keyPressEvent(QKeyEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void fitAxes();
    void markChance();
    void describe();
    void go(int row, int column);
    [[nodiscard]] QModelIndex cellAt(const QPointF &position) const;
    [[nodiscard]] QSize cellSize() const;
    OverlapTable &m_table;
    QItemSelectionModel &m_current;
    OverlapCells *m_cells;
    QCPColorScale *m_scale;
    bool m_otherRows = true;       ///< the axes name others
};

}  // namespace stillroom::widgets
