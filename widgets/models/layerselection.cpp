// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layerselection.h"

namespace stillroom::widgets {

void LayerSelection::select(int layer)
{
    if (layer == m_layer)
        return;
    m_layer = layer;
    Q_EMIT changed(layer);
}

}  // namespace stillroom::widgets
