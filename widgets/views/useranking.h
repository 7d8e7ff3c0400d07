// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/hybridchoice.h"

#include <QPushButton>

namespace stillroom::widgets {

/// The way back from a set made by hand. Unseen while the ranking's own set is chosen, but its place stays free: nothing moves when it comes.
class UseRanking final : public QPushButton {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(UseRanking)

public:
    explicit UseRanking(HybridChoice &choice, QWidget *parent = nullptr);
};

}  // namespace stillroom::widgets
