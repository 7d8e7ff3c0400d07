// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "error.h"
#include "folders.h"
#include "formatted.h"
#include "procedures/computerdescription.h"
#include "procedures/devicecheck.h"
#include "publicfiles.h"
#include "shownname.h"
#include "store/recorder.h"
#include "store/reindex.h"
#include "store/workspace.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::cli {

namespace {

/// Fills `report` as far as the workspace can be seen. \throws as store::Workspace
void describeWorkspace(const std::filesystem::path &workspace, nlohmann::json &report)
{
    report["path"] = workspace.string();
    report["exists"] = isWorkspaceThere(workspace);
    if (!report.at("exists").get<bool>())
        return;
    const store::Workspace opened(workspace);
    report["read_only"] = opened.isReadOnly();
    report["runs"] = opened.runs().size();
    if (!opened.isReadOnly()) {
        const store::Recorder recorder(workspace);
        report["held_by"] = recorder.isRecording() ? "nobody else" : recorder.holder();
    }
}

}  // namespace

int doctor(const std::filesystem::path &given, bool json)
{
    nlohmann::json report = procedures::describeComputer();
    std::string problems;
    report["devices"] = nlohmann::json::array();
    for (const procedures::DeviceCheck &check : procedures::checkDevices()) {
        report["devices"].push_back(procedures::toJson(check));
        if (!check.problem.empty())
            problems += check.device + " did not pass its test: " + check.problem + '\n';
        if (!check.untested.empty())
            std::cerr << shownText(check.device + " could not be tested: " + check.untested + '\n');
    }
    std::optional<Error> unreadable;      // told after the report, which says what else there is
    try {
        describeWorkspace(workspaceOr(given), report["workspace"]);
    } catch (const Error &error) {
        unreadable = error;
    }
    report["cache"] = cacheFolder().string();
    report["resources"] = {{"path", resourceFolder().string()}, {"demo_teacher", isFileThere(resourceFolder() / "demo" / "teacher" / "config.json")}};
    if (json)
        std::cout << documentText(report) << '\n';
    else
        for (const auto &[name, value] : report.items())
            std::cout << name << ": " << shownLine(value.is_string() ? value.get<std::string>() : value.dump()) << '\n';
    std::cerr << shownText(problems);
    if (unreadable)
        throw *unreadable;
    return problems.empty() ? 0 : exitStatus(ErrorCode::Failed);
}

namespace {

std::string joined(const std::vector<std::string> &runs)
{
    std::string list;
    for (const std::string &run : runs)
        list += (list.empty() ? "" : ", ") + run;
    return shownLine(list);
}

/// Runs that were not rebuilt: one sentence.
std::string keptText(const std::vector<std::string> &runs)
{
    return counted(std::ssize(runs), "run") + " kept the rows that the database had, since lines that they came from are damaged or gone: bring back an events.jsonl that holds more, if a backup has one, for " +
           joined(runs);
}

/// Runs that came out of the damaged database as names alone: one sentence.
std::string goneText(const std::vector<std::string> &runs)
{
    return "Of " + counted(std::ssize(runs), "run") + " that the damaged database names no lines are there, so nothing of them could be rebuilt: bring back from a backup, if there is one, the folders in runs of " +
           joined(runs);
}

/// How much of what a person said of runs came out of a damaged database, what may be lost, and where the old file is: one sentence.
std::string broughtOverText(const store::BroughtOver &over, const std::filesystem::path &kept)
{
    const std::string place = "the old file is kept at " + shownLine(kept.string());
    if (over.isNothing)
        return "Nothing could be read of the damaged database: names, notes, tags, pins, locks and the trash that were set by hand are gone; " + place;
    std::string counts, cut;
    for (const auto &[what, number] : {std::pair("names", over.names), {"notes", over.notes}, {"tags", over.tags}, {"pins", over.pins}, {"locks", over.locks}, {"runs in the trash", over.trashed}})
        counts += (counts.empty() ? "" : ", ") + std::string(what) + ": " + std::to_string(number);
    for (const std::string &what : over.cut)
        cut += (cut.empty() ? "" : "; ") + what;
    return "Brought over from the damaged database (" + counts + ")" + (cut.empty() ? "; " : ", but some may be lost, since these could not be read to their end: " + cut + "; ") + place;
}

}  // namespace

int reindex(const std::filesystem::path &given)
{
    const std::filesystem::path workspace = workspaceOr(given);
    requireWorkspace(workspace, "name the one whose runs are to be read again with --workspace");
    const store::ReindexResult result = store::reindex(workspace);
    std::cout << counted(result.numRuns, "run") << " rebuilt from " << (result.numRuns == 1 ? "its" : "their") << " lines\n";
    if (result.numUnreadableLines > 0)
        std::cerr << counted(result.numUnreadableLines, "line") << " could not be read and " << (result.numUnreadableLines == 1 ? "was" : "were") << " left out\n";
    if (!result.kept.empty())
        std::cerr << keptText(result.kept) << '\n';
    if (!result.damagedDatabase.empty())
        std::cerr << shownLine(result.damage) << '\n' << broughtOverText(result.broughtOver, result.damagedDatabase) << '\n';
    if (!result.broughtOver.gone.empty())
        std::cerr << goneText(result.broughtOver.gone) << '\n';
    return 0;
}

int fetchAll(const std::vector<std::string> &names)
{
    for (const std::string &name : names)
        fetch(name, [](const std::string &line) { std::cerr << line << '\n'; });
    return 0;
}

}  // namespace stillroom::cli
