// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"
#include "models/layerselection.h"
#include "views/palette.h"

#include <QString>
#include <QWidget>

#include <array>
#include <optional>
#include <utility>

namespace stillroom::widgets {

/// Two sets of layers one above the other, layer 0 at the left: what both keep, what one keeps alone, by colour and pattern, with the legend below.
/// A click or the arrow keys select a layer for the whole window.
class PairStrips final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(PairStrips)

public:
    struct Side {
        QString name;
        experiment::LayerSet layers;
    };
    explicit PairStrips(LayerSelection &selection, QWidget *parent = nullptr);
    void setPair(int numLayers, const Side &a, const Side &b);
    void clear();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    [[nodiscard]] QRectF cell(int strip, int layer) const;
    [[nodiscard]] int layerAt(const QPointF &position) const;
    [[nodiscard]] QString layerText(int layer) const;
    [[nodiscard]] std::optional<PairPart> part(int strip, int layer) const;
    void paintStrip(QPainter &painter, int strip) const;
    void paintNumbers(QPainter &painter) const;
    void paintLegend(QPainter &painter) const;
    [[nodiscard]] std::array<std::pair<PairPart, QString>, 3> legend() const;
    [[nodiscard]] double legendWidth(double gap) const;
    [[nodiscard]] double swatchWidth() const;
    [[nodiscard]] int lineHeight() const;
    [[nodiscard]] int stripTop(int strip) const;
    [[nodiscard]] int stripHeight() const;
    LayerSelection &m_selection;
    Side m_a, m_b;
    int m_numLayers = 0;
};

}  // namespace stillroom::widgets
