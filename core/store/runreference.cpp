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

/// Those of its spec that have begun: what `runs list` prints of it.
std::vector<RunReference> stagesOf(const Workspace &workspace, const Run &run)
{
    std::vector<RunReference> found;
    const nlohmann::json spec = nlohmann::json::parse(run.specJson, nullptr, false);
    if (run.kind != "pipeline" || !spec.is_object() || !spec.contains("stages") || !spec.at("stages").is_array())
        return found;
    const std::vector<TaskInfo> tasks = workspace.tasks(run.uuid);
    for (const nlohmann::json &stage : spec.at("stages")) {
        if (!stage.is_object() || !stage.contains("task") || !stage.at("task").is_string() || !stage.contains("spec"))
            continue;
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

}  // namespace

Run Workspace::findRun(const std::string &text) const
{
    return theOne(*this, text, theOneIfAny(shownWord(text), wholeRunsCalled(*this, text))).run;
}

std::optional<RunReference> findReferenceIfAny(const Workspace &workspace, const std::string &text)
{
    const std::string shown = shownWord(text);
    if (const std::vector<RunReference> runs = wholeRunsCalled(workspace, text); !runs.empty())
        return theOneIfAny(shown, runs);
    if (const std::size_t at = text.rfind('>'); at != std::string::npos) {
        const std::string run = trimmed(text.substr(0, at));
        const auto found = theOneIfAny(shownWord(run), wholeRunsCalled(workspace, run));
        return found ? theOneIfAny(shown, stagesCalled(stagesOf(workspace, found->run), trimmed(text.substr(at + 1)))) : std::nullopt;
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
    if (const std::size_t at = text.rfind('>'); at != std::string::npos)
        static_cast<void>(workspace.findRun(trimmed(text.substr(0, at))));      // says which of the two there is not
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

}  // namespace stillroom::store
