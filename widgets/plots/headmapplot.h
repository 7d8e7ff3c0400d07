// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/calibrationbook.h"
#include "models/hybridchoice.h"
#include "plots/plotview.h"

#include <utility>

class QCPColorScale;
class QScrollBar;

namespace stillroom::widgets {

class HeadCells;

/// The chosen statistic as a heat map, layers downwards, heads to the right. Softmax layers of the chosen hybrid are pale and hatched, layers that were not calibrated hatched and empty.
/// No cell is smaller than ten pixels: where there is no room for all it scrolls under the names. Arrow keys, Home, End, Page up and down (with Ctrl: of the whole map) walk from head
/// to head, a click picks one; the layer is the window's selection.
class HeadMapPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HeadMapPlot)

public:
    HeadMapPlot(CalibrationBook &book, HybridChoice &choice, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;
    /// Of one cell, in pixels.
    [[nodiscard]] QSizeF cellSize() const;
    /// Layers and columns that are to be seen, the first and one after the last.
    [[nodiscard]] std::pair<int, int> shownLayers() const;
    [[nodiscard]] std::pair<int, int> shownColumns() const;
    /// What the colours run between, in the statistic's unit.
    [[nodiscard]] std::pair<double, double> colourRange() const { return m_range; }
    /// A head in words: "Layer 3, head 5: entropy 1.2 nats".
    [[nodiscard]] QString sentence(int layer, int column) const;

protected:
    void applyPalette() override;
    void refresh() override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void placeScrollBars();
    void makeScale();
    void placeWindow();
    void showWindow();
    void showPicked();
    void nameTicks();
    void fillCells();
    void setColours();
    void wheel(QWheelEvent *event);
    void pick(int layer, int column);
    void markPicked();
    [[nodiscard]] QColor colourOf(double value) const;
    [[nodiscard]] int numLayers() const { return m_choice.numLayers(); }
    [[nodiscard]] int numColumns() const;
    [[nodiscard]] int pickedColumn() const;                ///< -1: none
    [[nodiscard]] std::pair<int, int> cellAt(const QPointF &position) const;      ///< layer and column; -1: beside
    CalibrationBook &m_book;
    HybridChoice &m_choice;
    HeadCells *m_cells;
    QCPColorScale *m_scale;
    QScrollBar *m_down, *m_across;
    std::pair<double, double> m_range{0.0, 1.0};
    int m_layerStep = 1, m_headStep = 1;                   ///< between two numbers on the axes
};

}  // namespace stillroom::widgets
