// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/scorings.h"

#include "error.h"
#include "experiment/digest.h"
#include "experiment/jsontext.h"
#include "experiment/spec.h"
#include "experiment/studentkl.h"
#include "store/layout.h"
#include "store/stagecache.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace stillroom::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maximumCurveBytes = std::size_t{64} << 20U;
constexpr std::ptrdiff_t maximumCurveLists = 200'000;      // an empty list takes ten times the memory of its text

/// The spec behind a task: its own stage of a pipeline, or the first one that scores (whose stage 1 it is), or the run's.
nlohmann::json specOf(const nlohmann::json &run, const std::string &task)
{
    if (!run.is_object() || !run.contains("stages") || !run.at("stages").is_array())
        return run;
    nlohmann::json scoring;
    for (const nlohmann::json &stage : run.at("stages")) {
        if (!stage.is_object() || !stage.contains("spec") || !stage.at("spec").is_object())
            continue;
        if (stage.value("task", std::string()) == task)
            return stage.at("spec");
        if (scoring.is_null() && stage.at("spec").value("kind", std::string()) == "score")
            scoring = stage.at("spec");
    }
    return scoring;
}

/// Without the seed and what changes no number: names, notes, threads, how often it is saved.
std::string settingsOf(nlohmann::json spec)
{
    if (!spec.is_object())
        return {};
    const auto &all = experiment::kinds();
    const auto schema = std::find_if(all.begin(), all.end(), [&](const experiment::KindSchema &one) { return one.kind == experiment::textIn(spec, "kind"); });
    if (schema != all.end())
        for (const experiment::Field &field : schema->fields)
            if (!field.hashed)
                spec.erase(field.name);
    spec.erase("seed");
    experiment::leaveOutSwitchedOff(spec);
    return experiment::compactJson(spec);
}

std::string heldOutOf(const nlohmann::json &spec)
{
    return spec.is_object() && spec.contains("data") ? experiment::compactJson(spec.at("data")) : std::string();      // not by the seed: that orders training alone
}

int numLayersOf(const std::vector<experiment::LayerScore> &scores)
{
    return scores.empty() ? 0 : scores.back().layer + 1;
}

/// What the stage itself said, where it is about these scores.
std::optional<experiment::Ranking> ownRanking(const std::string &resultJson, const Scoring &scoring)
{
    const nlohmann::json result = nlohmann::json::parse(resultJson, nullptr, false);
    if (!result.is_object() || !result.contains("ranking") || experiment::textIn(result, "selector") != scoring.selector || experiment::textIn(result, "mixer") != scoring.mixer)
        return std::nullopt;
    try {
        auto ranking = result.at("ranking").get<experiment::Ranking>();
        const int numLayers = numLayersOf(scoring.scores);
        (void)experiment::validLayerSet(ranking, numLayers);
        return static_cast<int>(ranking.size()) == numLayers ? std::optional(std::move(ranking)) : std::nullopt;
    } catch (const nlohmann::json::exception &) {      // not a list of layers: the scores speak for themselves
        return std::nullopt;
    } catch (const Error &) {                          // not a ranking of these layers
        return std::nullopt;
    }
}

/// The sets that the stage found by searching, where it is about these scores; those that are none of these layers are passed over.
std::vector<experiment::LayerSet> ownSets(const std::string &resultJson, const Scoring &scoring)
{
    const nlohmann::json result = nlohmann::json::parse(resultJson, nullptr, false);
    std::vector<experiment::LayerSet> sets;
    if (!result.is_object() || !result.contains("sets") || !result.at("sets").is_array() || experiment::textIn(result, "selector") != scoring.selector || experiment::textIn(result, "mixer") != scoring.mixer)
        return sets;
    for (const nlohmann::json &set : result.at("sets"))
        try {
            sets.push_back(experiment::validLayerSet(set.at("layers").get<std::vector<int>>(), numLayersOf(scoring.scores)));
        } catch (const nlohmann::json::exception &) {
        } catch (const Error &) {
        }
    return sets;
}

/// What stopping early saved, where it is about these scores.
std::optional<EarlyStop> ownEarlyStop(const std::string &resultJson, const Scoring &scoring)
{
    const nlohmann::json result = nlohmann::json::parse(resultJson, nullptr, false);
    const bool own = result.is_object() && experiment::textIn(result, "selector") == scoring.selector && experiment::textIn(result, "mixer") == scoring.mixer;
    return own ? earlyStopOf(result) : std::nullopt;
}

std::optional<experiment::Ranking> rankingBy(const std::vector<experiment::LayerScore> &scores)
{
    try {
        return experiment::rank(scores, numLayersOf(scores));
    } catch (const Error &) {      // a layer is still missing, or diverged
        return std::nullopt;
    }
}

/// What is known of the stage that the scores came from.
void addStage(Scoring &scoring, const std::vector<TaskInfo> &tasks, const std::vector<StoredArtifact> &artifacts)
{
    const auto task = std::find_if(tasks.begin(), tasks.end(), [&](const TaskInfo &one) { return one.task == scoring.task; });
    if (task == tasks.end())
        return;
    scoring.key = task->key;
    if (task->isFinished())
        scoring.status = RunStatus::Finished;
    scoring.ranking = ownRanking(task->resultJson, scoring);
    scoring.sets = ownSets(task->resultJson, scoring);
    scoring.earlyStop = ownEarlyStop(task->resultJson, scoring);
    const auto artifact = std::find_if(artifacts.begin(), artifacts.end(), [&](const StoredArtifact &one) { return one.artifact.hash == task->key; });
    if (artifact != artifacts.end())
        scoring.artifact = artifact->artifact.path;
}

/// The last score of every layer in the list, by layer.
std::vector<experiment::LayerScore> latestOf(const std::vector<experiment::LayerScore> &evaluations)
{
    std::map<int, experiment::LayerScore> byLayer;
    for (const experiment::LayerScore &score : evaluations)
        byLayer[score.layer] = score;
    std::vector<experiment::LayerScore> latest;
    for (auto &[layer, score] : byLayer)
        latest.push_back(std::move(score));
    return latest;
}

std::vector<Scoring> scoringsOf(const Workspace &workspace, const std::string &uuid, const std::string &teacher)
{
    const auto run = workspace.run(uuid);
    const nlohmann::json runSpec = nlohmann::json::parse(run ? run->specJson : std::string(), nullptr, false);
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<experiment::LayerScore>> all;
    for (StoredScore &stored : workspace.scores(uuid)) {      // by ascending tokens
        auto &evaluations = all[{stored.task, stored.score.selector, stored.score.mixer}];
        evaluations.push_back(std::move(stored.score));
    }
    const std::vector<TaskInfo> tasks = workspace.tasks(uuid);
    const std::vector<StoredArtifact> artifacts = workspace.artifacts(uuid);
    std::vector<Scoring> found;
    for (auto &[name, evaluations] : all) {
        const nlohmann::json spec = specOf(runSpec, std::get<0>(name));
        if (experiment::textIn(spec, "teacher") != teacher)
            continue;
        Scoring scoring;
        scoring.run = uuid;
        if (run) {
            scoring.name = run->name;
            scoring.status = run->status;
        }
        std::tie(scoring.task, scoring.selector, scoring.mixer) = name;
        describeBySpec(scoring, runSpec);
        scoring.scores = latestOf(evaluations);
        scoring.evaluations = std::move(evaluations);
        addStage(scoring, tasks, artifacts);
        if (!scoring.ranking)
            scoring.ranking = rankingBy(scoring.scores);
        found.push_back(std::move(scoring));
    }
    return found;
}

/// Which of equal scorings is worth more: one whose results lie in the workspace, one that ended, one that may still end, any other.
int standing(const Scoring &scoring)
{
    if (!scoring.artifact.empty())
        return 3;
    if (scoring.status == RunStatus::Finished)
        return 2;
    return scoring.status == RunStatus::Running ? 1 : 0;
}

/// Values by sequence, and the training tokens they were taken at.
struct LastEvaluation {
    std::int64_t tokens = 0;
    std::vector<double> values;
};

/// Of the students that keep one layer alone.
std::map<int, LastEvaluation> lastEvaluations(const nlohmann::json &curves)
{
    std::map<int, LastEvaluation> last;
    for (const nlohmann::json &curve : curves) {
        experiment::StudentKl student = experiment::studentKlFromJson(curve);
        if (student.kept.size() == 1 && !student.klNats_ES.empty())
            last[student.kept.front()] = {student.tokens_E.back(), std::move(student.klNats_ES.back())};
    }
    return last;
}

/// A selector that measures something else than students' KL keeps its values apart from curves.
std::optional<HeldOutValues> valuesOf(const nlohmann::json &json, int numLayers)
{
    std::map<int, LastEvaluation> last;
    HeldOutValues found;
    if (json.contains("samples")) {
        found.higherIsBetter = json.at("samples").at("higher_is_better").get<bool>();
        for (const nlohmann::json &one : json.at("samples").at("layers"))
            last[one.at("layer").get<int>()] = {0, one.at("values").get<std::vector<double>>()};
    } else {
        last = lastEvaluations(json.at("curves"));
    }
    for (int layer = 0; layer < numLayers; ++layer) {
        const auto one = last.find(layer);
        if (one == last.end() || one->second.tokens != last.at(0).tokens)
            return std::nullopt;
        found.values_LS.push_back(std::move(one->second.values));
    }
    return found;
}

}  // namespace

void describeBySpec(Scoring &scoring, const nlohmann::json &runSpec)
{
    const nlohmann::json spec = specOf(runSpec, scoring.task);
    scoring.settings = settingsOf(spec);
    scoring.heldOut = heldOutOf(spec);
    if (spec.is_object() && spec.contains("seed") && spec.at("seed").is_number_integer())
        scoring.seed = spec.at("seed").get<std::int64_t>();
}

std::optional<EarlyStop> earlyStopOf(const nlohmann::json &result)
{
    const nlohmann::json notes = result.is_object() ? result.value("notes", nlohmann::json()) : nlohmann::json();
    const nlohmann::json note = notes.is_object() ? notes.value("early_stop", nlohmann::json()) : nlohmann::json();
    if (!note.is_object())
        return std::nullopt;
    try {
        const EarlyStop found{note.at("stopped").get<bool>(), note.value("tokens", std::int64_t{0}), note.value("planned_tokens", std::int64_t{0}), note.at("saved_fraction").get<double>()};
        return found.savedFraction >= 0.0 && found.savedFraction <= 1.0 ? std::optional(found) : std::nullopt;
    } catch (const nlohmann::json::exception &) {
        return std::nullopt;
    }
}

std::string scoringSettings(const nlohmann::json &spec)
{
    return settingsOf(spec);
}

bool isOwnScoring(const Scoring &scoring)
{
    const nlohmann::json spec = nlohmann::json::parse(scoring.settings, nullptr, false);
    return experiment::textIn(spec, "kind") == "score" && experiment::textIn(spec, "selector") == scoring.selector;
}

std::string heldOutSettings(const nlohmann::json &spec)
{
    return heldOutOf(spec);
}

std::vector<Scoring> scorings(const Workspace &workspace, const std::string &teacher)
{
    std::vector<Scoring> all;
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
    for (const std::string &uuid : workspace.runsWithScores())
        for (Scoring &scoring : scoringsOf(workspace, uuid, teacher)) {
            const auto known = scoring.key.empty() ? places.end() : places.find({scoring.key, scoring.selector, scoring.mixer});
            if (known == places.end()) {
                places[{scoring.key, scoring.selector, scoring.mixer}] = all.size();
                all.push_back(std::move(scoring));
            } else if (standing(scoring) > standing(all[known->second])) {      // of equals the first stays
                all[known->second] = std::move(scoring);
            }
        }
    return all;
}

std::optional<HeldOutValues> heldOutValues(const fs::path &workspace, const std::string &artifact, int numLayers)
{
    if (!staysInside(artifact))
        return std::nullopt;
    try {
        const fs::path file = workspace / artifact / "curves.json";
        requireUnchanged(file);
        const std::string text = experiment::readTextFile(file.string(), maximumCurveBytes, "The stored curves");
        if (std::count_if(text.begin(), text.end(), [](char c) { return c == '[' || c == '{'; }) > maximumCurveLists)
            return std::nullopt;
        return valuesOf(nlohmann::json::parse(text), numLayers);
    } catch (const nlohmann::json::exception &) {
        return std::nullopt;
    } catch (const Error &) {      // there is no such file, or it is not as it was written
        return std::nullopt;
    }
}

std::uint64_t drawSeed(const std::string &measuredOn)
{
    constexpr std::size_t hexDigits = 16;
    return std::stoull(experiment::sha256Hex(measuredOn).substr(0, hexDigits), nullptr, 16);
}

}  // namespace stillroom::store
