// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <QObject>

#include <optional>

namespace stillroom::widgets {

/// Which layers stay softmax: the top K of the ranking, or a set that a person made by hand. Slider, spin box, percentage and strip are views of it.
class HybridChoice final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HybridChoice)

public:
    explicit HybridChoice(QObject *parent = nullptr) : QObject(parent) {}
    void reset(int numLayers);
    void setRanking(std::optional<experiment::Ranking> ranking);

    [[nodiscard]] int numLayers() const { return m_numLayers; }
    [[nodiscard]] int keep() const;                       ///< K
    [[nodiscard]] double percent() const;                 ///< K / L
    [[nodiscard]] experiment::LayerSet layers() const;    ///< empty while there is neither a ranking nor a set by hand
    [[nodiscard]] bool isKept(int layer) const;
    [[nodiscard]] bool isCustom() const { return m_custom.has_value(); }
    [[nodiscard]] bool isKnown() const { return isCustom() || m_ranking.has_value(); }
    [[nodiscard]] const std::optional<experiment::Ranking> &ranking() const { return m_ranking; }

    void setKeep(int keep);                               ///< drops a set made by hand
    void setPercent(double percent);                      ///< rounded half up
    void toggle(int layer);                               ///< makes the set custom
    void useRanking();                                    ///< back from custom to the ranking's own

Q_SIGNALS:
    void changed();

private:
    int m_numLayers = 0, m_keep = 0;
    std::optional<experiment::Ranking> m_ranking;
    std::optional<experiment::LayerSet> m_custom;
};

}  // namespace stillroom::widgets
