// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/hybridchoice.h"

#include <algorithm>

namespace stillroom::widgets {

void HybridChoice::reset(int numLayers)
{
    m_numLayers = numLayers;
    m_ranking.reset();
    m_custom.reset();
    m_keep = experiment::keepFromPercent(25.0, numLayers);
    Q_EMIT changed();
}

void HybridChoice::setRanking(std::optional<experiment::Ranking> ranking)
{
    if (ranking == m_ranking)
        return;
    m_ranking = std::move(ranking);
    Q_EMIT changed();
}

int HybridChoice::keep() const
{
    return m_custom ? static_cast<int>(m_custom->size()) : m_keep;
}

double HybridChoice::percent() const
{
    return m_numLayers > 0 ? 100.0 * keep() / m_numLayers : 0.0;
}

experiment::LayerSet HybridChoice::layers() const
{
    if (m_custom)
        return *m_custom;
    return m_ranking ? experiment::topLayers(*m_ranking, m_keep) : experiment::LayerSet();
}

bool HybridChoice::isKept(int layer) const
{
    const experiment::LayerSet kept = layers();
    return std::binary_search(kept.begin(), kept.end(), layer);
}

void HybridChoice::setKeep(int keep)
{
    keep = std::clamp(keep, 0, m_numLayers);
    if (keep == m_keep && !m_custom)
        return;
    m_keep = keep;
    m_custom.reset();
    Q_EMIT changed();
}

void HybridChoice::setPercent(double percent)
{
    setKeep(experiment::keepFromPercent(percent, m_numLayers));
}

void HybridChoice::toggle(int layer)
{
    if (layer < 0 || layer >= m_numLayers)
        return;
    experiment::LayerSet set = layers();
    const auto at = std::lower_bound(set.begin(), set.end(), layer);
    if (at != set.end() && *at == layer)
        set.erase(at);
    else
        set.insert(at, layer);
    m_custom = std::move(set);
    Q_EMIT changed();
}

void HybridChoice::useRanking()
{
    if (!m_custom)
        return;
    m_custom.reset();
    Q_EMIT changed();
}

}  // namespace stillroom::widgets
