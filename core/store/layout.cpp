// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/layout.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "shownname.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>

namespace stillroom::store {

namespace {

bool isStored(const std::filesystem::path &path, const std::filesystem::path &workspace)
{
    std::error_code unknown;
    const std::filesystem::path within = std::filesystem::weakly_canonical(path, unknown).lexically_relative(std::filesystem::weakly_canonical(workspace, unknown));
    if (within.empty())
        return false;
    const std::string first = within.begin()->string();
    return first == "artifacts" || first == "runs" || first == "checkpoints" || first.starts_with(databaseFile(workspace).filename().string());
}

bool isUuid(const std::string &text)
{
    if (text.size() != 36)
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isDash = i == 8 || i == 13 || i == 18 || i == 23;
        const char c = text[i];
        if (isDash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
    }
    return true;
}

}  // namespace

std::filesystem::path databaseFile(const std::filesystem::path &workspace)
{
    return workspace / "stillroom.db";
}

std::filesystem::path artifactsFolder(const std::filesystem::path &workspace)
{
    return workspace / "artifacts";
}

std::filesystem::path runsFolder(const std::filesystem::path &workspace)
{
    return workspace / "runs";
}

std::filesystem::path runFolder(const std::filesystem::path &workspace, const std::string &run)
{
    if (!isUuid(run))
        throw Error(ErrorCode::Usage, "A run is named by a UUID of lower-case digits, which " + experiment::compactJson(run.substr(0, 40)) + " is not.");
    return runsFolder(workspace) / run;
}

std::filesystem::path eventsFile(const std::filesystem::path &workspace, const std::string &run)
{
    return runFolder(workspace, run) / "events.jsonl";
}

void refuseStored(const std::filesystem::path &out, const std::filesystem::path &workspace, const std::string &kind)
{
    if (isStored(out, workspace))
        throw Error(ErrorCode::Usage, "--out is where the workspace keeps what runs made, \"" + shownName(out.string()) + "\": name a " + kind + " elsewhere");
}

bool staysInside(const std::filesystem::path &path)
{
    return !path.empty() && path.is_relative() && std::none_of(path.begin(), path.end(), [](const std::filesystem::path &part) { return part == ".."; });
}

}  // namespace stillroom::store
