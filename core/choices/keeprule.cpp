// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/keeprule.h"

#include "choices/smart.h"
#include "error.h"

#include <algorithm>

namespace stillroom::choices {
namespace {

using experiment::LayerSet;
using experiment::Ranking;

template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;      // clang 16 does not deduce it by itself

bool startsWith(const Ranking &longer, const Ranking &shorter)
{
    return shorter.size() <= longer.size() && std::equal(shorter.begin(), shorter.end(), longer.begin());
}

/// The ranking that all of them are a beginning of, if they are.
std::optional<Ranking> commonRanking(const std::vector<PublishedSet> &sets)
{
    const auto longest = std::max_element(sets.begin(), sets.end(), [](const PublishedSet &a, const PublishedSet &b) { return a.layers.size() < b.layers.size(); });
    if (std::all_of(sets.begin(), sets.end(), [&](const PublishedSet &set) { return set.ranked && startsWith(longest->layers, set.layers); }))
        return longest->layers;
    return std::nullopt;
}

int mostOf(Grid grid, int numLayers)
{
    return grid == Grid::LatterHalf ? numLayers - numLayers / 2 : numLayers;
}

}  // namespace

KeepRule KeepRule::ranked(Ranking ranking, int numLayers)
{
    (void)experiment::validLayerSet(ranking, numLayers);
    return {Ranked{std::move(ranking), {}}, numLayers};
}

KeepRule KeepRule::searched(std::vector<LayerSet> found, Ranking ranking, int numLayers)
{
    (void)experiment::validLayerSet(ranking, numLayers);
    std::map<int, LayerSet> byKeep;
    for (LayerSet &set : found) {
        const auto keep = static_cast<int>(set.size());      // before the set is moved away: arguments have no order
        byKeep.insert_or_assign(keep, experiment::validLayerSet(std::move(set), numLayers));
    }
    return {Ranked{std::move(ranking), std::move(byKeep)}, numLayers};
}

KeepRule KeepRule::uniform(Grid grid, int numLayers)
{
    (void)uniformGrid(grid, numLayers, 0);      // refuses a model without layers
    return {Uniform{grid, mostOf(grid, numLayers)}, numLayers};
}

KeepRule KeepRule::smart(std::vector<double> sensitivity_L)
{
    const auto numLayers = static_cast<int>(sensitivity_L.size());
    (void)experiment::rank(sensitivity_L, true);      // refuses what cannot be ranked
    return {Smart{std::move(sensitivity_L)}, numLayers};
}

KeepRule KeepRule::fixed(LayerSet layers, int numLayers)
{
    return {Fixed{experiment::validLayerSet(std::move(layers), numLayers)}, numLayers};
}

KeepRule KeepRule::published(const std::vector<PublishedSet> &sets)
{
    if (sets.empty())
        throw Error(ErrorCode::Usage, "A rule made of published sets needs one of them at least.");
    const int numLayers = sets.front().numLayers;
    if (auto ranking = commonRanking(sets))
        return ranked(std::move(*ranking), numLayers);
    BySize bySize;
    for (const PublishedSet &set : sets)
        bySize.sets.emplace(static_cast<int>(set.layers.size()), experiment::validLayerSet(set.layers, numLayers));
    if (bySize.sets.size() == 1)
        return {Fixed{bySize.sets.begin()->second}, numLayers};
    return {std::move(bySize), numLayers};
}

std::optional<LayerSet> KeepRule::at(int keep) const
{
    if (keep < 0 || keep > m_numLayers)
        return std::nullopt;
    using Answer = std::optional<LayerSet>;
    return std::visit(Overloaded{
                          [&](const Ranked &rule) {
                              if (const auto found = rule.found.find(keep); found != rule.found.end())
                                  return Answer(found->second);
                              return keep <= static_cast<int>(rule.layers.size()) ? Answer(experiment::topLayers(rule.layers, keep)) : std::nullopt;
                          },
                          [&](const Uniform &rule) { return keep <= rule.most ? Answer(uniformGrid(rule.grid, m_numLayers, keep)) : std::nullopt; },
                          [&](const Smart &rule) { return Answer(smartSet(rule.sensitivity_L, keep)); },
                          [&](const Fixed &rule) { return Answer(rule.layers); },
                          [&](const BySize &rule) {
                              const auto found = rule.sets.find(keep);
                              return found != rule.sets.end() ? Answer(found->second) : std::nullopt;
                          },
                      },
                      m_rule);
}

std::vector<std::optional<LayerSet>> KeepRule::all() const
{
    std::vector<std::optional<LayerSet>> answers;
    for (int keep = 0; keep <= m_numLayers; ++keep)
        answers.push_back(at(keep));
    return answers;
}

const Ranking *KeepRule::ranking() const
{
    const auto *rule = std::get_if<Ranked>(&m_rule);
    return rule && rule->found.empty() ? &rule->layers : nullptr;
}

std::vector<int> KeepRule::foundSizes() const
{
    std::vector<int> sizes;
    if (const auto *rule = std::get_if<Ranked>(&m_rule))
        for (const auto &[keep, layers] : rule->found)
            sizes.push_back(keep);
    return sizes;
}

}  // namespace stillroom::choices
