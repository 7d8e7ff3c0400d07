// SPDX-License-Identifier: GPL-3.0-or-later
#include "bytesize.h"
#include "commands.h"
#include "error.h"
#include "experiment/difference.h"
#include "experiment/shownnames.h"
#include "folders.h"
#include "formatted.h"
#include "samename.h"
#include "shownname.h"
#include "store/experimentquery.h"
#include "store/experimentrows.h"
#include "store/layout.h"
#include "store/runreference.h"
#include "store/stagecache.h"
#include "store/workspace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>

namespace stillroom::cli {
namespace {

std::string localTime(double seconds)
{
    constexpr double endOf9999 = 253402300799.0;
    if (!(seconds >= 0.0 && seconds <= endOf9999))       // a damaged database holds any number
        return "?";
    const auto whole = static_cast<std::time_t>(seconds);
    std::tm broken{};
    ::localtime_r(&whole, &broken);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &broken);
    return text.data();
}

nlohmann::json runJson(const store::Run &run)
{
    return {{"uuid", run.uuid}, {"name", run.name}, {"kind", run.kind}, {"status", store::statusName(run.status)}, {"started", run.startedSeconds},
            {"finished", run.finishedSeconds ? nlohmann::json(*run.finishedSeconds) : nlohmann::json()}, {"device", run.device}, {"compute_type", run.computeType},
            {"threads", run.threads}, {"version", run.version}, {"pinned", run.pinned}, {"locked", run.locked}, {"tags", run.tags}, {"notes", run.notes}, {"key", run.key}};
}

template <typename Count> std::string countCell(const std::optional<Count> &count) { return count ? formatted("%4s", std::to_string(*count).c_str()) : formatted("   %s", unknownText); }

std::optional<double> measure(const store::ExperimentRow &row, const std::string &name)
{
    const auto found = row.measures.find(name);
    return found == row.measures.end() ? std::nullopt : std::optional(found->second);
}

nlohmann::json rowJson(const store::ExperimentRow &row)
{
    return {{"uuid", row.uuid}, {"task", row.task}, {"name", row.name}, {"kind", row.kind}, {"status", store::statusName(row.status)}, {"started", row.startedSeconds},
            {"seconds", row.seconds ? nlohmann::json(*row.seconds) : nlohmann::json()}, {"tokens", row.tokens}, {"teacher", row.teacher}, {"model", row.model}, {"mixer", row.mixer}, {"selector", row.selector},
            {"keep", row.keep ? nlohmann::json(*row.keep) : nlohmann::json()}, {"layers", row.layers ? nlohmann::json(*row.layers) : nlohmann::json()},
            {"seed", row.seed ? nlohmann::json(*row.seed) : nlohmann::json()}, {"measures", row.measures}, {"tags", row.tags}, {"notes", row.notes}, {"pinned", row.pinned}, {"locked", row.locked}, {"settings", row.settings}};
}

std::string joined(const std::vector<std::string> &words, const char *between)
{
    std::string all;
    for (const std::string &word : words)
        all += (all.empty() ? "" : between) + word;
    return all;
}

/// A measure that a list shows, where any of its rows has it.
struct MeasureColumn {
    std::string name, head;
    int decimals = 4;
};

std::vector<MeasureColumn> columnsOf(const std::vector<store::ExperimentRow> &rows)
{
    std::vector<MeasureColumn> columns;
    for (const auto &[name, decimals] : {std::pair{"kl_nats", 4}, std::pair{"recall", 3}, std::pair{"perplexity", 3}})
        if (std::any_of(rows.begin(), rows.end(), [&, wanted = name](const store::ExperimentRow &row) { return measure(row, wanted).has_value(); }))
            columns.push_back({name, experiment::measureWords(name), decimals});
    return columns;
}

/// Wide enough for a head and for what stands under it, so that both end in one place.
int widthOf(const MeasureColumn &column) { return std::max(8, static_cast<int>(column.head.size())); }

constexpr std::size_t widestText = 24, shownKey = 12;      // bytes; longer texts push what follows

std::string teacherOf(const store::ExperimentRow &row) { return shownName(experiment::teacherName(row.teacher)); }

/// What tells a row from others of its kind: who scored, which layers a hybrid keeps, which model was measured.
std::string whatOf(const store::ExperimentRow &row)
{
    if (!row.model.empty())
        return "of " + shownName(store::isStageKey(row.model) ? row.model.substr(0, shownKey) : experiment::teacherName(row.model));
    if (!row.selector.empty())
        return shownName(row.selector);
    return row.layers && row.layers->size() <= store::mostNamedLayers ? experiment::layersText(*row.layers, ",") : std::string();
}

/// Of a column of texts, wide enough for its head and what stands under it.
struct TextColumn {
    std::string head;
    std::string (*text)(const store::ExperimentRow &row);
    std::size_t width = 0;
    [[nodiscard]] std::string padded(const std::string &cell) const { return "  " + cell + std::string(width - std::min(width, cell.size()), ' '); }
};

std::vector<TextColumn> textColumnsOf(const std::vector<store::ExperimentRow> &rows)
{
    std::vector<TextColumn> columns{{"what", whatOf}, {"teacher", teacherOf}};
    for (TextColumn &column : columns) {
        column.width = column.head.size();
        for (const store::ExperimentRow &row : rows)
            column.width = std::max(column.width, std::min(widestText, column.text(row).size()));
    }
    return columns;
}

void printRow(const store::ExperimentRow &row, const std::vector<TextColumn> &texts, const std::vector<MeasureColumn> &columns)
{
    std::cout << shownName(row.uuid.substr(0, 8)) << (row.pinned ? " *" : "  ") << (row.locked ? "L " : "  ") << localTime(row.startedSeconds) << formatted("  %-11s  %-13s  ", store::statusName(row.status), shownName(row.kind).c_str())
              << countCell(row.keep) << "  " << countCell(row.seed);
    for (const TextColumn &column : texts)
        std::cout << column.padded(column.text(row));
    for (const MeasureColumn &column : columns) {
        const auto value = measure(row, column.name);
        std::cout << "  " << numberText(value ? nlohmann::json(*value) : nlohmann::json(), column.decimals, widthOf(column));
    }
    std::cout << "  " << shownName(row.name) << (row.task.empty() ? "" : " > " + shownName(row.task)) << (row.tags.empty() ? "" : "  [" + shownName(joined(row.tags, ", ")) + "]") << '\n';
}

std::vector<std::string> measuresOf(const std::vector<store::ExperimentRow> &rows)
{
    std::set<std::string> names;
    for (const store::ExperimentRow &row : rows)
        for (const auto &[name, value] : row.measures)
            names.insert(name);
    return {names.begin(), names.end()};
}

/// Why runs failed, by their UUIDs.
using Failures = std::map<std::string, nlohmann::json>;

Failures failuresIn(const store::Workspace &workspace, bool trashed)
{
    store::RunFilter failed;
    failed.status = store::RunStatus::Failed;
    failed.trashed = trashed;
    Failures found;
    for (const store::Run &run : workspace.runs(failed))
        found[run.uuid] = {{"code", run.failureCode}, {"message", run.failureMessage}};
    return found;
}

void list(std::vector<store::ExperimentRow> rows, const RunsCommand &command, const Failures &failures)
{
    const bool any = !rows.empty();
    const store::ExperimentQuery query(joined(command.words, " "), measuresOf(rows));
    std::erase_if(rows, [&](const store::ExperimentRow &row) { return !query.matches(row); });
    if (command.json) {
        nlohmann::json all = nlohmann::json::array();
        for (const store::ExperimentRow &row : rows) {
            all.push_back(rowJson(row));
            if (const auto why = failures.find(row.uuid); why != failures.end() && row.status == store::RunStatus::Failed)
                all.back()["failure"] = why->second;
        }
        std::cout << documentText(all) << '\n';
        return;
    }
    if (rows.empty()) {
        std::cout << (any ? "No experiment is like that.\n" : command.trash ? "The trash is empty.\n" : "No runs yet: stillroom-cli demo makes some.\n");
        return;
    }
    const std::vector<MeasureColumn> columns = columnsOf(rows);
    const std::vector<TextColumn> texts = textColumnsOf(rows);
    std::cout << formatted("%-8s    %-16s  %-11s  %-13s  %4s  %4s", "run", "started", "status", "kind", "K", "seed");
    for (const TextColumn &column : texts)
        std::cout << column.padded(column.head);
    for (const MeasureColumn &column : columns)
        std::cout << formatted("  %*s", widthOf(column), column.head.c_str());
    std::cout << "  name\n";
    for (const store::ExperimentRow &row : rows)
        printRow(row, texts, columns);
}

/// Of a stage its own times, device and status: one that handed back a result is finished, whatever became of the run; another one ended as the run did.
nlohmann::json stageJson(const store::Workspace &workspace, const store::RunReference &found)
{
    nlohmann::json shown = runJson(found.run);
    shown["run_status"] = shown["status"];
    const std::vector<store::TaskInfo> tasks = workspace.tasks(found.run.uuid);
    const auto task = std::find_if(tasks.begin(), tasks.end(), [&](const store::TaskInfo &one) { return one.task == found.task; });
    if (task == tasks.end())
        return shown;
    if (task->isFinished())
        shown["status"] = store::statusName(store::RunStatus::Finished);
    shown["started"] = task->startedSeconds ? nlohmann::json(*task->startedSeconds) : nlohmann::json();
    const std::optional<double> ended = task->finishedSeconds ? task->finishedSeconds : found.run.finishedSeconds;
    shown["finished"] = ended ? nlohmann::json(*ended) : nlohmann::json();
    if (!task->device.empty())
        shown.update({{"device", task->device}, {"compute_type", task->computeType}});
    return shown;
}

void showRun(const store::Workspace &workspace, const std::string &name)
{
    const store::RunReference found = store::findReference(workspace, name);
    const store::Run &run = found.run;
    nlohmann::json shown = found.isStage() ? stageJson(workspace, found) : runJson(run);
    shown["task"] = found.task;
    shown["kind"] = found.kind;
    shown["key"] = found.key;
    shown["spec"] = nlohmann::json::parse(found.specJson, nullptr, false);
    shown["result"] = nlohmann::json::parse(found.resultJson, nullptr, false);
    if (!run.failureMessage.empty() && shown.at("status") == store::statusName(run.status))      // else the stage ended well, and a later one failed
        shown["failure"] = {{"code", run.failureCode}, {"message", run.failureMessage}};
    std::cout << documentText(shown) << '\n';
}

nlohmann::json specOf(const store::RunReference &run) { return nlohmann::json::parse(run.specJson, nullptr, false); }

void showDifferences(const store::RunReference &before, const store::RunReference &after, bool json)
{
    const auto all = experiment::differences(specOf(before), specOf(after));
    nlohmann::json list = nlohmann::json::array();
    for (const experiment::Difference &one : all) {
        list.push_back({{"path", one.path}, {"before", one.before.empty() ? nlohmann::json() : nlohmann::json::parse(one.before, nullptr, false)},
                        {"after", one.after.empty() ? nlohmann::json() : nlohmann::json::parse(one.after, nullptr, false)}});
        if (!json)
            std::cout << shownName(one.path) << ": " << (one.before.empty() ? unknownText : shownName(one.before)) << " -> " << (one.after.empty() ? unknownText : shownName(one.after)) << '\n';
    }
    if (json)
        std::cout << documentText(list) << '\n';
    else if (all.empty())
        std::cout << "The specs of both are equal.\n";
}

std::uintmax_t bytesIn(const std::filesystem::path &folder)
{
    std::error_code none;
    std::uintmax_t bytes = 0;
    for (std::filesystem::recursive_directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none))
        if (entry->is_regular_file(none))
            bytes += entry->file_size(none);
    return bytes;
}

void purge(store::Workspace &workspace, const store::Run &run)
{
    const std::uintmax_t bytes = bytesIn(store::runFolder(workspace.folder(), run.uuid));
    workspace.purge(run.uuid);
    std::cerr << "Run " << shownName(run.uuid) << " is gone for good: " << byteText(static_cast<double>(bytes)) << " of its own; the artifacts that it made stay.\n";
}

/// Those of `words` that are, or are not, tags of the run.
std::vector<std::string> tagsAmong(const std::vector<std::string> &words, const store::Run &run, bool wanted)
{
    std::vector<std::string> found;
    for (const std::string &word : words)
        if ((std::find(run.tags.begin(), run.tags.end(), word) != run.tags.end()) == wanted)
            found.push_back(word);
    return found;
}

/// What there was nothing to do about, as `run` was before; empty where all was done.
std::string idleText(const std::string &action, const store::Run &run, const std::vector<std::string> &rest)
{
    if (action == "tag" || action == "untag") {
        const std::vector<std::string> idle = tagsAmong(rest, run, action == "tag");
        return idle.empty() ? std::string() : (action == "tag" ? "had the tag \"" : "did not have the tag \"") + shownName(joined(idle, "\", \"")) + '"' + (action == "tag" ? " before" : "");
    }
    if (action == "trash" && run.trashed)
        return "was in the trash before";
    if (action == "restore" && !run.trashed)
        return "was not in the trash";
    if ((action == "pin" && run.pinned) || (action == "unpin" && !run.pinned))
        return action == "pin" ? "was pinned before" : "was not pinned";
    if ((action == "lock" && run.locked) || (action == "unlock" && !run.locked))
        return action == "lock" ? "was locked before" : "was not locked";
    return {};
}

/// What was done, in one line, so that a typing error shows.
std::string doneText(const std::string &action, const std::vector<std::string> &rest)
{
    const std::string words = "\"" + shownName(joined(rest, action == "tag" || action == "untag" ? "\", \"" : " ")) + "\"";
    if (action == "name")
        return "is called " + words;
    if (action == "note")
        return rest.empty() ? "has no note now" : "has the note " + words;
    if (action == "tag" || action == "untag")
        return (action == "tag" ? "has the tag " : "has no longer the tag ") + words;
    if (action == "pin" || action == "unpin")
        return action == "pin" ? "is pinned" : "is not pinned";
    if (action == "lock" || action == "unlock")
        return action == "lock" ? "is locked: it cannot be renamed, thrown away or purged (stillroom-cli runs unlock takes that back)" : "is not locked";
    if (action == "restore")
        return "is back from the trash";
    return "is in the trash (stillroom-cli runs restore brings it back)";
}

/// What `action` does with one run; `rest` is what stands behind it.
void change(store::Workspace &workspace, const std::string &action, const store::Run &run, const std::vector<std::string> &rest)
{
    if (action == "name") {
        workspace.setName(run.uuid, joined(rest, " "));
        sayIfNamedBefore(workspace, joined(rest, " "), run.uuid);
    } else if (action == "note")
        workspace.setNotes(run.uuid, joined(rest, " "));
    else if (action == "tag")
        for (const std::string &tag : rest)
            workspace.addTag(run.uuid, tag);
    else if (action == "untag")
        for (const std::string &tag : rest)
            workspace.removeTag(run.uuid, tag);
    else if (action == "pin" || action == "unpin")
        workspace.setPinned(run.uuid, action == "pin");
    else if (action == "lock" || action == "unlock")
        workspace.setLocked(run.uuid, action == "lock");
    else if (action == "trash" || action == "restore")
        workspace.setTrashed(run.uuid, action == "trash");
    else
        return purge(workspace, run);
    const std::string idle = idleText(action, run, rest);
    if (!idle.empty())
        std::cerr << "Run " << shownName(run.uuid) << ' ' << idle << '\n';
    const bool aboutTags = action == "tag" || action == "untag";
    const std::vector<std::string> done = aboutTags ? tagsAmong(rest, run, action == "untag") : rest;
    if (idle.empty() || (aboutTags && !done.empty()))
        std::cerr << "Run " << shownName(run.uuid) << ' ' << doneText(action, done) << '\n';
}

/// Names, tags, locks and the trash belong to a run as a whole. \throws Error(Usage) where a stage is meant, so that nobody throws away more than was named
store::Run wholeRun(const store::Workspace &workspace, const std::string &text, const std::string &action)
{
    if (action == "restore" || action == "purge")        // what they are about lies in the trash, where a name that is used again may lie, too
        if (const auto trashed = store::findTrashedIfAny(workspace, text))
            return *trashed;
    const store::RunReference found = store::findReference(workspace, text);
    if (found.isStage())
        throw Error(ErrorCode::Usage, "\"" + shownName(text) + "\" is a stage of the run " + found.run.uuid + ", and one can " + action + " a run only as a whole: name the run");
    return found.run;
}

/// Of these every word is a run; of the others the first one is.
bool takesRuns(const std::string &action)
{
    return action == "pin" || action == "unpin" || action == "lock" || action == "unlock" || action == "trash" || action == "restore" || action == "purge";
}

void change(store::Workspace &workspace, const RunsCommand &command)
{
    if (takesRuns(command.action)) {
        std::vector<store::Run> all;                     // found before the first is changed
        for (const std::string &word : command.words)
            all.push_back(wholeRun(workspace, word, command.action));
        for (const store::Run &run : all)
            change(workspace, command.action, run, {});
        return;
    }
    const std::vector<std::string> rest(command.words.begin() + 1, command.words.end());
    if (rest.empty() && command.action != "note")        // an empty note is none
        throw Error(ErrorCode::Usage, "say what to " + command.action + " the run: stillroom-cli runs " + command.action + " RUN " + (command.action == "name" ? "NAME" : "TAG"));
    change(workspace, command.action, wholeRun(workspace, command.words.front(), command.action), rest);
}

}  // namespace

std::vector<std::string> runsActions() { return {"list", "show", "diff", "name", "tag", "untag", "note", "pin", "unpin", "lock", "unlock", "trash", "restore", "purge"}; }

int runs(const RunsCommand &command)
{
    const bool lists = command.action == "list", shows = command.action == "show" || command.action == "diff";
    const std::size_t wanted = lists ? 0 : command.action == "diff" ? 2 : 1;
    if (command.words.size() < wanted || (shows && command.words.size() > wanted))
        throw Error(ErrorCode::Usage, wanted == 2 ? "say which two runs to compare: UUIDs, unique prefixes, names or stages" : "say which run to " + command.action + ": a UUID, a unique prefix, a name or a stage");
    const std::filesystem::path folder = workspaceOr(command.workspace);
    if (lists && !isWorkspaceThere(folder)) {      // looking makes no workspace
        list({}, command, {});
        return 0;
    }
    requireWorkspace(folder, "name the one that holds the run with --workspace");
    store::Workspace workspace(folder);
    if (lists)
        list(store::experimentRows(workspace, command.trash), command, failuresIn(workspace, command.trash));
    else if (command.action == "show")
        showRun(workspace, command.words.front());
    else if (command.action == "diff")
        showDifferences(store::findReference(workspace, command.words[0]), store::findReference(workspace, command.words[1]), command.json);
    else
        change(workspace, command);
    return 0;
}

}  // namespace stillroom::cli
