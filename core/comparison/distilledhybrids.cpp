// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/distilledhybrids.h"

#include "comparison/stageresult.h"
#include "comparison/studentkl.h"
#include "error.h"
#include "folders.h"
#include "store/layout.h"
#include "store/stagecache.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

namespace stillroom::comparison {
namespace fs = std::filesystem;
namespace {

/// What a stage in this folder distilled; empty for one that did something else, for another teacher, probe or layers.
std::optional<DistilledHybrid> hybridIn(const fs::path &folder, const std::string &teacherHash, const std::string &mixer, const experiment::Ranking &ranking)
{
    const nlohmann::json result = stageResult(folder / "result.json", "its result.json");
    if (textIn(result, "kind") != "distill" || textIn(result, "teacher_hash") != teacherHash || textIn(result, "mixer") != mixer)
        return std::nullopt;
    const auto tokens = result.at("tokens").get<std::int64_t>();
    StudentKl student = studentKl(stageResult(folder / "curve.json", "its curve.json"));
    const auto keep = static_cast<int>(student.kept.size());
    const bool isWanted = tokens > 0 && !student.klNats_ES.empty() && keep <= static_cast<int>(ranking.size()) && student.kept == experiment::topLayers(ranking, keep);
    if (!isWanted)
        return std::nullopt;
    return DistilledHybrid{folder.filename().string(), tokens, std::move(student.kept), std::move(student.klNats_ES.back()), std::move(student.countedTokens_S)};
}

/// A draft, which another process may be writing, is none, nor is a stage of which files were lost.
bool isResult(const fs::path &folder, const store::StageCache &stages)
{
    const std::string name = folder.filename().string();
    return !name.starts_with('.') && (!store::isStageKey(name) || stages.findStage(name));
}

}  // namespace

std::vector<DistilledHybrid> distilledHybrids(const fs::path &workspace, const std::string &teacherHash, const std::string &mixer, const experiment::Ranking &ranking, const LeftOut &leftOut)
{
    std::vector<DistilledHybrid> hybrids;
    const auto tell = [&](const fs::path &folder, const std::string &why) {
        if (leftOut)
            leftOut(folder, why);
    };
    const store::StageCache stages(workspace);
    std::error_code none;
    for (const fs::directory_entry &entry : fs::directory_iterator(store::artifactsFolder(workspace), none)) {
        if (!isFileThere(entry.path() / "curve.json") || !isFileThere(entry.path() / "result.json") || !isResult(entry.path(), stages))
            continue;
        try {
            if (auto hybrid = hybridIn(entry.path(), teacherHash, mixer, ranking))
                hybrids.push_back(std::move(*hybrid));
        } catch (const Error &error) {
            tell(entry.path(), error.what());
        } catch (const nlohmann::json::exception &) {
            tell(entry.path(), "its result.json is not as this program writes it.");
        }
    }
    // A folder is listed in any order, and which of two of one size is taken must not hang on that.
    std::sort(hybrids.begin(), hybrids.end(), [](const DistilledHybrid &a, const DistilledHybrid &b) { return a.key < b.key; });
    return hybrids;
}

std::vector<DistilledHybrid> comparable(const std::vector<DistilledHybrid> &hybrids)
{
    std::map<std::tuple<std::int64_t, std::vector<std::int64_t>>, std::map<std::size_t, const DistilledHybrid *>> groups;
    for (const DistilledHybrid &hybrid : hybrids)
        groups[{hybrid.tokens, hybrid.countedTokens_S}].emplace(hybrid.kept.size(), &hybrid);
    const std::map<std::size_t, const DistilledHybrid *> *most = nullptr;
    for (const auto &[what, group] : groups)
        if (!most || group.size() >= most->size())      // by tokens: of groups of as many sizes the one that was trained longest
            most = &group;
    std::vector<DistilledHybrid> byKeep;
    if (most)
        for (const auto &[keep, hybrid] : *most)
            byKeep.push_back(*hybrid);
    return byKeep;
}

}  // namespace stillroom::comparison
