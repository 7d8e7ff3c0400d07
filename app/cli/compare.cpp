// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/layersets.h"
#include "commands.h"
#include "error.h"
#include "folders.h"
#include "procedures/keptlayers.h"
#include "scoresource.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

namespace stillroom::cli {
namespace {

/// A set, and the ranking it came from where there is one.
struct NamedSet {
    std::string name;
    experiment::LayerSet layers;
    std::optional<experiment::Ranking> ranking;
    int numLayers = 0;
};

bool isLayerList(const std::string &text)
{
    return !text.empty() && text.find_first_not_of("0123456789,") == std::string::npos;
}

experiment::LayerSet layerList(const std::string &text, int numLayers)
{
    std::vector<int> layers;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        if (part.empty() || part.size() > 6)
            throw Error(ErrorCode::Usage, "\"" + text + "\" is not a list of layers: write 0,4,9");
        layers.push_back(std::stoi(part));
    }
    return experiment::validLayerSet(layers, numLayers > 0 ? numLayers : 1'000'000);
}

/// A list, a file with "selected" or "keep", or scores, of which the `selected` top ones or all ranked layers stand for the set.
NamedSet readSet(const std::string &text, const CompareCommand &command, const std::filesystem::path &workspace)
{
    NamedSet set{text, {}, {}, command.numLayers};
    if (isLayerList(text)) {
        set.layers = layerList(text, command.numLayers);
        return set;
    }
    if (std::filesystem::is_regular_file(text)) {
        const nlohmann::json json = nlohmann::json::parse(std::ifstream(text), nullptr, false);
        for (const char *field : {"selected", "keep"})
            if (json.is_object() && json.contains(field) && json[field].is_array()) {
                set.numLayers = std::max(set.numLayers, json.value("num_layers", 0));
                set.layers = experiment::validLayerSet(json[field].get<std::vector<int>>(), set.numLayers > 0 ? set.numLayers : 1'000'000);
                if (json.contains("ranking"))
                    set.ranking = json["ranking"].get<experiment::Ranking>();
                return set;
            }
    }
    set.ranking = procedures::rankingOf(scoresFrom(text, {}, workspace));
    set.numLayers = static_cast<int>(set.ranking->size());
    set.layers = experiment::topLayers(*set.ranking, experiment::keepFromPercent(25.0, set.numLayers));
    return set;
}

nlohmann::json comparePair(const NamedSet &a, const NamedSet &b)
{
    const int numLayers = std::max(a.numLayers, b.numLayers);
    nlohmann::json pair = {{"a", a.name}, {"b", b.name}, {"layers_a", a.layers}, {"layers_b", b.layers}, {"jaccard", analysis::jaccard(a.layers, b.layers)},
                           {"differing", analysis::symmetricDifference(a.layers, b.layers)}};
    if (numLayers > 0)
        pair["chance_jaccard"] = analysis::chanceJaccard(static_cast<int>(a.layers.size()), static_cast<int>(b.layers.size()), numLayers);
    if (a.ranking && b.ranking && a.ranking->size() == b.ranking->size())
        pair["kendall_tau"] = analysis::kendallTau(*a.ranking, *b.ranking);
    return pair;
}

}  // namespace

int compare(const CompareCommand &command)
{
    const std::filesystem::path workspace = command.workspace.empty() ? defaultWorkspace() : command.workspace;
    std::vector<NamedSet> sets;
    for (const std::string &text : command.sets)
        sets.push_back(readSet(text, command, workspace));
    nlohmann::json pairs = nlohmann::json::array();
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (std::size_t j = i + 1; j < sets.size(); ++j)
            pairs.push_back(comparePair(sets[i], sets[j]));
    if (command.json) {
        std::cout << nlohmann::json{{"pairs", pairs}}.dump(1) << '\n';
        return 0;
    }
    for (const nlohmann::json &pair : pairs) {
        std::cout << pair["a"].get<std::string>() << " · " << pair["b"].get<std::string>() << ": Jaccard " << pair["jaccard"].get<double>();
        if (pair.contains("chance_jaccard"))
            std::cout << " (chance " << pair["chance_jaccard"].get<double>() << ")";
        if (pair.contains("kendall_tau"))
            std::cout << ", Kendall's tau " << pair["kendall_tau"].get<double>();
        std::cout << ", differing layers " << pair["differing"].dump() << '\n';
    }
    return 0;
}

}  // namespace stillroom::cli
