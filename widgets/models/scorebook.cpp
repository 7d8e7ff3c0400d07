// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/scorebook.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

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
    return a.layer == b.layer && a.score == b.score && a.klNats == b.klNats && a.tokens == b.tokens && a.numSequences == b.numSequences && (a.se == b.se || (std::isnan(a.se) && std::isnan(b.se)));
}

std::optional<experiment::Ranking> rankingOf(const std::vector<experiment::LayerScore> &scores, int numLayers)
{
    try {
        return experiment::rank(scores, numLayers);
    } catch (const Error &) {      // a layer is still missing: there is no ranking yet
        return std::nullopt;
    }
}

}  // namespace

bool ScoreBook::Held::isLike(const Held &other) const
{
    return source == other.source && status == other.status && ranking == other.ranking && sets == other.sets && std::equal(scores.begin(), scores.end(), other.scores.begin(), other.scores.end(), isSame);
}

void ScoreBook::clear(int numLayers)
{
    m_held.clear();
    m_source.reset();
    m_before.reset();
    m_pinned = m_wasPinned = false;
    m_liveRun.clear();
    m_liveSelector.clear();
    m_numLayers = numLayers;
    readShown();
    Q_EMIT sourcesChanged();
    Q_EMIT sourceChanged();
    Q_EMIT changed();
}

/// Another model's scores, under the same name, are left out layer by layer.
ScoreBook::Held ScoreBook::held(const store::Scoring &scoring) const
{
    Held made{{QString::fromStdString(scoring.selector), QString::fromStdString(scoring.mixer), QString::fromStdString(scoring.run), QString::fromStdString(scoring.task)}, scoring.status, scoring.scores, scoring.ranking, scoring.sets};
    std::erase_if(made.scores, [&](const experiment::LayerScore &score) { return score.layer >= m_numLayers; });
    if (!made.ranking || static_cast<int>(made.ranking->size()) != m_numLayers) {
        made.ranking = rankingOf(made.scores, m_numLayers);
        made.sets.clear();
    }
    return made;
}

void ScoreBook::setScorings(const std::vector<store::Scoring> &scorings)
{
    std::vector<Held> now;
    for (const store::Scoring &one : scorings)
        if (Held made = held(one); !made.scores.empty())
            now.push_back(std::move(made));
    const auto isKnown = [](const Held &a, const Held &b) { return a.source == b.source && a.status == b.status; };
    const bool sameList = std::equal(now.begin(), now.end(), m_held.begin(), m_held.end(), isKnown);
    const std::optional<Held> was = shown() ? std::optional(*shown()) : std::nullopt;
    const std::vector<Held> before = std::exchange(m_held, std::move(now));
    if (!sameList)
        Q_EMIT sourcesChanged();
    const std::optional<Source> source = m_source;
    chooseAmong(before);
    if (source == m_source && was && shown() && !was->isLike(*shown())) {      // the same one has grown
        readShown();
        Q_EMIT changed();
    }
}

/// \param before  what there was
void ScoreBook::chooseAmong(const std::vector<Held> &before)
{
    if (const Held *own = m_pinned ? nullptr : live()) {
        show(own->source);
        return;
    }
    if (!shown()) {      // nothing was, or it is gone: then the like of it, else the best
        m_pinned = false;
        const Held *like = m_source ? find({m_source->selector, m_source->mixer}) : nullptr;
        like = like && like->isFinished() ? like : best();
        show(like ? std::optional(like->source) : std::nullopt);
        return;
    }
    for (const Held &one : m_held) {
        const bool wasFinished = std::any_of(before.begin(), before.end(), [&](const Held &other) { return other.isFinished() && other.source == one.source; });
        if (!wasFinished && takesOver(one))
            show(one.source);
    }
}

bool ScoreBook::takesOver(const Held &scoring) const
{
    if (m_pinned || !scoring.isFinished())
        return false;
    return !shown()->isFinished() || evidence(scoring.source.selector) >= evidence(m_source->selector);
}

const ScoreBook::Held *ScoreBook::live() const
{
    const Held *first = nullptr;
    for (const Held &one : m_held) {
        if (m_liveRun.isEmpty() || one.source.run != m_liveRun)
            continue;
        if (one.source.selector == m_liveSelector)
            return &one;
        if (!first || evidence(one.source.selector) >= evidence(first->source.selector))
            first = &one;
    }
    // A first look on the way is shown where nothing better is.
    const Held *others = m_before ? find(*m_before) : nullptr;
    return first && (!others || evidence(first->source.selector) >= evidence(others->source.selector)) ? first : nullptr;
}

void ScoreBook::beginLive(const QString &run, const QString &selector)
{
    m_liveRun = run;
    m_liveSelector = selector;
    m_before = m_source;
    m_wasPinned = std::exchange(m_pinned, false);
}

void ScoreBook::endLive()
{
    const QString run = std::exchange(m_liveRun, {});
    const Held *own = shown();
    if (own && own->source.run == run && !own->isFinished() && !m_pinned && m_before && find(*m_before)) {
        show(find(*m_before)->source);
        m_pinned = m_wasPinned;      // what a person chose is chosen still
    }
    m_before.reset();
    m_wasPinned = false;
}

std::vector<ScoreBook::Source> ScoreBook::sources() const
{
    std::vector<Source> all;
    for (const bool finished : {true, false})
        for (auto one = m_held.rbegin(); one != m_held.rend(); ++one)
            if (one->isFinished() == finished)
                all.push_back(one->source);
    return all;
}

const ScoreBook::Held *ScoreBook::find(const Source &source) const
{
    const Held *found = nullptr;
    for (const Held &one : m_held) {
        const bool is = source.run.isEmpty() ? one.source.selector == source.selector && one.source.mixer == source.mixer : one.source == source;
        if (is && (!found || one.isFinished() || !found->isFinished()))
            found = &one;
    }
    return found;
}

const ScoreBook::Held *ScoreBook::best(const QString &mixer) const
{
    const auto weight = [](const Held &one) { return std::pair(one.isFinished(), evidence(one.source.selector)); };
    const Held *found = nullptr;
    for (const Held &one : m_held)
        if ((mixer.isEmpty() || one.source.mixer == mixer) && (!found || weight(one) >= weight(*found)))
            found = &one;
    return found;
}

bool ScoreBook::isFinished(const Source &source) const
{
    const Held *found = find(source);
    return found && found->isFinished();
}

void ScoreBook::setSource(const Source &source, bool pinned)
{
    m_pinned = pinned;
    if (const Held *found = find(source))
        show(found->source);
}

void ScoreBook::showMixer(const QString &mixer)
{
    if (const Held *found = best(mixer))
        setSource(found->source, false);
}

void ScoreBook::show(const std::optional<Source> &source)
{
    if (m_source == source)
        return;
    m_source = source;
    readShown();
    Q_EMIT sourceChanged();
    Q_EMIT changed();
}

void ScoreBook::readShown()
{
    m_shown = {};
    m_ranking.reset();
    m_found.clear();
    const Held *scoring = shown();
    if (!scoring)
        return;
    std::map<int, experiment::LayerScore> byLayer;
    for (const experiment::LayerScore &score : scoring->scores)
        byLayer[score.layer] = score;
    m_shown = analysis::layerBars(byLayer);
    m_ranking = scoring->ranking;
    m_found = scoring->sets;
}

std::optional<LayerBar> ScoreBook::bar(int layer) const
{
    const auto found = std::lower_bound(m_shown.bars.begin(), m_shown.bars.end(), layer, [](const LayerBar &one, int wanted) { return one.layer < wanted; });
    return found != m_shown.bars.end() && found->layer == layer ? std::optional(*found) : std::nullopt;
}

std::int64_t ScoreBook::tokens() const
{
    std::int64_t least = -1;
    if (const Held *scoring = shown())
        for (const experiment::LayerScore &score : scoring->scores)
            if (score.layer >= 0)
                least = least < 0 ? score.tokens : std::min(least, score.tokens);
    return std::max<std::int64_t>(least, 0);
}

std::vector<int> ScoreBook::tieBand(int keep) const
{
    return m_ranking ? analysis::unsettledLayers(m_shown, *m_ranking, keep) : std::vector<int>();
}

}  // namespace stillroom::widgets
