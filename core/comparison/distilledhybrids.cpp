// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/distilledhybrids.h"

#include "comparison/resultfile.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/studentkl.h"
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

/// Stages of versions before these hashes were kept are known by the settings that sequences and start came of: the same settings make the same ones while the
/// files behind them stay, and a hash is never equal to settings.
std::string heldOutOf(const nlohmann::json &result, const nlohmann::json &spec)
{
    const std::string hash = experiment::textIn(result, "held_out_hash");
    return hash.empty() ? experiment::compactJson(spec.at("data")) : hash;
}

std::string startOf(const nlohmann::json &result, const nlohmann::json &spec)
{
    std::string key = experiment::textIn(result, "aligned");
    if (key.empty())
        key = experiment::textIn(spec, "init");
    return key.empty() ? experiment::compactJson({spec.at("alignment"), spec.at("data"), spec.at("seed")}) : key;
}

HybridConditions conditionsOf(const nlohmann::json &result, const nlohmann::json &spec, experiment::StudentKl &student)
{
    const nlohmann::json loss = {{"temperature", spec.at("temperature")}, {"ce_weight", spec.at("ce_weight")}, {"reverse_kl_weight", spec.at("reverse_kl_weight")}};
    return {result.at("tokens").get<std::int64_t>(), heldOutOf(result, spec), startOf(result, spec), spec.at("seed").get<std::int64_t>(), experiment::compactJson(spec.at("mixer")), experiment::compactJson(loss), std::move(student.countedTokens_S)};
}

/// What a stage in this folder distilled; empty for one that did something else, for another teacher, probe or layers.
std::optional<DistilledHybrid> hybridIn(const fs::path &folder, const std::string &teacherHash, const std::string &mixer, const experiment::Ranking &ranking)
{
    const nlohmann::json result = readResultFile(folder / "result.json", "its result.json");
    if (experiment::textIn(result, "kind") != "distill" || experiment::textIn(result, "teacher_hash") != teacherHash || experiment::textIn(result, "mixer") != mixer)
        return std::nullopt;
    experiment::StudentKl student = experiment::studentKlFromJson(readResultFile(folder / "curve.json", "its curve.json"));
    const auto keep = static_cast<int>(student.kept.size());
    const bool isWanted = result.at("tokens").get<std::int64_t>() > 0 && !student.klNats_ES.empty() && keep <= static_cast<int>(ranking.size()) && student.kept == experiment::topLayers(ranking, keep);
    if (!isWanted)
        return std::nullopt;
    HybridConditions conditions = conditionsOf(result, readResultFile(folder / "model" / "spec.json", "its model/spec.json"), student);
    return DistilledHybrid{folder.filename().string(), std::move(conditions), std::move(student.kept), std::move(student.klNats_ES.back())};
}

/// A draft, which another process may be writing, is none, nor is a stage of which files were lost.
bool isResult(const fs::path &folder, const store::StageCache &stages)
{
    const std::string name = folder.filename().string();
    return !name.starts_with('.') && (!store::isStageKey(name) || stages.findStage(name));
}

bool isOf(const HybridConditions &hybrid, const ScoringOrigin &origin)
{
    return (origin.start.empty() || hybrid.start == origin.start) && (!origin.seed || hybrid.seed == *origin.seed);
}

std::size_t &placeOf(HybridsLeftOut &leftOut, const HybridConditions &shown, const HybridConditions &other)
{
    if (other.heldOut != shown.heldOut || other.countedTokens_S != shown.countedTokens_S)
        return leftOut.otherSequences;
    if (other.start != shown.start)
        return leftOut.otherStart;
    if (other.seed != shown.seed)
        return leftOut.otherSeed;
    if (other.mixer != shown.mixer)
        return leftOut.otherMixer;
    return other.loss != shown.loss ? leftOut.otherLoss : leftOut.otherTokens;
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
            tell(entry.path(), "its result.json or model/spec.json is not as this program writes it.");
        }
    }
    // A folder is listed in any order, and which of two of one size is taken must not hang on that.
    std::sort(hybrids.begin(), hybrids.end(), [](const DistilledHybrid &a, const DistilledHybrid &b) { return a.key < b.key; });
    return hybrids;
}

ScoringOrigin originOf(const nlohmann::json &result, std::optional<std::int64_t> seed)
{
    return {experiment::textIn(result, "aligned"), seed};
}

ComparableHybrids comparable(const std::vector<DistilledHybrid> &hybrids, const ScoringOrigin &origin)
{
    std::map<HybridConditions, std::map<std::size_t, const DistilledHybrid *>> groups;
    for (const DistilledHybrid &hybrid : hybrids)
        groups[hybrid.conditions].emplace(hybrid.kept.size(), &hybrid);
    ComparableHybrids found;
    const auto worth = [&](const auto &group) { return std::tuple(isOf(group.first, origin), group.second.size(), group.first.tokens); };
    const auto most = std::max_element(groups.begin(), groups.end(), [&](const auto &a, const auto &b) { return worth(a) < worth(b); });
    if (most == groups.end())
        return found;
    found.isOwn = isOf(most->first, origin);
    for (const auto &[keep, hybrid] : most->second)
        found.byKeep.push_back(*hybrid);
    for (const DistilledHybrid &hybrid : hybrids)
        if (most->first != hybrid.conditions)
            ++placeOf(found.leftOut, most->first, hybrid.conditions);
        else if (most->second.at(hybrid.kept.size()) != &hybrid)
            ++found.leftOut.second;
    return found;
}

std::string leftOutText(const HybridsLeftOut &leftOut)
{
    std::string text;
    const auto say = [&](std::size_t count, const char *what) {
        if (count > 0)
            text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + what;
    };
    say(leftOut.otherSequences, "measured on other sequences");
    say(leftOut.otherStart, "of another start");
    say(leftOut.otherSeed, "of another seed");
    say(leftOut.otherMixer, "with other mixer options");
    say(leftOut.otherLoss, "trained with another loss");
    say(leftOut.otherTokens, "trained on another number of tokens");
    say(leftOut.second, leftOut.second == 1 ? "a second one of its size" : "further ones of their size");
    say(leftOut.unreadable, "unreadable");
    return text;
}

}  // namespace stillroom::comparison
