// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"
#include "plots/plotview.h"

#include <vector>

class QCPBars;
class QCPErrorBars;
class QCPGraph;
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
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    void setOrder(Order order);
    [[nodiscard]] Order order() const { return m_order; }
    /// A second scoring as diamonds beside the bars: on the same axis where it measures the same, else on one of its own at the right. None: no diamonds.
    void setOverlay(std::optional<ChoiceBook::ScoringKey> scoring);
    /// What the diamonds are measured on; empty without any.
    [[nodiscard]] QString overlayAxisTitle() const;
    /// What the axis measures, in one sentence; empty without scores.
    [[nodiscard]] QString axisMeaning() const;

protected:
    void applyPalette() override;
    void refresh() override;
    void laidOut() override { nameLayers(); }
    void keyPressEvent(QKeyEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void addBars();
    void followChoice();
    void limitBarWidth();
    [[nodiscard]] int layerAt(double x) const;             ///< -1 where there is none
    [[nodiscard]] QString barText(int layer) const;
    void fitAxes(const std::vector<int> &order);
    void nameLayers();
    [[nodiscard]] std::vector<int> layerOrder() const;     ///< layers from left to right
    void drawBars(const std::vector<int> &order);
    void drawBand(const std::vector<int> &order);
    void drawSelection(const std::vector<int> &order);
    [[nodiscard]] static QString axisTitle(ScoreBook::Axis axis);
    void readOverlay();
    void drawOverlay(const std::vector<int> &order);
    void fitOverlayAxis();
    [[nodiscard]] bool overlayHasOwnAxis() const;
    void describe();

    Session &m_session;
    QCPBars *m_kept = nullptr, *m_others = nullptr, *m_shade = nullptr;
    QCPErrorBars *m_keptErrors = nullptr, *m_otherErrors = nullptr;
    QCPItemRect *m_ring = nullptr;
    std::vector<QCPItemRect *> m_band;
    QCPGraph *m_overlay = nullptr;
    QCPErrorBars *m_overlayErrors = nullptr;
    std::optional<ChoiceBook::ScoringKey> m_overlayKey;
    ScoreBook::Bars m_overlayBars;
    Order m_order = Order::ByLayer;
};

}  // namespace stillroom::widgets
