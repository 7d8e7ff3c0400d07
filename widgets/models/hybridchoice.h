// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "choices/keeprule.h"
#include "experiment/score.h"

#include <QObject>

#include <optional>
#include <vector>

namespace stillroom::widgets {

/// Which layers stay softmax: what the selector says at this K, or a set that a person made by hand. Slider, spin box, percentage and strip are views of it.
/// A selector says the first K of its ranking; one that searched sets says those it found at their own sizes.
class HybridChoice final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HybridChoice)

public:
    explicit HybridChoice(QObject *parent = nullptr) : QObject(parent) {}
    void reset(int numLayers);
    /// Of no model: what asks while another one takes the place of the last.
    void clear();
    /// \param found  sets of a search; those whose size it found none for are the first of the ranking
    void setRanking(std::optional<experiment::Ranking> ranking, std::vector<experiment::LayerSet> found = {});

    [[nodiscard]] int numLayers() const { return m_numLayers; }
    [[nodiscard]] int keep() const;                       ///< K
    [[nodiscard]] double percent() const;                 ///< K / L
    /// Empty while there is neither a ranking nor a set by hand.
    [[nodiscard]] const experiment::LayerSet &layers() const { return m_layers; }
    [[nodiscard]] bool isKept(int layer) const;
    [[nodiscard]] bool isCustom() const { return m_custom.has_value(); }
    [[nodiscard]] bool isKnown() const { return isCustom() || m_ranking.has_value(); }
    [[nodiscard]] const std::optional<experiment::Ranking> &ranking() const { return m_ranking; }
    /// The K at which a search found a set of its own, ascending.
    [[nodiscard]] std::vector<int> foundSizes() const;
    /// Whether the layers are a set that a search found, and so not the first K of the ranking but by chance.
    [[nodiscard]] bool isFound() const;

    void setKeep(int keep);                               ///< drops a set made by hand
    void setPercent(double percent);                      ///< rounded half up
    /// The selector's own where it says just these at this K, else a set by hand. \param layers  ascending, of this teacher
    void setLayers(const experiment::LayerSet &layers);
    void toggle(int layer);                               ///< makes the set custom
    void useRanking();                                    ///< back from custom to the selector's own

Q_SIGNALS:
    void changed();

private:
    void choose();
    int m_numLayers = 0, m_keep = 0;
    std::optional<experiment::Ranking> m_ranking;
    std::vector<experiment::LayerSet> m_found;
    std::optional<choices::KeepRule> m_rule;              ///< of the two
    std::optional<experiment::LayerSet> m_custom;
    experiment::LayerSet m_layers;
};

}  // namespace stillroom::widgets
