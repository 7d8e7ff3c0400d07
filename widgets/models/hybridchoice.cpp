// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/hybridchoice.h"

#include <algorithm>
#include <utility>

namespace stillroom::widgets {

void HybridChoice::reset(int numLayers)
{
    m_numLayers = numLayers;
    m_ranking.reset();
    m_found.clear();
    m_rule.reset();
    m_custom.reset();
    m_keep = experiment::keepFromPercent(25.0, numLayers);
    choose();
}

void HybridChoice::clear()
{
    m_numLayers = m_keep = 0;
    m_ranking.reset();
    m_found.clear();
    m_rule.reset();
    m_custom.reset();
    choose();
}

void HybridChoice::setRanking(std::optional<experiment::Ranking> ranking, std::vector<experiment::LayerSet> found)
{
    if (ranking == m_ranking && found == m_found)
        return;
    m_rule.reset();
    if (ranking)
        m_rule = found.empty() ? choices::KeepRule::ranked(*ranking, m_numLayers) : choices::KeepRule::searched(found, *ranking, m_numLayers);
    m_ranking = std::move(ranking);
    m_found = std::move(found);
    choose();
}

/// Once a change, and not for each of the many that ask.
void HybridChoice::choose()
{
    m_layers = m_custom ? *m_custom : m_rule ? m_rule->at(m_keep).value_or(experiment::LayerSet()) : experiment::LayerSet();
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

bool HybridChoice::isKept(int layer) const
{
    return std::binary_search(m_layers.begin(), m_layers.end(), layer);
}

std::vector<int> HybridChoice::foundSizes() const
{
    return m_rule ? m_rule->foundSizes() : std::vector<int>();
}

bool HybridChoice::isFound() const
{
    return !m_custom && std::any_of(m_found.begin(), m_found.end(), [this](const experiment::LayerSet &set) { return static_cast<int>(set.size()) == m_keep; });
}

void HybridChoice::setKeep(int keep)
{
    keep = std::clamp(keep, 0, m_numLayers);
    if (keep == m_keep && !m_custom)
        return;
    m_keep = keep;
    m_custom.reset();
    choose();
}

void HybridChoice::setPercent(double percent)
{
    setKeep(experiment::keepFromPercent(percent, m_numLayers));
}

void HybridChoice::setLayers(const experiment::LayerSet &layers)
{
    if (layers == m_layers || (!layers.empty() && (layers.front() < 0 || layers.back() >= m_numLayers)))
        return;
    m_keep = static_cast<int>(layers.size());
    const auto own = m_rule ? m_rule->at(m_keep) : std::nullopt;
    m_custom = own == layers ? std::nullopt : std::optional(layers);
    choose();
}

void HybridChoice::toggle(int layer)
{
    if (layer < 0 || layer >= m_numLayers)
        return;
    experiment::LayerSet set = m_layers;
    const auto at = std::lower_bound(set.begin(), set.end(), layer);
    if (at != set.end() && *at == layer)
        set.erase(at);
    else
        set.insert(at, layer);
    m_custom = std::move(set);
    const auto size = static_cast<int>(m_custom->size());
    if (m_rule && m_rule->at(size) == m_custom) {      // no set of one's own: it is the ranking's again
        m_keep = size;
        m_custom.reset();
    }
    choose();
}

void HybridChoice::useRanking()
{
    if (!m_custom)
        return;
    m_custom.reset();
    choose();
}

}  // namespace stillroom::widgets
