// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/linkedaxis.h"

namespace stillroom::widgets {

void LinkedAxis::lookAt(const std::optional<double> &place)
{
    if (m_place == place)
        return;
    m_place = place;
    Q_EMIT placeChanged();
}

void LinkedAxis::show(const std::optional<std::pair<double, double>> &range)
{
    if (m_range == range)
        return;
    m_range = range;
    Q_EMIT rangeChanged();
}

void LinkedAxis::setLogarithmic(bool on)
{
    if (m_logarithmic == on)
        return;
    m_logarithmic = on;
    Q_EMIT scaleChanged();
}

}  // namespace stillroom::widgets
