// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace stillroom::widgets {

/// The one selection of the window: a layer, or none. Every page, the strip and the inspector observe it.
class LayerSelection final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LayerSelection)

public:
    explicit LayerSelection(QObject *parent = nullptr) : QObject(parent) {}
    [[nodiscard]] int layer() const { return m_layer; }     ///< -1: none
    void select(int layer);
    void clear() { select(-1); }

Q_SIGNALS:
    void changed(int layer);

private:
    int m_layer = -1;
};

}  // namespace stillroom::widgets
