// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

#include <memory>
#include <vector>

class QCustomPlot;
class QCPBars;
class QCPErrorBars;
class QCPItemRect;
class QCPItemText;

namespace stillroom::widgets {

/// Bars of the layers' scores with their 95 % intervals, kept layers in the softmax colour, the band of unsettled layers shaded; by layer or by rank.
/// A click selects, arrow keys walk. Bars grow in place while scores come in.
class LayerBarPlot final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LayerBarPlot)

public:
    explicit LayerBarPlot(Session &session, QWidget *parent = nullptr);
    ~LayerBarPlot() override;
    enum class Order { ByLayer, ByRank };
    void setOrder(Order order);
    [[nodiscard]] Order order() const { return m_order; }

protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void refresh();
    void applyPalette();
    [[nodiscard]] std::vector<int> layerOrder() const;     ///< layers from left to right
    void drawBars(const std::vector<int> &order);
    void drawSelection(const std::vector<int> &order);
    [[nodiscard]] QString axisTitle() const;
    void describe();

    Session &m_session;
    QCustomPlot *m_plot;
    QCPBars *m_kept, *m_others;
    QCPErrorBars *m_keptErrors, *m_otherErrors;
    QCPItemRect *m_ring;
    QCPItemText *m_empty;
    std::vector<QCPItemRect *> m_band;
    Order m_order = Order::ByLayer;
};

}  // namespace stillroom::widgets
