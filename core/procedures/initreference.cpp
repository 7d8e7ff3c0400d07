// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/initreference.h"

#include "error.h"
#include "experiment/spec.h"
#include "folders.h"
#include "shownname.h"
#include "store/runartifacts.h"
#include "store/stagecache.h"
#include "store/layout.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace stillroom::procedures {
namespace fs = std::filesystem;

namespace {

/// Only what holds mixers can be meant: other artifacts that begin so do not stand in the way.
std::vector<std::string> startsThatBegin(const std::string &digits, const fs::path &workspace)
{
    std::vector<std::string> keys = store::artifactsThatBegin(digits, workspace);
    std::erase_if(keys, [&](const std::string &key) { return !isFileThere(store::artifactsFolder(workspace) / key / "aligned.json"); });
    return keys;
}

std::string theOne(const std::string &init, const std::vector<std::string> &keys, const std::string &what)
{
    if (keys.size() > 1)
        throw Error(ErrorCode::Usage, "init is \"" + shownName(init) + "\", " + what + " " + std::to_string(keys.size()) + " align or calibrate stages (" + store::shortKeys(keys) + "): give more of the key of the one that is meant");
    return keys.front();
}

std::string keyOfInit(const std::string &init, const fs::path &workspace)
{
    if (store::isStageKey(init) || !experiment::stageReference(init).empty())
        return init;
    if (const std::vector<std::string> keys = startsThatBegin(init, workspace); !keys.empty())
        return theOne(init, keys, "with which begin the keys of");
    const auto run = store::runCalled(init, workspace);
    if (!run)
        throw Error(ErrorCode::Usage, "init is \"" + shownName(init) + "\", but no align or calibrate stage of this workspace is called so: give its run, or its key or the beginning of it, or leave init out");
    const std::vector<std::string> keys = store::keysMadeBy(*run, {"align", "calibrate"}, workspace);
    if (keys.empty())
        throw Error(ErrorCode::Usage, "init is the run \"" + shownName(init) + "\", which has no finished align or calibrate stage: run it to its end with --resume, or name another run or a stage's key");
    return theOne(init, keys, "a run with");
}

}  // namespace

nlohmann::json withInitKeys(nlohmann::json spec, const fs::path &workspace)
{
    if (const auto init = spec.find("init"); init != spec.end() && init->is_string())
        *init = keyOfInit(init->get<std::string>(), workspace);
    if (spec.at("kind") == "pipeline")
        for (nlohmann::json &stage : spec.at("stages"))
            stage["spec"] = withInitKeys(stage.at("spec"), workspace);
    return spec;
}

}  // namespace stillroom::procedures
