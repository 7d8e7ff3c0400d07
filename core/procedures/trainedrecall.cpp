// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/trainedrecall.h"

#include "checkpoint/boundedjson.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "folders.h"
#include "shownname.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>

namespace stillroom::procedures {
namespace fs = std::filesystem;
namespace {

constexpr const char *symbolFields[] = {"num_keys", "num_values", "num_fillers", "chain_seed"};

struct TrainedRecall {
    fs::path file;
    nlohmann::json recall;      ///< `data.recall` of the spec that trained it
};

nlohmann::json fieldOf(const nlohmann::json &object, const char *field)
{
    return object.is_object() && object.contains(field) ? object.at(field) : nlohmann::json();
}

/// Files of others may bear these names: what does not read as ours says nothing.
nlohmann::json specIn(const fs::path &file, const char *kind)
{
    if (!isFileThere(file))
        return {};
    try {
        const nlohmann::json read = checkpoint::readJsonFile(file);
        nlohmann::json spec = read.is_object() && read.contains("spec") ? read.at("spec") : read;
        return experiment::textIn(spec, "kind") == kind ? spec : nlohmann::json();
    } catch (const Error &) {
        return {};
    }
}

std::optional<TrainedRecall> trainedRecall(const checkpoint::ModelFiles &model)
{
    for (const auto &[name, kind] : {std::pair{"training.json", "train-teacher"}, std::pair{"spec.json", "distill"}}) {
        const fs::path file = model.path / name;
        const nlohmann::json data = fieldOf(specIn(file, kind), "data");
        nlohmann::json recall = fieldOf(data, "recall");
        if (experiment::textIn(data, "source") == "recall-task" && recall.is_object())
            return TrainedRecall{file, std::move(recall)};
    }
    return std::nullopt;
}

std::string ownValues(const nlohmann::json &recall)
{
    std::string text;
    for (const char *field : symbolFields)
        if (recall.contains(field))
            text += (text.empty() ? "" : ", ") + std::string(field) + ' ' + recall.at(field).dump();
    return text;
}

}  // namespace

void checkTrainedRecall(const nlohmann::json &data, const checkpoint::ModelFiles &model)
{
    if (data.at("source") != "recall-task")
        return;
    const std::optional<TrainedRecall> trained = trainedRecall(model);
    if (!trained)
        return;
    const nlohmann::json &asked = data.at("recall");
    for (const char *field : symbolFields)
        if (trained->recall.contains(field) && asked.at(field) != trained->recall.at(field))
            throw Error(ErrorCode::Usage, "data.recall." + std::string(field) + " is " + asked.at(field).dump() + ", but the model was trained on a recall task with " + trained->recall.at(field).dump() +
                                              ", whose symbols its tokens mean: give the values that \"" + shownName(trained->file.string()) + "\" holds (" + ownValues(trained->recall) + ")");
}

}  // namespace stillroom::procedures
