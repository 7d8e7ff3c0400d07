// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/runreference.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "shownname.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace stillroom::store {

namespace {

constexpr std::size_t shortestBeginning = 4, mostNamed = 4, longestName = 40;      // bytes; of a sentence

RunReference whole(const Run &run)
{
    return {.run = run, .task = {}, .key = run.key, .kind = run.kind, .specJson = run.specJson, .resultJson = run.resultJson};
}

/// {"task", "spec"} of each; none in a run that is no pipeline.
std::vector<nlohmann::json> specStages(const Run &run)
{
    std::vector<nlohmann::json> found;
    const nlohmann::json spec = nlohmann::json::parse(run.specJson, nullptr, false);
    if (run.kind != "pipeline" || !spec.is_object() || !spec.contains("stages") || !spec.at("stages").is_array())
        return found;
    for (const nlohmann::json &stage : spec.at("stages"))
        if (stage.is_object() && stage.contains("task") && stage.at("task").is_string() && stage.contains("spec"))
            found.push_back(stage);
    return found;
}

/// Those of its spec that have begun: what `runs list` prints of it.
std::vector<RunReference> stagesOf(const Workspace &workspace, const Run &run)
{
    std::vector<RunReference> found;
    const std::vector<nlohmann::json> stages = specStages(run);
    const std::vector<TaskInfo> tasks = stages.empty() ? std::vector<TaskInfo>() : workspace.tasks(run.uuid);
    for (const nlohmann::json &stage : stages) {
        const auto task = std::find_if(tasks.begin(), tasks.end(), [&](const TaskInfo &one) { return one.task == stage.at("task").get<std::string>(); });
        if (task != tasks.end() && task->startedSeconds)
            found.push_back({.run = run, .task = task->task, .key = task->key, .kind = task->kind, .specJson = experiment::compactJson(stage.at("spec")), .resultJson = task->resultJson});
    }
    return found;
}

std::string described(const RunReference &one)
{
    const bool isNamed = !one.run.name.empty() && one.run.name.size() <= longestName;
    const std::string run = one.run.uuid + (isNamed ? " (" + shownName(one.run.name) + ")" : "");
    return one.isStage() ? run + " > " + shownName(one.task) : run;
}

[[noreturn]] void refuseSeveral(const std::string &shown, const std::vector<RunReference> &found)
{
    std::string names;
    for (std::size_t i = 0; i < std::min(found.size(), mostNamed); ++i)
        names += (i == 0 ? "" : ", ") + described(found[i]);
    const std::string more = found.size() > mostNamed ? " and " + std::to_string(found.size() - mostNamed) + " more" : "";
    throw Error(ErrorCode::Usage, "Several runs or stages fit " + shown + ": " + names + more + "; name one by its UUID, or as \"RUN > STAGE\".");
}

/// The newest of equal stages stands for all.
std::vector<RunReference> withoutRepetitions(const std::vector<RunReference> &found)
{
    std::vector<RunReference> kept;
    for (const RunReference &one : found)
        if (std::none_of(kept.begin(), kept.end(), [&](const RunReference &other) { return !one.key.empty() && other.key == one.key; }))
            kept.push_back(one);
    return kept;
}

using Fits = std::function<bool(const std::string &word)>;

std::vector<RunReference> matching(const std::vector<RunReference> &all, const Fits &fits)
{
    std::vector<RunReference> found;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found), [&](const RunReference &one) { return (!one.key.empty() && fits(one.key)) || (one.isStage() && fits(one.task)); });
    return found;
}

/// Whole words before beginnings.
std::vector<RunReference> stagesCalled(const std::vector<RunReference> &all, const std::string &text)
{
    std::vector<RunReference> found = matching(all, [&](const std::string &word) { return word == text; });
    if (found.empty() && text.size() >= shortestBeginning)
        found = matching(all, [&](const std::string &word) { return word.starts_with(text); });
    return found;
}

std::string trimmed(const std::string &text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<RunReference> theOneIfAny(const std::string &shown, const std::vector<RunReference> &found)
{
    if (found.size() > 1)
        refuseSeveral(shown, found);
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<RunReference> wholeRunsCalled(const Workspace &workspace, const std::string &text, bool onlyTrashed = false)
{
    std::vector<RunReference> found;
    for (const Run &run : workspace.runsCalled(text, onlyTrashed))
        found.push_back(whole(run));
    return found;
}

std::string shownWord(const std::string &text)
{
    return experiment::compactJson(text.substr(0, 60));
}

RunReference theOne(const Workspace &workspace, const std::string &text, const std::optional<RunReference> &found)
{
    if (found)
        return *found;
    refuseTrashed(workspace, text);
    throw Error(ErrorCode::Usage, "The workspace has no run or stage " + shownWord(text) + "; `stillroom-cli runs list` names them.");
}

bool isMadeBy(const std::string &kind, const Wanted &wanted) { return std::find(wanted.kinds.begin(), wanted.kinds.end(), kind) != wanted.kinds.end(); }

/// "name a stage that has scores (a, b)"; empty where no other has.
std::string nameOthers(const Workspace &workspace, const RunReference &named, const Wanted &wanted)
{
    std::string names;
    for (const RunReference &stage : stagesOf(workspace, named.run))
        if (stage.task != named.task && wanted.isIn(stage))
            names += (names.empty() ? "" : ", ") + shownName(stage.task);
    return names.empty() ? names : "name a stage that has " + wanted.what + " (" + names + ")";
}

/// Whether a stage of it that has not ended, or not begun, makes such.
bool isToCome(const Run &run, const Wanted &wanted)
{
    const std::vector<nlohmann::json> stages = specStages(run);
    const auto makes = [&](const nlohmann::json &stage) {
        const nlohmann::json &spec = stage.at("spec");
        return spec.is_object() && spec.contains("kind") && spec.at("kind").is_string() && isMadeBy(spec.at("kind").get<std::string>(), wanted);
    };
    return run.status != RunStatus::Finished && (isMadeBy(run.kind, wanted) || std::any_of(stages.begin(), stages.end(), makes));
}

}  // namespace

std::optional<StageName> runAndStage(const std::string &text)
{
    const std::size_t at = text.rfind('>');
    return at == std::string::npos ? std::nullopt : std::optional(StageName{trimmed(text.substr(0, at)), trimmed(text.substr(at + 1))});
}

Run Workspace::findRun(const std::string &text) const
{
    return theOne(*this, text, theOneIfAny(shownWord(text), wholeRunsCalled(*this, text))).run;
}

std::optional<RunReference> findReferenceIfAny(const Workspace &workspace, const std::string &text)
{
    const std::string shown = shownWord(text);
    if (const std::vector<RunReference> runs = wholeRunsCalled(workspace, text); !runs.empty())
        return theOneIfAny(shown, runs);
    if (const auto name = runAndStage(text)) {
        const auto found = theOneIfAny(shownWord(name->run), wholeRunsCalled(workspace, name->run));
        return found ? theOneIfAny(shown, stagesCalled(stagesOf(workspace, found->run), name->stage)) : std::nullopt;
    }
    std::vector<RunReference> all;
    for (const Run &run : workspace.runs()) {
        all.push_back(whole(run));
        const std::vector<RunReference> stages = stagesOf(workspace, run);
        all.insert(all.end(), stages.begin(), stages.end());
    }
    return theOneIfAny(shown, withoutRepetitions(stagesCalled(all, text)));
}

RunReference findReference(const Workspace &workspace, const std::string &text)
{
    if (const auto found = findReferenceIfAny(workspace, text))
        return *found;
    if (const auto name = runAndStage(text))
        static_cast<void>(workspace.findRun(name->run));      // says which of the two there is not
    return theOne(workspace, text, std::nullopt);
}

std::optional<Run> findTrashedIfAny(const Workspace &workspace, const std::string &text)
{
    const auto found = theOneIfAny(shownWord(text), wholeRunsCalled(workspace, text, true));
    return found ? std::optional(found->run) : std::nullopt;
}

void refuseTrashed(const Workspace &workspace, const std::string &text)
{
    if (const auto run = findTrashedIfAny(workspace, text))
        throw Error(ErrorCode::Usage, "The run " + described(whole(*run)) + " is in the trash; `stillroom-cli runs restore " + run->uuid + "` brings it back.");
}

std::string whereElse(const Workspace &workspace, const RunReference &named, const Wanted &wanted)
{
    const std::string others = nameOthers(workspace, named, wanted);
    if (named.isStage() && isMadeBy(named.kind, wanted) && !named.isFinished())
        return "it has not finished; " + howItEnds(named.run) + (others.empty() ? "" : ", or " + others);
    if (!others.empty())
        return others;
    if (isToCome(named.run, wanted))
        return "nothing in this run has " + wanted.what + " yet; " + howItEnds(named.run);
    if (wanted.isIn(whole(named.run)))
        return "name the run alone, as its " + wanted.what + " are of no stage of it";
    return "nothing in this run has " + wanted.what + ", so name another one";
}

void refuseStage(const Workspace &workspace, const StageName &name, const RunReference &run, const Wanted &wanted)
{
    const bool isSingle = run.kind != "pipeline" && wanted.isIn(run);
    throw Error(ErrorCode::Usage, "the run \"" + shownName(name.run) + "\" has no stage \"" + shownName(name.stage) + "\": " +
                                      (isSingle ? "it is a single stage, " + run.kind + ", and its own name is enough" : whereElse(workspace, run, wanted)));
}

std::string howItEnds(const Run &run)
{
    return run.status == RunStatus::Running ? "wait for its end" : "run it to its end with --resume (demo: by the same command again, without --resume)";
}

}  // namespace stillroom::store
