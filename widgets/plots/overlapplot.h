// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/overlaptable.h"
#include "plots/plotview.h"

#include <utility>

class QCPColorScale;
class QItemSelectionModel;
class QScrollBar;

namespace stillroom::widgets {

class OverlapCells;

/// The overlap table as a heat map with its numbers. What chance explains is hatched and thin, the rest bold; the chance level is marked on the scale.
/// Where there is no room for all cells it scrolls under the names and numbers, which stay. Arrow keys, Home, End, Page up and down (with Ctrl: of the whole
/// matrix) move the cell, Enter opens it; a click does both.
class OverlapPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OverlapPlot)

public:
    /// \param current  whose current index is the cell; shared with the table twin
    OverlapPlot(OverlapTable &table, QItemSelectionModel &current, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Rows and columns that are to be seen, the first and one after the last.
    [[nodiscard]] std::pair<int, int> shownRows() const;
    [[nodiscard]] std::pair<int, int> shownColumns() const;

Q_SIGNALS:
    void opened();                 ///< the current cell, by a click or Enter

protected:
    void applyPalette() override;
    void refresh() override;
    void keyPressEvent(QKeyEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void placeScrollBars();
    void nameAxes();
    void placeWindow();
    void showWindow();
    void showCurrent();
    void wheel(QWheelEvent *event);
    void markChance();
    void laidOut() override { markChance(); }
    void describe();
    void go(int row, int column);
    [[nodiscard]] QModelIndex cellAt(const QPointF &position) const;
    [[nodiscard]] QSize cellSize() const;
    [[nodiscard]] QString rowName(int row) const;          ///< cut in the middle where it is very long
    [[nodiscard]] int widestRowName() const;
    OverlapTable &m_table;
    QItemSelectionModel &m_current;
    OverlapCells *m_cells;
    QCPColorScale *m_scale;
    bool m_square = false;
    QScrollBar *m_down, *m_across;
    int m_nameWidth = 0;           ///< of the longest name; every layout of the page asks for it
    bool m_otherRows = true;       ///< the axes name others
};

}  // namespace stillroom::widgets
