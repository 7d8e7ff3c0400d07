// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/keepcontrol.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>

namespace stillroom::widgets {

KeepControl::KeepControl(HybridChoice &choice, QWidget *parent)
    : QWidget(parent), m_choice(choice), m_slider(new QSlider(Qt::Horizontal, this)), m_keep(new QSpinBox(this)), m_percent(new QDoubleSpinBox(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto *label = new QLabel(tr("&K, softmax layers kept:"), this);
    label->setBuddy(m_keep);
    row->addWidget(label);
    row->addWidget(m_slider, 1);
    row->addWidget(m_keep);
    row->addWidget(m_percent);
    makeInputs();
    connect(&choice, &HybridChoice::changed, this, &KeepControl::refresh);
    refresh();
}

void KeepControl::makeInputs()
{
    m_slider->setAccessibleName(tr("Softmax layers kept"));
    m_slider->setTickPosition(QSlider::TicksBelow);
    m_slider->setPageStep(1);
    m_slider->setMinimumWidth(fontMetrics().averageCharWidth() * 10);      // a narrow window leaves something to drag on
    m_keep->setAccessibleName(tr("Softmax layers kept"));
    m_percent->setAccessibleName(tr("Share of softmax layers kept"));
    m_percent->setDecimals(1);
    m_percent->setRange(0.0, 100.0);
    m_percent->setSuffix(tr(" %"));
    m_percent->setKeyboardTracking(false);
    const auto setKeep = [this](int keep) {
        if (!m_filling)
            m_choice.setKeep(keep);
    };
    connect(m_slider, &QSlider::valueChanged, this, setKeep);
    connect(m_keep, &QSpinBox::valueChanged, this, setKeep);
    connect(m_percent, &QDoubleSpinBox::valueChanged, this, [this](double percent) {
        if (!m_filling)
            m_choice.setPercent(percent);
    });
}

void KeepControl::refresh()
{
    const int numLayers = m_choice.numLayers();
    m_filling = true;
    m_slider->setRange(0, numLayers);
    m_keep->setRange(0, numLayers);
    m_slider->setValue(m_choice.keep());
    m_keep->setValue(m_choice.keep());
    m_percent->setSingleStep(numLayers > 0 ? 100.0 / numLayers : 1.0);
    m_percent->setValue(m_choice.percent());
    m_filling = false;
    setEnabled(numLayers > 0);
}

}  // namespace stillroom::widgets
