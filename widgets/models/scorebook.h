// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/layerbars.h"
#include "experiment/score.h"

#include <QObject>
#include <QString>

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace stillroom::widgets {

using analysis::LayerBar;

/// The latest score of every layer, by selector and probe; what the bars, the strip and the inspector show.
class ScoreBook final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ScoreBook)

public:
    /// Which scores: "ga-s2" of "gdn".
    struct Source {
        QString selector, mixer;
        friend bool operator==(const Source &a, const Source &b) = default;
        friend bool operator<(const Source &a, const Source &b) { return std::tie(a.selector, a.mixer) < std::tie(b.selector, b.mixer); }
    };
    using Axis = analysis::ScoreAxis;
    using Bars = analysis::LayerBars;

    /// What a finished scoring itself says beyond its scores.
    struct Verdict {
        experiment::Ranking ranking;                ///< of a race, whose layers were measured at different tokens, of tie rules and first layers put last
        std::vector<experiment::LayerSet> found;    ///< the sets of a search, which go before the ranking at their sizes
        friend bool operator==(const Verdict &a, const Verdict &b) = default;
    };

    explicit ScoreBook(QObject *parent = nullptr) : QObject(parent) {}
    void clear(int numLayers);
    void add(const experiment::LayerScore &score);
    void add(const std::vector<experiment::LayerScore> &scores);
    /// Where there is none yet: what was stored earlier never takes the place of what a job has just measured. \param scores  later ones take the place of those before
    void addOlder(const std::vector<experiment::LayerScore> &scores);
    /// What the store holds, where no job is ahead of it: each score takes the place of the one that was known of its layer. \param scores  as for addOlder
    void setStored(const std::vector<experiment::LayerScore> &scores);
    /// A job begins to score with it: its scores are shown as soon as there are any, whatever was chosen before.
    void expect(const QString &selector);
    /// Each holds until new scores of its source arrive.
    void setVerdicts(std::map<Source, Verdict> verdicts);

    [[nodiscard]] int numLayers() const { return m_numLayers; }
    [[nodiscard]] std::vector<Source> sources() const;
    [[nodiscard]] const std::optional<Source> &source() const { return m_source; }
    /// \param pinned  a person chose it: live scores of other selectors no longer take over.
    void setSource(const Source &source, bool pinned = true);

    [[nodiscard]] Axis axis() const { return m_shown.axis; }
    [[nodiscard]] const Bars &shownBars() const { return m_shown; }
    [[nodiscard]] const std::vector<LayerBar> &bars() const { return m_shown.bars; }      ///< of the shown source, by layer
    [[nodiscard]] std::optional<LayerBar> bar(int layer) const;
    [[nodiscard]] const std::optional<experiment::Ranking> &ranking() const { return m_ranking; }     ///< once every layer has a score
    /// Sets that a search found, of the shown source; mostly none.
    [[nodiscard]] const std::vector<experiment::LayerSet> &found() const { return m_found; }
    [[nodiscard]] std::int64_t tokens() const;
    /// Layers whose interval meets that of the last kept or the first dropped one: their place is not settled.
    [[nodiscard]] std::vector<int> tieBand(int keep) const;

Q_SIGNALS:
    void changed();
    void sourceChanged();

private:
    [[nodiscard]] const std::map<int, experiment::LayerScore> *shown() const;
    void readShown();
    [[nodiscard]] bool takesOver(const Source &source) const;
    std::map<Source, std::map<int, experiment::LayerScore>> m_scores;
    std::map<Source, Verdict> m_verdicts;
    std::optional<Source> m_source;
    Bars m_shown;                                   ///< of the source, and its ranking: asked for many times while K is dragged
    std::optional<experiment::Ranking> m_ranking;
    std::vector<experiment::LayerSet> m_found;
    bool m_pinned = false;
    QString m_expected;
    int m_numLayers = 0;
};

}  // namespace stillroom::widgets
