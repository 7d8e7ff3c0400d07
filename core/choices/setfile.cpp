// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/setfile.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/scorelist.h"

#include <nlohmann/json.hpp>

#include <string>

namespace stillroom::choices {
namespace {

constexpr std::size_t maximumBytes = std::size_t{16} << 20U;

bool hasList(const nlohmann::json &json, const char *field)
{
    return json.is_object() && json.contains(field) && json.at(field).is_array();
}

KeepRule ruleFrom(const nlohmann::json &json, int numLayers, const std::string &what)
{
    if (json.is_array())
        return KeepRule::fixed(experiment::wholeNumbers(json, what), numLayers);
    if (const int said = json.is_object() && json.contains("num_layers") ? experiment::wholeNumber(json.at("num_layers"), what + "'s num_layers") : numLayers; said != numLayers)
        throw Error(ErrorCode::BadFile, what + " is of a model with " + std::to_string(said) + " layers, not " + std::to_string(numLayers) + ": choose one that was made for this model");
    if (hasList(json, "ranking"))
        return KeepRule::ranked(experiment::wholeNumbers(json.at("ranking"), what + "'s ranking"), numLayers);
    if (hasList(json, "scores"))
        return KeepRule::ranked(experiment::rank(experiment::scoresFromJson(json.at("scores"), what + "'s scores"), numLayers), numLayers);
    for (const char *field : {"selected", "keep"})
        if (hasList(json, field))
            return KeepRule::fixed(experiment::wholeNumbers(json.at(field), what), numLayers);
    throw Error(ErrorCode::BadFile, what + R"( names no layers: it needs "ranking", "scores", "selected" or "keep", or to be a list like [0, 4, 9])");
}

}  // namespace

KeepRule readSetFile(const std::filesystem::path &file, int numLayers)
{
    const std::string what = "The layer set \"" + file.string() + "\"";
    const nlohmann::json json = experiment::parseJson(experiment::readTextFile(file.string(), maximumBytes, what), what);
    try {
        return ruleFrom(json, numLayers, what);
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, what + " holds something else than layer numbers: write them as [0, 4, 9]", error.what());
    } catch (const Error &error) {
        if (error.code() == ErrorCode::BadFile)
            throw;
        throw Error(ErrorCode::BadFile, what + " does not fit this model: " + error.what());      // the file's fault, not an argument's
    }
}

}  // namespace stillroom::choices
