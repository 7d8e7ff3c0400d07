// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "choices/published.h"
#include "choices/uniform.h"
#include "experiment/score.h"

#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace stillroom::choices {

/// Which layers of one model are kept, at every K that there is an answer for: all that a comparison over K needs to know of a choice, however it was made.
class KeepRule final {
public:
    /// The first K of a ranking; one that stops early, as published ones do, answers as far as it reaches. \throws Error(Usage) as experiment::validLayerSet
    [[nodiscard]] static KeepRule ranked(experiment::Ranking ranking, int numLayers);
    /// The sets that a search found, at their sizes, and at any other K the first of its ranking. \throws Error(Usage) as experiment::validLayerSet
    [[nodiscard]] static KeepRule searched(std::vector<experiment::LayerSet> found, experiment::Ranking ranking, int numLayers);
    /// \throws Error(Usage) for less than one layer
    [[nodiscard]] static KeepRule uniform(Grid grid, int numLayers);
    /// smartSet of these sensitivities. \throws Error(Usage) for none, or one that is not finite
    [[nodiscard]] static KeepRule smart(std::vector<double> sensitivity_L);
    /// One set, whatever K is. \throws Error(Usage) as experiment::validLayerSet
    [[nodiscard]] static KeepRule fixed(experiment::LayerSet layers, int numLayers);
    /// What one selector published for one teacher. Rankings that are each the beginning of the next are one ranking; a single set without a ranking is a fixed
    /// one; otherwise there are answers at the published K only, of two sets with as many layers the first. \param sets  of one teacher. \throws Error(Usage) for none
    [[nodiscard]] static KeepRule published(const std::vector<PublishedSet> &sets);

    [[nodiscard]] int numLayers() const { return m_numLayers; }
    /// Ascending; empty where there is no answer. \param keep  0 … L; no other K has an answer
    [[nodiscard]] std::optional<experiment::LayerSet> at(int keep) const;
    /// The answers for K = 0, 1, … L.
    [[nodiscard]] std::vector<std::optional<experiment::LayerSet>> all() const;
    [[nodiscard]] bool isFixed() const { return std::holds_alternative<Fixed>(m_rule); }
    /// The ranking whose first K are the answer, or null where the answers are not those of one ranking.
    [[nodiscard]] const experiment::Ranking *ranking() const;
    /// The K at which a search found a set of its own, ascending; at any other K its ranking answers. Empty for a choice that is no search.
    [[nodiscard]] std::vector<int> foundSizes() const;
    /// The same rule, and so the same answers; two rules of different kinds are different ones even where they answer alike.
    friend bool operator==(const KeepRule &a, const KeepRule &b) { return a.m_numLayers == b.m_numLayers && a.m_rule == b.m_rule; }

private:
    struct Ranked {
        experiment::Ranking layers;
        std::map<int, experiment::LayerSet> found;  ///< by K: they go before the ranking
        bool operator==(const Ranked &other) const = default;
    };
    struct Uniform {
        Grid grid;
        int most;                                   ///< the largest K
        bool operator==(const Uniform &other) const = default;
    };
    struct Smart {
        std::vector<double> sensitivity_L;
        bool operator==(const Smart &other) const = default;
    };
    struct Fixed {
        experiment::LayerSet layers;
        bool operator==(const Fixed &other) const = default;
    };
    struct BySize {
        std::map<int, experiment::LayerSet> sets;   ///< by K
        bool operator==(const BySize &other) const = default;
    };
    using Rule = std::variant<Ranked, Uniform, Smart, Fixed, BySize>;
    KeepRule(Rule rule, int numLayers) : m_rule(std::move(rule)), m_numLayers(numLayers) {}

    Rule m_rule;
    int m_numLayers;
};

}  // namespace stillroom::choices
