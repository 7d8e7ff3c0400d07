// SPDX-License-Identifier: GPL-3.0-or-later
#include "setsource.h"

#include "choices/published.h"
#include "choices/randomsets.h"
#include "choices/uniform.h"
#include "earlystopline.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/runname.h"
#include "experiment/scorelist.h"
#include "folders.h"
#include "formatted.h"
#include "procedures/keptlayers.h"
#include "scoresource.h"
#include "store/runreference.h"
#include "store/scorings.h"
#include "textfile.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <utility>

namespace stillroom::cli {
namespace {

using experiment::mostLayers;          // where no teacher is named

experiment::LayerSet layerList(const std::string &text, int numLayers)
{
    std::vector<int> layers;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        if (part.empty() || part.size() > 6)
            throw Error(ErrorCode::Usage, "\"" + text + "\" is not a list of layers: write 0,4,9");
        layers.push_back(std::stoi(part));
    }
    return experiment::validLayerSet(layers, numLayers > 0 ? numLayers : mostLayers);
}

NamedSet published(const std::string &text, const SetOptions &options)
{
    const choices::PublishedSet &found = choices::PublishedSets::shipped().find(text);
    NamedSet set{text, found.set(), {}, found.numLayers, found.note};
    if (found.ranked)
        set.ranking = found.layers;
    if (!options.keep || *options.keep == static_cast<int>(found.layers.size()))
        return set;
    if (!found.ranked || *options.keep > static_cast<int>(found.layers.size()))
        throw Error(ErrorCode::Usage, text + (found.ranked ? " ranks " : " is a set of ") + counted(static_cast<std::int64_t>(found.layers.size()), "layer") + (found.ranked ? "" : ", not a ranking") +
                                          ": it does not say which " + std::to_string(*options.keep) + " to keep");
    set.layers = experiment::topLayers(found.layers, *options.keep);
    return set;
}

/// A grid or a random set.
NamedSet ruled(const std::string &text, const SetOptions &options)
{
    if (!options.keep || options.numLayers < 1)
        throw Error(ErrorCode::Usage, text + " needs to know how many layers to keep of how many: -k K and --layers L");
    NamedSet set{text, {}, {}, options.numLayers, {}};
    if (const auto grid = choices::gridFromName(text)) {
        set.layers = choices::uniformGrid(*grid, options.numLayers, *options.keep);
        return set;
    }
    if (options.draw > 0)       // the first keeps the name that was written
        set.name += ", draw " + std::to_string(options.draw + 1);
    set.ranking = choices::randomRanking(options.numLayers, options.seed, options.draw);
    set.layers = experiment::topLayers(*set.ranking, *options.keep);
    return set;
}

std::string fileName(const std::string &text)
{
    return "The layer set \"" + text + "\"";
}

nlohmann::json readSetFile(const std::string &text)
{
    return experiment::parseJson(experiment::readTextFile(text, experiment::maximumSpecBytes, fileName(text)), fileName(text));
}

/// How many layers a file says that its model has; with neither a number nor scores it does not.
std::optional<int> saidLayers(const nlohmann::json &json, const std::string &what)
{
    const bool hasScores = json.contains("scores") && json.at("scores").is_array() && !json.at("scores").empty();
    return json.contains("num_layers") || hasScores ? std::optional(experiment::numLayersOf(json, what)) : std::nullopt;
}

/// [0,4,9], as a person writes it.
NamedSet bareList(const nlohmann::json &list, const std::string &text, const SetOptions &options)
{
    const int numLayers = options.numLayers > 0 ? options.numLayers : mostLayers;
    return {text, experiment::validLayerSet(experiment::layersIn(list, numLayers, fileName(text), "list"), numLayers), {}, options.numLayers, {}};
}

/// What `select`, a spec or a person wrote; empty for what holds no set. \param text  the file's name, or what stands for it
std::optional<NamedSet> setIn(const nlohmann::json &json, const std::string &text, const SetOptions &options)
{
    const std::string what = fileName(text);
    if (json.is_array() && !json.empty() && !json.front().is_object())
        return bareList(json, text, options);
    try {
        for (const char *field : {"selected", "keep"}) {
            if (!json.is_object() || !json.contains(field) || !json.at(field).is_array())
                continue;
            NamedSet set{text, {}, {}, saidLayers(json, what).value_or(options.numLayers), {}};
            const int numLayers = set.numLayers > 0 ? set.numLayers : mostLayers;
            set.layers = experiment::validLayerSet(experiment::layersIn(json.at(field), numLayers, what, field), numLayers);
            if (json.contains("ranking"))
                set.ranking = experiment::layersIn(json.at("ranking"), numLayers, what, "ranking");
            if (set.ranking && options.keep)
                set.layers = experiment::topLayers(*set.ranking, *options.keep);
            return set;
        }
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, what + " holds something else than layer numbers", error.what());
    }
    return std::nullopt;
}

/// The layers that a hybrid keeps; nothing where the text names no distillation that has ended. What names nothing at all is refused by who looks for scores.
std::optional<NamedSet> hybridIn(const std::string &text, const SetOptions &options)
{
    if (!isWorkspaceThere(options.workspace))
        return std::nullopt;
    nlohmann::json result;
    try {
        const store::RunReference run = store::findReference(store::Workspace(options.workspace), text);
        if (run.kind == "distill")
            result = nlohmann::json::parse(run.resultJson, nullptr, false);
    } catch (const Error &error) {
        if (error.code() != ErrorCode::Usage)
            throw;
    }
    if (!result.is_object() || !result.contains("selected"))
        return std::nullopt;
    NamedSet set{text, experiment::validLayerSet(experiment::wholeNumbers(result.at("selected"), "The layers of " + text), options.numLayers > 0 ? options.numLayers : mostLayers), {}, options.numLayers, {}};
    if (options.keep && *options.keep != static_cast<int>(set.layers.size()))
        throw Error(ErrorCode::Usage, text + " is a set of " + counted(static_cast<std::int64_t>(set.layers.size()), "layer") + ", not a ranking: it does not say which " + std::to_string(*options.keep) + " to keep");
    return set;
}

NamedSet bestOf(const nlohmann::json &scores, const std::string &text, const SetOptions &options)
{
    NamedSet set{text, {}, procedures::rankingOf(scores), 0, {}};
    set.numLayers = static_cast<int>(set.ranking->size());
    set.key = scores.value("key", std::string());
    set.curves = scores.value("curves", std::string());
    if (scores.contains("data"))
        set.heldOut = store::heldOutSettings(scores);
    else if (scores.contains("spec") && scores.at("spec").is_object() && scores.at("spec").value("kind", std::string()) == "score")      // a pipeline's is of its stages
        set.heldOut = store::heldOutSettings(scores.at("spec"));
    set.earlyStop = earlyStopText(scores);
    set.layers = procedures::keptBy(scores, options.keep ? *options.keep : experiment::keepFromPercent(usualPercent, set.numLayers));
    return set;
}

NamedSet fromPipe(const std::string &text, const SetOptions &options)
{
    nlohmann::json read = readPiped(text);
    if (auto set = setIn(read, text, options))
        return *set;
    return bestOf(pipedScores(std::move(read), text, {}, options.workspace), text, options);
}

}  // namespace

bool isDrawn(const std::string &text) { return text == "random"; }

bool needsBudget(const std::string &text)
{
    return isDrawn(text) || choices::gridFromName(text);
}

bool needsNoScores(const std::string &text) { return needsBudget(text) || choices::isPublishedName(text); }

NamedSet readSet(const std::string &text, const SetOptions &options)
{
    if (experiment::isLayerList(text))
        return {text, layerList(text, options.numLayers), {}, options.numLayers, {}};
    if (choices::isPublishedName(text))
        return published(text, options);
    if (needsBudget(text))
        return ruled(text, options);
    if (isPipe(text))
        return fromPipe(text, options);
    if (auto stored = isFileThere(text) ? setIn(readSetFile(text), text, options) : hybridIn(text, options))
        return *stored;
    return bestOf(scoresFrom(text, {}, options.workspace), text, options);
}

}  // namespace stillroom::cli
