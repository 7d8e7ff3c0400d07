// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/experimentrows.h"

#include "experiment/digest.h"
#include "experiment/jsontext.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

namespace stillroom::store {

namespace {

using nlohmann::json;

json objectFrom(const std::string &text)
{
    json parsed = json::parse(text, nullptr, false);
    return parsed.is_object() ? parsed : json::object();
}

std::string memberText(const json &object, const char *name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A whole number that fits; none for anything else.
std::optional<std::int64_t> memberCount(const json &object, const char *name)
{
    const auto found = object.find(name);
    const bool fits = found != object.end() && (found->is_number_unsigned() ? found->get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) : found->is_number_integer());
    return fits ? std::optional(found->get<std::int64_t>()) : std::nullopt;
}

std::optional<experiment::LayerSet> memberLayers(const json &object, const char *name)
{
    const auto found = object.find(name);
    if (found == object.end() || !found->is_array())
        return std::nullopt;
    experiment::LayerSet layers;
    for (const json &layer : *found) {
        if (!layer.is_number_unsigned() || layer.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
            return std::nullopt;
        layers.push_back(layer.get<int>());
    }
    return layers;
}

std::string settingsHash(json spec)
{
    for (const char *own : experiment::fieldsOfRepetition)
        spec.erase(own);
    return experiment::sha256Hex(experiment::compactJson(spec));
}

void addSpec(ExperimentRow &row, const json &spec)
{
    row.teacher = memberText(spec, spec.contains("teacher") ? "teacher" : "model");
    row.model = memberText(spec, "model");
    const auto mixer = spec.find("mixer");
    row.mixer = mixer != spec.end() && mixer->is_object() ? memberText(*mixer, "kind") : std::string();
    row.selector = memberText(spec, "selector");
    row.seed = memberCount(spec, "seed");
    if (row.kind == "distill") {
        row.layers = memberLayers(spec, "keep");
        if (row.layers)
            row.keep = static_cast<int>(row.layers->size());
        else if (const auto count = memberCount(spec, "keep_count"))
            row.keep = static_cast<int>(*count);
    }
    row.settings = settingsHash(spec);
}

void addResult(ExperimentRow &row, const json &result)
{
    if (const auto layers = memberLayers(result, "selected")) {
        row.layers = layers;
        row.keep = static_cast<int>(layers->size());
    }
    row.tokens = std::max(row.tokens, memberCount(result, "tokens").value_or(0));
    if (const auto measures = result.find("measures"); measures != result.end() && measures->is_object())
        for (const auto &[name, value] : measures->items())
            if (value.is_number())
                row.measures[name] = value.get<double>();
    // A scoring has no measures of its own: the all-linear student says what its scores start from.
    if (const auto linear = result.find("all_linear"); linear != result.end() && linear->is_object() && linear->contains("kl_nats") && linear->at("kl_nats").is_number())
        row.measures["all_linear_kl_nats"] = linear->at("kl_nats").get<double>();
}

ExperimentRow rowOfRun(const Run &run)
{
    ExperimentRow row;
    row.uuid = run.uuid;
    row.name = run.name;
    row.notes = run.notes;
    row.kind = run.kind;
    row.tags = run.tags;
    row.pinned = run.pinned;
    row.locked = run.locked;
    row.status = run.status;
    row.startedSeconds = run.startedSeconds;
    const double end = run.finishedSeconds.value_or(run.heartbeatSeconds);
    if (end >= run.startedSeconds)
        row.seconds = end - run.startedSeconds;
    row.tokens = run.progress.tokens;
    return row;
}

/// The stages of its spec that have begun.
std::vector<ExperimentRow> ofPipeline(const Workspace &workspace, const Run &run, const json &spec)
{
    const std::vector<TaskInfo> tasks = workspace.tasks(run.uuid);
    std::vector<ExperimentRow> rows;
    const auto stages = spec.find("stages");
    if (stages == spec.end() || !stages->is_array())
        return rows;
    for (const json &stage : *stages) {
        const std::string name = stage.is_object() ? memberText(stage, "task") : std::string();
        const auto task = std::find_if(tasks.begin(), tasks.end(), [&](const TaskInfo &one) { return one.task == name; });
        if (name.empty() || task == tasks.end() || !task->startedSeconds || !stage.contains("spec") || !stage.at("spec").is_object())
            continue;
        ExperimentRow row = rowOfRun(run);
        row.task = name;
        row.kind = task->kind;
        row.startedSeconds = *task->startedSeconds;
        row.seconds = task->finishedSeconds ? std::optional(*task->finishedSeconds - *task->startedSeconds) : std::nullopt;
        row.tokens = 0;
        if (task->isFinished())      // else it ended as the run did
            row.status = RunStatus::Finished;
        addSpec(row, stage.at("spec"));
        addResult(row, objectFrom(task->resultJson));
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string settingsText(const Run &run, const std::string &task)
{
    if (task.empty())
        return run.specJson;
    const json spec = objectFrom(run.specJson);
    for (const json &stage : spec.value("stages", json::array()))
        if (stage.is_object() && memberText(stage, "task") == task)
            return experiment::compactJson(stage.value("spec", json::object()));
    return {};
}

/// Specs are read again only where some of one title are not repetitions with other seeds, and once for all repetitions.
std::vector<experiment::Sibling> siblingsOf(const std::vector<ExperimentRow> &rows, const std::vector<std::size_t> &places, const std::map<std::string, const Run *> &runs)
{
    const bool areRepetitions = std::all_of(places.begin(), places.end(), [&](std::size_t at) { return rows[at].settings == rows[places.front()].settings; });
    std::map<std::string, std::string> texts;      // by their hash
    std::vector<experiment::Sibling> siblings;
    for (const std::size_t at : places) {
        const auto [text, isNew] = texts.try_emplace(rows[at].settings);
        if (isNew && !areRepetitions)
            text->second = settingsText(*runs.at(rows[at].uuid), rows[at].task);
        siblings.push_back({text->second, rows[at].seed});
    }
    return siblings;
}

void tellApart(std::vector<ExperimentRow> &rows, const std::vector<Run> &runs)
{
    std::map<ExperimentTitle, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (auto title = titleOf(rows[i]))
            alike[std::move(*title)].push_back(i);
    std::map<std::string, const Run *> byUuid;
    for (const Run &run : runs)
        byUuid[run.uuid] = &run;
    for (const auto &[title, places] : alike) {
        if (places.size() < 2)
            continue;
        auto told = experiment::distinctions(siblingsOf(rows, places, byUuid));
        for (std::size_t i = 0; i < places.size(); ++i)
            rows[places[i]].distinction = std::move(told[i]);
    }
}

}  // namespace

std::optional<ExperimentTitle> titleOf(const ExperimentRow &row)
{
    ExperimentTitle title;
    if (!row.name.empty()) {
        title.name = row.name;
        title.task = row.task;
        return title;
    }
    if (!row.task.empty() || row.kind == "pipeline")
        return std::nullopt;
    title.kind = row.kind;
    title.mixer = row.mixer;
    if (row.kind == "score")
        title.selector = row.selector;
    if (row.kind == "distill")
        title.keep = row.keep;
    if (row.kind == "distill" && row.layers && row.layers->size() <= mostNamedLayers)
        title.layers = row.layers;
    if (row.mixer.empty() && title.selector.empty())
        title.teacher = row.teacher;
    return title;
}

std::vector<ExperimentRow> experimentRows(const Workspace &workspace, bool trashed)
{
    std::vector<ExperimentRow> rows;
    RunFilter filter;
    filter.trashed = trashed;
    const std::vector<Run> runs = workspace.runs(filter);
    for (const Run &run : runs) {
        const json spec = objectFrom(run.specJson);
        if (run.kind == "pipeline")
            if (auto stages = ofPipeline(workspace, run, spec); !stages.empty()) {
                std::move(stages.begin(), stages.end(), std::back_inserter(rows));
                continue;
            }
        ExperimentRow row = rowOfRun(run);
        addSpec(row, spec);
        addResult(row, objectFrom(run.resultJson));
        rows.push_back(std::move(row));
    }
    tellApart(rows, runs);
    return rows;
}

}  // namespace stillroom::store
