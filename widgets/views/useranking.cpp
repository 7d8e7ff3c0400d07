// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/useranking.h"

namespace stillroom::widgets {

UseRanking::UseRanking(HybridChoice &choice, QWidget *parent) : QPushButton(tr("Use the ranking"), parent)
{
    setToolTip(tr("Drop the set made by hand"));
    QSizePolicy room = sizePolicy();
    room.setRetainSizeWhenHidden(true);
    setSizePolicy(room);
    const auto refresh = [this, &choice] { setVisible(choice.numLayers() > 0 && choice.isCustom()); };
    connect(this, &QPushButton::clicked, &choice, &HybridChoice::useRanking);
    connect(&choice, &HybridChoice::changed, this, refresh);
    refresh();
}

}  // namespace stillroom::widgets
