// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/layerbars.h"
#include "experiment/score.h"
#include "store/scorings.h"

#include <QObject>
#include <QString>

#include <optional>
#include <tuple>
#include <vector>

namespace stillroom::widgets {

using analysis::LayerBar;

/// Every scoring of the teacher and the one that is shown: what the bars, the strip and the inspector show. One that ended goes before one that was broken off;
/// what a job of this window measures is shown while it runs, and gives way to what was shown before where it is stopped.
class ScoreBook final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ScoreBook)

public:
    /// Which scoring: "ga-s2" of "gdn" in that task of that run.
    struct Source {
        QString selector, mixer;
        QString run = {}, task = {};      ///< empty run, where one is asked for: the newest that ended, else the newest
        friend bool operator==(const Source &a, const Source &b) = default;
        friend bool operator<(const Source &a, const Source &b) { return std::tie(a.selector, a.mixer, a.run, a.task) < std::tie(b.selector, b.mixer, b.run, b.task); }
    };
    using Axis = analysis::ScoreAxis;
    using Bars = analysis::LayerBars;

    explicit ScoreBook(QObject *parent = nullptr) : QObject(parent) {}
    void clear(int numLayers);
    /// All that there are now; one that is not among them is gone. One that has ended since, and is no weaker evidence, comes to the front unless a person chose another.
    /// \param scorings  oldest first
    void setScorings(const std::vector<store::Scoring> &scorings);
    /// A job begins to score: what it measures with this selector is shown as soon as there is anything, whatever was chosen before.
    void beginLive(const QString &run, const QString &selector);
    /// The job is over. Where it did not end its scoring, what was shown before it comes back.
    void endLive();

    [[nodiscard]] int numLayers() const { return m_numLayers; }
    /// Those that ended first, each newest first.
    [[nodiscard]] std::vector<Source> sources() const;
    [[nodiscard]] bool isFinished(const Source &source) const;
    [[nodiscard]] const std::optional<Source> &source() const { return m_source; }
    /// Nothing happens where there is no such scoring. \param pinned  a person chose it: what ends later no longer takes over.
    void setSource(const Source &source, bool pinned = true);
    /// Scores of this mixer come to the front where there are any.
    void showMixer(const QString &mixer);

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
    void sourcesChanged();             ///< others than before, or one of them has ended

private:
    /// Less than store::Scoring: without its evaluations.
    struct Held {
        Source source;
        store::RunStatus status;
        std::vector<experiment::LayerScore> scores;      ///< the latest of every layer
        std::optional<experiment::Ranking> ranking;
        std::vector<experiment::LayerSet> sets;
        [[nodiscard]] bool isFinished() const { return status == store::RunStatus::Finished; }
        [[nodiscard]] bool isLike(const Held &other) const;
    };
    [[nodiscard]] Held held(const store::Scoring &scoring) const;
    [[nodiscard]] const Held *find(const Source &source) const;
    [[nodiscard]] const Held *shown() const { return m_source ? find(*m_source) : nullptr; }
    /// What is shown where nobody chose. \param mixer  empty: of any
    [[nodiscard]] const Held *best(const QString &mixer = {}) const;
    /// Which of the job's is to be shown; null for none.
    [[nodiscard]] const Held *live() const;
    [[nodiscard]] bool takesOver(const Held &scoring) const;
    void chooseAmong(const std::vector<Held> &before);
    void show(const std::optional<Source> &source);
    void readShown();
    std::vector<Held> m_held;                       ///< oldest first
    std::optional<Source> m_source, m_before;       ///< m_before: shown before the job began
    Bars m_shown;                                   ///< of the source, and its ranking: asked for many times while K is dragged
    std::optional<experiment::Ranking> m_ranking;
    std::vector<experiment::LayerSet> m_found;
    bool m_pinned = false, m_wasPinned = false;      ///< m_wasPinned: before the job began
    QString m_liveRun, m_liveSelector;
    int m_numLayers = 0;
};

}  // namespace stillroom::widgets
