// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

namespace stillroom::widgets {

/// The picture of the model: one cell per layer, kept layers solid in the softmax colour, others in their mixer's colour and hatch. Hover tells number
/// and score, a click selects, Shift+click (or Space) toggles by hand; arrow keys walk.
class HybridStrip final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HybridStrip)

public:
    explicit HybridStrip(Session &session, QWidget *parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    [[nodiscard]] QRectF cell(int layer) const;
    [[nodiscard]] int layerAt(const QPointF &position) const;
    [[nodiscard]] QString cellText(int layer) const;
    void describe();
    Session &m_session;
};

}  // namespace stillroom::widgets
