// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/scorelist.h"

#include "error.h"
#include "experiment/jsontext.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace stillroom::experiment {
namespace {

using nlohmann::json;

bool holds(const json &score, const char *field)
{
    return score.contains(field) && !score.at(field).is_null();
}

LayerScore scoreFromJson(const json &one, const std::string &what)
{
    LayerScore score;
    score.layer = wholeNumber(one.at("layer"), what + ": a layer");
    score.score = one.at(holds(one, "score") ? "score" : "kl_nats").get<double>();
    score.higherIsBetter = one.value("higher_is_better", false);
    score.unit = one.value("unit", score.unit);
    if (holds(one, "kl_nats"))
        score.klNats = one.at("kl_nats").get<double>();
    score.numSequences = one.value("n", std::int64_t{0});
    const char *error = holds(one, "se_nats") ? "se_nats" : "se";
    score.se = holds(one, error) && score.numSequences > 1 ? one.at(error).get<double>() : std::numeric_limits<double>::quiet_NaN();
    return score;
}

std::string fieldIn(const std::string &what, const std::string &field)
{
    return what + ": \"" + field + '"';
}

[[noreturn]] void refuseField(const std::string &what, const std::string &field, const std::string &why)
{
    throw Error(ErrorCode::BadFile, fieldIn(what, field) + ' ' + why + "; mend it, or score again");
}

/// Each is one of the model, and none is there twice.
void checkLayers(const std::vector<int> &layers, int numLayers, const std::string &what, const std::string &field)
{
    std::vector<bool> isNamed_L(static_cast<std::size_t>(numLayers));
    for (const int layer : layers) {
        if (layer < 0 || layer >= numLayers)
            refuseField(what, field, "names layer " + std::to_string(layer) + ", but the layers are 0 to " + std::to_string(numLayers - 1));
        if (isNamed_L[static_cast<std::size_t>(layer)])
            refuseField(what, field, "names layer " + std::to_string(layer) + " twice");
        isNamed_L[static_cast<std::size_t>(layer)] = true;
    }
}

void checkAlike(const std::vector<LayerScore> &scores, const std::string &what)
{
    for (const LayerScore &score : scores) {
        if (score.higherIsBetter != scores.front().higherIsBetter)
            refuseField(what, "scores", "says of layer " + std::to_string(score.layer) + " otherwise than of layer " + std::to_string(scores.front().layer) + " whether a higher score is better");
        if (score.klNats.has_value() != scores.front().klNats.has_value())
            refuseField(what, "scores", "has a kl_nats of layer " + std::to_string((score.klNats ? score : scores.front()).layer) + ", but none of layer " + std::to_string((score.klNats ? scores.front() : score).layer));
    }
}

/// \param layers  that have a score
void checkRanking(const json &list, std::vector<int> layers, int numLayers, const std::string &what)
{
    std::vector<int> ranking = layersIn(list, numLayers, what, "ranking");
    std::sort(ranking.begin(), ranking.end());
    std::sort(layers.begin(), layers.end());
    if (ranking == layers)
        return;
    const auto [one, other] = std::mismatch(ranking.begin(), ranking.end(), layers.begin(), layers.end());
    const bool isMissing = one == ranking.end() || (other != layers.end() && *other < *one);
    refuseField(what, "ranking", isMissing ? "leaves out layer " + std::to_string(*other) + ", which has a score" : "names layer " + std::to_string(*one) + ", which has no score");
}

void checkSets(const json &sets, int numLayers, const std::string &what)
{
    for (const json &set : sets) {
        if (!set.is_object() || !set.contains("keep") || !set.contains("layers"))
            refuseField(what, "sets", "has one without keep and layers");
        const std::vector<int> layers = layersIn(set.at("layers"), numLayers, what, "sets");
        if (const int keep = wholeNumber(set.at("keep"), fieldIn(what, "sets") + ": keep"); keep != static_cast<int>(layers.size()))
            refuseField(what, "sets", "has keep " + std::to_string(keep) + " beside the layers [" + layersText(layers) + ']');
    }
}

}  // namespace

std::vector<LayerScore> scoresFromJson(const json &list, const std::string &what)
{
    try {
        std::vector<LayerScore> scores;
        for (const json &one : list)
            scores.push_back(scoreFromJson(one, what));
        return scores;
    } catch (const json::exception &error) {
        throw Error(ErrorCode::BadFile, what + " cannot be read: each needs a layer and kl_nats or score, both numbers; score again", error.what());
    }
}

std::vector<int> layersIn(const json &list, int numLayers, const std::string &what, const std::string &field)
{
    std::vector<int> layers = wholeNumbers(list, fieldIn(what, field));
    checkLayers(layers, numLayers, what, field);
    return layers;
}

int numLayersOf(const json &scored, const std::string &what)
{
    if (!scored.contains("num_layers"))
        return static_cast<int>(std::min<std::size_t>(scored.at("scores").size(), mostLayers + 1));
    const int numLayers = wholeNumber(scored.at("num_layers"), fieldIn(what, "num_layers"));
    if (numLayers < 1 || numLayers > mostLayers)
        refuseField(what, "num_layers", "is " + std::to_string(numLayers) + ", but a model has from 1 to " + std::to_string(mostLayers) + " layers");
    return numLayers;
}

void checkScores(const json &scored, const std::string &what)
{
    const json &list = scored.at("scores");
    if (list.empty())
        refuseField(what, "scores", "is empty");
    if (list.size() > static_cast<std::size_t>(mostLayers))
        refuseField(what, "scores", "holds " + std::to_string(list.size()) + " scores, but a model has at most " + std::to_string(mostLayers) + " layers");
    const int numLayers = numLayersOf(scored, what);
    const std::vector<LayerScore> scores = scoresFromJson(list, fieldIn(what, "scores"));
    std::vector<int> layers;
    for (const LayerScore &score : scores)
        layers.push_back(score.layer);
    checkLayers(layers, numLayers, what, "scores");
    checkAlike(scores, what);
    if (scored.contains("ranking"))
        checkRanking(scored.at("ranking"), layers, numLayers, what);
    if (scored.contains("sets"))
        checkSets(scored.at("sets"), numLayers, what);
    for (const char *set : {"selected", "keep"})        // `keep` may be their number
        if (scored.contains(set) && scored.at(set).is_array())
            (void)layersIn(scored.at(set), numLayers, what, set);
}

}  // namespace stillroom::experiment
