// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/scorebook.h"

#include "error.h"

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {
namespace {

/// Better evidence takes the place of a first look by itself.
int evidence(const QString &selector)
{
    if (selector == QLatin1String("ga-s2"))
        return 2;
    return selector == QLatin1String("zero-shot-ga") ? 1 : 0;
}

/// The same measurement; a standard error that nobody gave is like another.
bool isSame(const experiment::LayerScore &a, const experiment::LayerScore &b)
{
    return a.score == b.score && a.klNats == b.klNats && a.tokens == b.tokens && a.numSequences == b.numSequences && (a.se == b.se || (std::isnan(a.se) && std::isnan(b.se)));
}

}  // namespace

void ScoreBook::clear(int numLayers)
{
    m_scores.clear();
    m_verdicts.clear();
    m_source.reset();
    m_pinned = false;
    m_expected.clear();
    m_numLayers = numLayers;
    readShown();
    Q_EMIT sourceChanged();
    Q_EMIT changed();
}

void ScoreBook::add(const experiment::LayerScore &score)
{
    add(std::vector<experiment::LayerScore>{score});
}

void ScoreBook::add(const std::vector<experiment::LayerScore> &scores)
{
    bool newSource = false;
    for (const experiment::LayerScore &score : scores) {
        if (score.layer >= m_numLayers)
            continue;
        const Source source{QString::fromStdString(score.selector), QString::fromStdString(score.mixer)};
        m_scores[source][score.layer] = score;
        m_verdicts.erase(source);
        if (takesOver(source)) {
            m_source = source;
            newSource = true;
        }
    }
    readShown();
    if (newSource)
        Q_EMIT sourceChanged();
    if (!scores.empty())
        Q_EMIT changed();
}

bool ScoreBook::takesOver(const Source &source) const
{
    if (!m_source)
        return true;
    if (m_pinned || source == *m_source)
        return false;
    return source.selector == m_expected || (m_source->selector != m_expected && evidence(source.selector) >= evidence(m_source->selector));
}

void ScoreBook::expect(const QString &selector)
{
    m_expected = selector;
    m_pinned = false;
}

void ScoreBook::addOlder(const std::vector<experiment::LayerScore> &scores)
{
    std::vector<experiment::LayerScore> missing;
    for (const experiment::LayerScore &score : scores) {
        const auto known = m_scores.find({QString::fromStdString(score.selector), QString::fromStdString(score.mixer)});
        if (known == m_scores.end() || !known->second.contains(score.layer))
            missing.push_back(score);
    }
    if (!missing.empty())
        add(missing);
}

void ScoreBook::setStored(const std::vector<experiment::LayerScore> &scores)
{
    std::map<std::pair<Source, int>, const experiment::LayerScore *> latest;
    for (const experiment::LayerScore &score : scores)
        latest[{{QString::fromStdString(score.selector), QString::fromStdString(score.mixer)}, score.layer}] = &score;
    std::vector<experiment::LayerScore> changed;
    for (const auto &[place, score] : latest) {
        const auto of = m_scores.find(place.first);
        if (of == m_scores.end() || !of->second.contains(place.second) || !isSame(of->second.at(place.second), *score))
            changed.push_back(*score);
    }
    if (!changed.empty())
        add(changed);
}

void ScoreBook::setVerdicts(std::map<Source, Verdict> verdicts)
{
    std::erase_if(verdicts, [&](const auto &one) { return static_cast<int>(one.second.ranking.size()) != m_numLayers; });
    if (verdicts == m_verdicts)
        return;
    m_verdicts = std::move(verdicts);
    readShown();
    Q_EMIT changed();
}

std::vector<ScoreBook::Source> ScoreBook::sources() const
{
    std::vector<Source> all;
    for (const auto &[source, scores] : m_scores)
        all.push_back(source);
    return all;
}

void ScoreBook::setSource(const Source &source, bool pinned)
{
    m_pinned = pinned;
    if (!m_scores.contains(source) || m_source == source)
        return;
    m_source = source;
    readShown();
    Q_EMIT sourceChanged();
    Q_EMIT changed();
}

const std::map<int, experiment::LayerScore> *ScoreBook::shown() const
{
    const auto found = m_source ? m_scores.find(*m_source) : m_scores.end();
    return found == m_scores.end() ? nullptr : &found->second;
}

void ScoreBook::readShown()
{
    m_shown = {};
    m_ranking.reset();
    m_found.clear();
    const auto *scores = shown();
    if (!scores)
        return;
    m_shown = analysis::layerBars(*scores);
    if (const auto own = m_verdicts.find(*m_source); own != m_verdicts.end()) {
        m_ranking = own->second.ranking;
        m_found = own->second.found;
        return;
    }
    std::vector<experiment::LayerScore> list;
    for (const auto &[layer, score] : *scores)
        list.push_back(score);
    try {
        m_ranking = experiment::rank(list, m_numLayers);
    } catch (const Error &) {   // a layer is still missing: there is no ranking yet
    }
}

std::optional<LayerBar> ScoreBook::bar(int layer) const
{
    const auto found = std::lower_bound(m_shown.bars.begin(), m_shown.bars.end(), layer, [](const LayerBar &one, int wanted) { return one.layer < wanted; });
    return found != m_shown.bars.end() && found->layer == layer ? std::optional(*found) : std::nullopt;
}

std::int64_t ScoreBook::tokens() const
{
    const auto *scores = shown();
    std::int64_t least = -1;
    if (scores)
        for (const auto &[layer, score] : *scores)
            if (layer >= 0)
                least = least < 0 ? score.tokens : std::min(least, score.tokens);
    return std::max<std::int64_t>(least, 0);
}

std::vector<int> ScoreBook::tieBand(int keep) const
{
    return m_ranking ? analysis::unsettledLayers(m_shown, *m_ranking, keep) : std::vector<int>();
}

}  // namespace stillroom::widgets
