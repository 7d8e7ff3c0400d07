// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/hybridchoice.h"

#include <QWidget>

class QDoubleSpinBox;
class QSlider;
class QSpinBox;

namespace stillroom::widgets {

/// How many layers stay softmax: slider, number and percentage, which are views of one value.
class KeepControl final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(KeepControl)

public:
    explicit KeepControl(HybridChoice &choice, QWidget *parent = nullptr);

private:
    void makeInputs();
    void refresh();
    HybridChoice &m_choice;
    QSlider *m_slider;
    QSpinBox *m_keep;
    QDoubleSpinBox *m_percent;
    bool m_filling = false;
};

}  // namespace stillroom::widgets
