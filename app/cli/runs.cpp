// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "error.h"
#include "folders.h"
#include "shownname.h"
#include "store/workspace.h"

#include <nlohmann/json.hpp>

#include <array>
#include <ctime>
#include <iostream>

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
            {"threads", run.threads}, {"version", run.version}, {"tags", run.tags}, {"notes", run.notes}, {"key", run.key}};
}

/// Also where a damaged database holds bytes that are not UTF-8.
std::string documentText(const nlohmann::json &json)
{
    return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void listRuns(const std::vector<store::Run> &runs, bool json)
{
    nlohmann::json all = nlohmann::json::array();
    for (const store::Run &run : runs) {
        all.push_back(runJson(run));
        if (!json)
            std::cout << shownName(run.uuid.substr(0, 8)) << "  " << localTime(run.startedSeconds) << "  " << store::statusName(run.status) << "  " << shownName(run.kind) << "  " << shownName(run.name) << '\n';
    }
    if (json)
        std::cout << documentText(all) << '\n';
    else if (all.empty())
        std::cout << "No runs yet: stillroom-cli demo makes some.\n";
}

void showRun(const store::Workspace &workspace, const std::string &name)
{
    const store::Run run = workspace.findRun(name);
    nlohmann::json shown = runJson(run);
    shown["spec"] = nlohmann::json::parse(run.specJson, nullptr, false);
    shown["result"] = nlohmann::json::parse(run.resultJson, nullptr, false);
    if (!run.failureMessage.empty())
        shown["failure"] = {{"code", run.failureCode}, {"message", run.failureMessage}};
    std::cout << documentText(shown) << '\n';
}

}  // namespace

int runs(const RunsCommand &command)
{
    if (command.action == "show" && command.run.empty())
        throw Error(ErrorCode::Usage, "say which run to show: a UUID, a unique prefix or a name");
    const std::filesystem::path folder = command.workspace.empty() ? defaultWorkspace() : command.workspace;
    if (!isThere(folder) && command.action == "list") {      // looking makes no workspace
        listRuns({}, command.json);
        return 0;
    }
    if (!isThere(folder))
        throw Error(ErrorCode::Usage, "there is no workspace at \"" + folder.string() + "\": name the one that holds the run with --workspace");
    const store::Workspace workspace(folder);
    if (command.action == "show")
        showRun(workspace, command.run);
    else
        listRuns(workspace.runs(), command.json);
    return 0;
}

}  // namespace stillroom::cli
