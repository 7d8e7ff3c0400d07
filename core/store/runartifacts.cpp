// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/runartifacts.h"

#include "error.h"
#include "folders.h"
#include "store/layout.h"
#include "store/workspace.h"

#include <algorithm>
#include <set>
#include <system_error>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t fewestKeyDigits = 4;      // as of a run's identifier
constexpr std::size_t shownKeys = 4, shownDigits = 12;

bool isAmong(const std::string &role, const std::vector<std::string_view> &roles) { return std::find(roles.begin(), roles.end(), role) != roles.end(); }

}  // namespace

std::optional<RunReference> runCalled(const std::string &text, const fs::path &workspace)
{
    if (text.empty() || !isFileThere(databaseFile(workspace)))
        return std::nullopt;
    const Workspace opened(workspace);
    auto found = findReferenceIfAny(opened, text);
    if (!found)
        refuseTrashed(opened, text);
    return found;
}

std::vector<std::string> keysMadeBy(const RunReference &run, const std::vector<std::string_view> &roles, const fs::path &workspace)
{
    const Workspace opened(workspace);
    const bool isOfStage = run.isStage() && isAmong(run.kind, roles);
    std::vector<std::string> keys;
    for (const StoredArtifact &one : opened.artifacts(run.run.uuid))
        if (isAmong(one.artifact.role, roles) && (!isOfStage || one.task == run.task) && std::find(keys.begin(), keys.end(), one.artifact.hash) == keys.end())
            keys.push_back(one.artifact.hash);
    return keys;
}

std::vector<std::string> artifactsThatBegin(const std::string &digits, const fs::path &workspace)
{
    std::set<std::string> found;
    std::error_code none;
    if (digits.size() >= fewestKeyDigits)
        for (const fs::directory_entry &entry : fs::directory_iterator(artifactsFolder(workspace), none))
            if (std::string key = entry.path().filename().string(); key.starts_with(digits))
                found.insert(std::move(key));
    return {found.begin(), found.end()};
}

std::string shortKeys(const std::vector<std::string> &keys)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(keys.size(), shownKeys); ++i)
        text += (i == 0 ? "" : ", ") + keys[i].substr(0, shownDigits);
    return keys.size() > shownKeys ? text + " and " + std::to_string(keys.size() - shownKeys) + " more" : text;
}

}  // namespace stillroom::store
