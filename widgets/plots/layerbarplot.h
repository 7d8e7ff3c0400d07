// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"
#include "plots/plotview.h"

#include <vector>

class QCPBars;
class QCPErrorBars;
class QCPItemRect;

namespace stillroom::widgets {

/// Bars of the layers' scores with their 95 % intervals, kept layers in the softmax colour, the band of unsettled layers shaded; by layer or by rank.
/// A click selects, arrow keys walk. Bars grow in place while scores come in.
class LayerBarPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LayerBarPlot)

public:
    explicit LayerBarPlot(Session &session, QWidget *parent = nullptr);
    enum class Order { ByLayer, ByRank };
    void setOrder(Order order);
    [[nodiscard]] Order order() const { return m_order; }
    /// What the axis measures, in one sentence; empty without scores.
    [[nodiscard]] QString axisMeaning() const;

protected:
    void applyPalette() override;
    void refresh() override;
    void keyPressEvent(QKeyEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void addBars();
    void limitBarWidth();
    [[nodiscard]] int layerAt(double x) const;             ///< -1 where there is none
    [[nodiscard]] QString barText(int layer) const;
    void fitAxes(const std::vector<int> &order);
    [[nodiscard]] std::vector<int> layerOrder() const;     ///< layers from left to right
    void drawBars(const std::vector<int> &order);
    void drawSelection(const std::vector<int> &order);
    [[nodiscard]] QString axisTitle() const;
    void describe();

    Session &m_session;
    QCPBars *m_kept = nullptr, *m_others = nullptr;
    QCPErrorBars *m_keptErrors = nullptr, *m_otherErrors = nullptr;
    QCPItemRect *m_ring = nullptr;
    std::vector<QCPItemRect *> m_band;
    Order m_order = Order::ByLayer;
};

}  // namespace stillroom::widgets
