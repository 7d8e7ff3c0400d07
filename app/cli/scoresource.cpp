// SPDX-License-Identifier: GPL-3.0-or-later
#include "scoresource.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "folders.h"
#include "procedures/keptlayers.h"
#include "procedures/selectors.h"
#include "shownname.h"
#include "store/layout.h"
#include "store/runreference.h"
#include "store/stagecache.h"
#include "store/workspace.h"
#include "textfile.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>
#include <utility>

namespace stillroom::cli {
namespace fs = std::filesystem;

namespace {

/// The ranking, the sets, what stopping early saved, and the values by sequence that the selector itself gave, where the stage in `folder` is about these scores.
void addOwnChoice(nlohmann::json &scores, const fs::path &folder, const std::string &key)
{
    if (!isFileThere(folder / "scores.json"))
        return;
    const nlohmann::json stage = procedures::readScores(folder.string(), {});
    for (const char *field : {"selector", "mixer", "num_layers"})
        if (!stage.contains(field) || stage.at(field) != scores.at(field))
            return;
    scores["key"] = key;
    for (const char *field : {"ranking", "sets", "data"})
        if (stage.contains(field))
            scores[field] = stage.at(field);
    if (stage.contains("notes") && stage.at("notes").is_object() && stage.at("notes").contains("early_stop"))
        scores["notes"]["early_stop"] = stage.at("notes").at("early_stop");
    if (isFileThere(folder / "curves.json"))
        scores["curves"] = (folder / "curves.json").string();
}

/// RUN, RUN:SELECTOR or RUN:SELECTOR:MIXER. A name may hold colons: only what a selector is called counts as one.
struct ScoresOfRun {
    std::string run, selector, mixer;
};

ScoresOfRun parts(const std::string &source)
{
    for (std::size_t colon = source.find(':'); colon != std::string::npos; colon = source.find(':', colon + 1)) {
        const std::size_t next = source.find(':', colon + 1);
        const std::string name = source.substr(colon + 1, next == std::string::npos ? next : next - colon - 1);
        const auto isIt = [&](const procedures::Selector *selector) { return selector->name == name; };
        const auto all = procedures::selectors();
        if (std::any_of(all.begin(), all.end(), isIt))
            return {source.substr(0, colon), name, next == std::string::npos ? std::string() : source.substr(next + 1)};
    }
    return {source, {}, {}};
}

/// The selector that a run is about: its spec's, or in a pipeline that of the first stage that scores. What stage 1 says on the way has scores, too.
std::string ownSelector(const nlohmann::json &spec)
{
    if (spec.value("kind", std::string()) == "score")
        return spec.value("selector", std::string());
    if (spec.contains("stages") && spec.at("stages").is_array())
        for (const nlohmann::json &stage : spec.at("stages"))
            if (stage.is_object() && stage.contains("spec") && stage.at("spec").is_object())
                if (std::string found = ownSelector(stage.at("spec")); !found.empty())
                    return found;
    return {};
}

std::vector<experiment::LayerScore> lastScoresOf(const store::Workspace &workspace, const store::RunReference &run, const ScoresOfRun &wanted)
{
    if (wanted.selector.empty()) {
        const nlohmann::json spec = nlohmann::json::parse(run.specJson, nullptr, false);
        if (const std::string own = spec.is_object() ? ownSelector(spec) : std::string(); !own.empty())
            if (auto found = workspace.lastScores(run.run.uuid, own, wanted.mixer, run.task); !found.empty())
                return found;
    }
    return workspace.lastScores(run.run.uuid, wanted.selector, wanted.mixer, run.task);
}

/// The keys of a run's stages whose scores lie in the workspace. A stage that found equal ones there used those, and its own lines hold none.
std::vector<std::string> keptScores(const store::Workspace &workspace, const store::RunReference &run, const fs::path &folder)
{
    std::vector<std::string> keys{run.key};
    for (const store::TaskInfo &one : workspace.tasks(run.run.uuid))
        if (run.isOf(run.run.uuid, one.task))
            keys.push_back(one.key);
    std::erase_if(keys, [&](const std::string &key) { return !store::isStageKey(key) || !isFileThere(store::artifactsFolder(folder) / key / "scores.json"); });
    return keys;
}

bool areThose(const nlohmann::json &scores, const ScoresOfRun &wanted)
{
    const auto is = [&](const char *field, const std::string &value) { return value.empty() || scores.value(field, std::string()) == value; };
    return is("selector", wanted.selector) && is("mixer", wanted.mixer);
}

/// What a file of scores does not say itself, where the stage that it came from is still in the workspace: the values by sequence, and the spec.
void addStage(nlohmann::json &scores, const fs::path &workspace)
{
    const auto key = scores.at("key").get<std::string>();
    if (!store::isStageKey(key) || !isThere(workspace))
        return;
    if (const fs::path curves = store::artifactsFolder(workspace) / key / "curves.json"; isFileThere(curves))
        scores["curves"] = curves.string();
    if (!isFileThere(store::databaseFile(workspace)))
        return;
    if (const auto stage = store::findReferenceIfAny(store::Workspace(workspace), key))
        if (nlohmann::json spec = nlohmann::json::parse(stage->specJson, nullptr, false); spec.is_object())
            scores["spec"] = std::move(spec);
}

/// "ga-s2", or "ga-s2:gdn" with the mixer: what a run or stage holds scores of, as a person names them. Those of a stage that used equal ones lie in the workspace alone.
std::set<std::string> heldScores(const store::Workspace &workspace, const store::RunReference &of, const fs::path &folder, bool withMixer)
{
    std::set<std::string> held;
    const auto add = [&](const std::string &selector, const std::string &mixer) { held.insert(withMixer ? selector + ':' + mixer : selector); };
    for (const store::StoredScore &one : workspace.scores(of.run.uuid))
        if (of.isOf(of.run.uuid, one.task))
            add(one.score.selector, one.score.mixer);
    const std::vector<std::string> keys = keptScores(workspace, of, folder);
    for (const store::TaskInfo &task : workspace.tasks(of.run.uuid)) {
        const nlohmann::json result = nlohmann::json::parse(task.resultJson, nullptr, false);
        const auto text = [&](const char *field) { return result.is_object() && result.contains(field) && result.at(field).is_string() ? result.at(field).get<std::string>() : std::string(); };
        if (of.isOf(of.run.uuid, task.task) && !text("selector").empty() && std::find(keys.begin(), keys.end(), task.key) != keys.end())
            add(text("selector"), text("mixer"));
    }
    return held;
}

store::Wanted anyScores(const store::Workspace &workspace, const fs::path &folder)
{
    return {"scores", {"score", "align"}, [&workspace, folder](const store::RunReference &one) { return !heldScores(workspace, one, folder, false).empty(); }};
}

/// As findReference; a run that is a single stage may be named with it, and where a run has no such stage the answer says which it has.
store::RunReference scoredRun(const store::Workspace &workspace, const std::string &text, const fs::path &folder)
{
    const auto name = store::runAndStage(text);
    if (auto found = store::findReferenceIfAny(workspace, text); found || !name)
        return found ? *found : store::findReference(workspace, text);
    const store::RunReference run = store::findReference(workspace, workspace.findRun(name->run).uuid);
    if (run.kind != "pipeline" && name->stage == run.kind)
        return run;
    store::refuseStage(workspace, *name, run, anyScores(workspace, folder));
}

[[noreturn]] void refuseWithoutScores(const store::Workspace &workspace, const store::RunReference &found, const ScoresOfRun &wanted, const fs::path &folder)
{
    std::string held;
    for (const std::string &one : heldScores(workspace, found, folder, !wanted.mixer.empty()))
        held += (held.empty() ? "" : ", ") + shownName(one);
    throw Error(ErrorCode::Usage, "run " + wanted.run + " holds no scores" + (wanted.selector.empty() ? "" : " of the selector " + wanted.selector) + (wanted.mixer.empty() ? "" : " with the mixer " + wanted.mixer) + ": " +
                                      (held.empty() ? store::whereElse(workspace, found, anyScores(workspace, folder)) : "it holds those of " + held));
}

void refuseOtherScores(const nlohmann::json &scores, const std::string &source, const std::string &selector)
{
    if (!selector.empty() && scores.contains("selector") && scores.at("selector") != selector)
        throw Error(ErrorCode::Usage, "\"" + shownName(source) + "\" holds other scores than those of " + shownName(selector) + ": name theirs, or leave --selector out");
}

std::string nameOfPipe(const std::string &source)
{
    return source == "-" ? "standard input" : "the pipe " + source;
}

/// Whether every stage that said such scores has handed back its result, whatever became of its run.
bool isScored(const store::Workspace &workspace, const store::RunReference &run, const experiment::LayerScore &such)
{
    std::set<std::string> unfinished;
    for (const store::StoredScore &one : workspace.scores(run.run.uuid))
        if (run.isOf(run.run.uuid, one.task) && one.score.selector == such.selector && one.score.mixer == such.mixer)
            unfinished.insert(one.task);
    for (const store::TaskInfo &task : workspace.tasks(run.run.uuid))
        if (task.isFinished())
            unfinished.erase(task.task);
    return unfinished.empty();
}

/// Which a person calls it by.
std::string calledRun(const store::Run &run) { return shownName(run.name.empty() ? run.uuid.substr(0, 8) : run.name); }

/// An align stage may be of some layers alone, and one that was stopped may not have come to all of them. \param last  by layer
void requireEveryLayer(const store::Run &run, const std::vector<experiment::LayerScore> &last)
{
    int next = 0;
    for (const experiment::LayerScore &one : last)
        next += one.layer == next ? 1 : 0;
    if (const int highest = last.back().layer; next <= highest)
        throw Error(ErrorCode::Usage, "the run " + calledRun(run) + " has no score of layer " + std::to_string(next) + ", so its layers cannot be ranked: name a run that scored all of them, or finish this one");
}

/// Scores of a run that did not end are worth something, but not what its spec says.
void sayUnfinished(const store::Run &run, const std::vector<experiment::LayerScore> &last)
{
    if (run.status == store::RunStatus::Finished)
        return;
    std::int64_t tokens = 0;
    for (const experiment::LayerScore &one : last)
        tokens = std::max(tokens, one.tokens);
    std::cerr << "Note: the run " << calledRun(run) << " is " << store::statusName(run.status) << ": its scores are those after " << tokens
              << " training tokens a layer, not what its spec asks for; " << store::howItEnds(run) << ", or say so where you use them.\n";
}

}  // namespace

std::string keyOfFile(const fs::path &file)
{
    std::error_code unknown;
    const fs::path whole = fs::weakly_canonical(file, unknown), folder = whole.parent_path();
    return folder.parent_path().filename() == "artifacts" ? folder.filename().string() : (unknown ? file : whole).string();
}

nlohmann::json readPiped(const std::string &source)
{
    return experiment::parseJson(readText(source, experiment::maximumSpecBytes), nameOfPipe(source));
}

nlohmann::json pipedScores(nlohmann::json read, const std::string &source, const std::string &selector, const fs::path &workspace)
{
    nlohmann::json scores = procedures::scoresIn(std::move(read), nameOfPipe(source));
    refuseOtherScores(scores, source, selector);
    scores.erase("curves");
    if (!scores.contains("key") || !scores.at("key").is_string())
        scores["key"] = nameOfPipe(source);
    addStage(scores, workspace);
    return scores;
}

nlohmann::json scoresFrom(const std::string &source, const std::string &selector, const fs::path &workspace)
{
    if (isPipe(source))
        return pipedScores(readPiped(source), source, selector, workspace);
    const fs::path besideKey = workspace / "artifacts" / source / "curves.json";
    const fs::path besideScores = workspace / "artifacts" / source / "scores.json";
    const bool isFile = isFileThere(source) || isFileThere(besideScores);
    if (isFile || !isWorkspaceThere(workspace)) {
        nlohmann::json scores = procedures::readScores(source, workspace);
        refuseOtherScores(scores, source, selector);
        scores.erase("curves");
        if (!scores.contains("key") || !scores.at("key").is_string())
            scores["key"] = isFileThere(besideScores) ? source : keyOfFile(source);
        if (isFileThere(besideKey))
            scores["curves"] = besideKey.string();
        addStage(scores, workspace);
        return scores;
    }
    const store::Workspace opened(workspace);
    ScoresOfRun wanted = parts(source);
    if (!wanted.selector.empty() && !selector.empty() && wanted.selector != selector)
        throw Error(ErrorCode::Usage, "\"" + shownName(source) + "\" names the scores of " + wanted.selector + " and --selector those of " + shownName(selector) + ": name one of them");
    if (wanted.selector.empty())
        wanted.selector = selector;
    const store::RunReference found = scoredRun(opened, wanted.run, workspace);
    const store::Run &run = found.run;
    const auto last = lastScoresOf(opened, found, wanted);
    for (const std::string &key : last.empty() ? keptScores(opened, found, workspace) : std::vector<std::string>())
        if (nlohmann::json kept = scoresFrom(key, {}, workspace); areThose(kept, wanted))
            return kept;
    if (last.empty())
        refuseWithoutScores(opened, found, wanted, workspace);
    requireEveryLayer(run, last);
    if (!isScored(opened, found, last.front()))
        sayUnfinished(run, last);
    nlohmann::json scores = nlohmann::json::array();
    int numLayers = 0;
    for (const experiment::LayerScore &one : last) {
        if (one.layer < 0)
            continue;
        numLayers = std::max(numLayers, one.layer + 1);
        scores.push_back({{"layer", one.layer}, {"score", one.score}, {"higher_is_better", one.higherIsBetter}, {"n", one.numSequences},
                          {"kl_nats", one.klNats ? nlohmann::json(*one.klNats) : nlohmann::json()}, {"unit", one.unit},
                          {one.klNats ? "se_nats" : "se", std::isfinite(one.se) ? nlohmann::json(one.se) : nlohmann::json()}});
    }
    nlohmann::json result = {{"scores", scores}, {"run_status", store::statusName(run.status)}, {"num_layers", numLayers}, {"spec", nlohmann::json::parse(found.specJson)}, {"selector", last.front().selector}, {"mixer", last.front().mixer}, {"key", run.uuid + ':' + last.front().selector + ':' + last.front().mixer}};
    for (const store::StoredArtifact &one : opened.artifacts(run.uuid, "score"))
        if (!found.isStage() || one.task == found.task)
            addOwnChoice(result, workspace / one.artifact.path, one.artifact.hash);
    return result;
}

}  // namespace stillroom::cli
