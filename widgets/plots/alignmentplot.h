// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/calibrationbook.h"
#include "plots/growncurve.h"
#include "plots/plotview.h"

#include <map>

class QCPGraph;

namespace stillroom::widgets {

class EndLabels;

/// How every layer comes nearer to its teacher in Phase 2, step by step, live while a job calibrates: darker lines are earlier layers, each
/// has its number at its end, the selected one stands out.
/// A click on a line selects its layer, so do the arrow keys; L toggles a logarithmic axis.
class AlignmentPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(AlignmentPlot)
    Q_PROPERTY(bool logarithmic READ isLogarithmic WRITE setLogarithmic)

public:
    enum class Quantity { RelativeMse, Cosine };
    AlignmentPlot(CalibrationBook &book, LayerSelection &selection, Quantity quantity, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool isLogarithmic() const { return m_logarithmic; }
    void setLogarithmic(bool on);
    [[nodiscard]] int numCurves() const;
    [[nodiscard]] int numPoints() const;

protected:
    void applyPalette() override;
    void refresh() override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    /// A layer's curve on the canvas.
    struct Line {
        QCPGraph *graph = nullptr;
        GrownCurve drawn;
    };
    void describe();
    void draw();
    void styleLines();
    void fitAxes();
    void labelEnds();
    [[nodiscard]] QColor colourOf(int layer) const;
    void step(int by);
    [[nodiscard]] const std::map<int, QVector<AlignmentPoint>> &curves() const;
    [[nodiscard]] int layerAt(const QPointF &position) const;      ///< -1: none near
    CalibrationBook &m_book;
    LayerSelection &m_selection;
    Quantity m_quantity;
    EndLabels *m_ends;
    std::map<int, Line> m_lines;               ///< by layer
    int m_inFront = -1;                        ///< the layer whose line was laid over the others
    bool m_anew = true;                        ///< other curves, not longer ones
    bool m_logarithmic;
};

}  // namespace stillroom::widgets
