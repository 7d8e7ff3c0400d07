// SPDX-License-Identifier: GPL-3.0-or-later
// How many layers to keep: KL against K, of hybrids that were distilled and as the scores predict it.
#include "analysis/intervals.h"
#include "analysis/klcurve.h"
#include "commands.h"
#include "comparison/klagainstk.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "folders.h"
#include "formatted.h"
#include "procedures/keptlayers.h"
#include "scoresource.h"
#include "shownname.h"
#include "store/layout.h"
#include "store/runreference.h"
#include "store/workspace.h"
#include "storedcurves.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <vector>

namespace stillroom::cli {
namespace fs = std::filesystem;
namespace {

void sayLeftOut(const fs::path &folder, const std::string &why)
{
    std::cerr << "\"" << shownLine(folder.string()) << "\" is left out, since it cannot be read: " << shownLine(why) << " Distil that hybrid again with --fresh.\n";
}

nlohmann::json pointOf(int keep, const analysis::Interval &mean)
{
    return {{"keep", keep}, {"kl_nats", mean.mean}, {"se_nats", mean.se}, {"low", mean.low}, {"high", mean.high}, {"n", mean.n}};
}

/// Below L: with all its layers the hybrid is the teacher, and its KL is 0 without a guess.
/// Null where a prediction is not above 0: there the gains add up to more than there was to gain, and it says nothing.
nlohmann::json predictedPoints(const analysis::KlCurve &curve)
{
    nlohmann::json points = nlohmann::json::array();
    const std::vector<analysis::Interval> means = analysis::meanKl(curve);
    for (std::size_t k = 0; k + 1 < means.size(); ++k) {
        points.push_back(pointOf(curve.keeps[k], means[k]));
        if (!(means[k].mean > 0.0))
            for (const char *field : {"kl_nats", "se_nats", "low", "high"})
                points.back()[field] = nullptr;
    }
    return points;
}

/// As measured: the KL of a hybrid that is its teacher is 0, and rounding may put it below.
nlohmann::json measuredPoints(const analysis::KlCurve &curve)
{
    nlohmann::json points = nlohmann::json::array();
    for (std::size_t k = 0; k < curve.keeps.size(); ++k)
        points.push_back(pointOf(curve.keeps[k], analysis::tInterval(curve.klNats_KS[k])));
    return points;
}

/// "share_of_fall" is of the fall from the curve's first K to its last one, which of a prediction is L, where the KL is 0.
nlohmann::json elbowOf(const analysis::KlCurve &curve)
{
    const auto elbow = analysis::elbow(curve);
    if (!elbow)
        return nullptr;
    return {{"keep", elbow->keep}, {"low", elbow->low}, {"high", elbow->high}, {"share_of_fall", elbow->share}, {"fall_from", curve.keeps.front()}, {"fall_to", curve.keeps.back()}, {"found_in", elbow->found}};
}

std::string shareText(double percent, int from, int to, bool isPrediction)
{
    return isPrediction ? formatted("%.0f %% of the KL at K = %d is gone there, and all of it at K = %d, the teacher\n", percent, from, to)
                        : formatted("%.0f %% of what the measured KL falls from K = %d to K = %d is reached there\n", percent, from, to);
}

void printCurve(const std::string &title, const nlohmann::json &curve, bool isPrediction)
{
    std::cout << title << "\n    K   KL (nats/token)   95 % interval\n";
    for (const nlohmann::json &point : curve.at("points")) {
        std::cout << formatted("%5d   ", point.at("keep").get<int>());
        if (point.at("kl_nats").is_null())
            std::cout << formatted("%15s   the gains add up to more than there is to gain: no guess\n", unknownText);
        else
            std::cout << formatted("%15.4f   ", point.at("kl_nats").get<double>())
                      << (point.at("n") > 1 ? formatted("[%.4f, %.4f]\n", point.at("low").get<double>(), point.at("high").get<double>()) : std::string(unknownText) + '\n');
    }
    if (const nlohmann::json &elbow = curve.at("elbow"); elbow.is_object())
        std::cout << formatted("further layers pay less from K = %d on (95 %% of the draws: %d to %d): ", elbow.at("keep").get<int>(), elbow.at("low").get<int>(), elbow.at("high").get<int>())
                  << shareText(100.0 * elbow.at("share_of_fall").get<double>(), elbow.at("fall_from").get<int>(), elbow.at("fall_to").get<int>(), isPrediction);
    else
        std::cout << "no elbow: too few points, or none of them below the straight line between its ends\n";
}

nlohmann::json leftOutJson(const comparison::HybridsLeftOut &leftOut)
{
    return {{"total", leftOut.total()}, {"other_sequences", leftOut.otherSequences}, {"other_start", leftOut.otherStart}, {"other_seed", leftOut.otherSeed}, {"other_mixer", leftOut.otherMixer},
            {"other_loss", leftOut.otherLoss}, {"other_tokens", leftOut.otherTokens}, {"second", leftOut.second}, {"unreadable", leftOut.unreadable}};
}

/// Of the stage in this folder, where the workspace still knows what was asked of it.
std::optional<std::int64_t> seedOf(const fs::path &stage, const fs::path &workspace)
{
    const auto found = isFileThere(store::databaseFile(workspace)) ? store::findReferenceIfAny(store::Workspace(workspace), stage.filename().string()) : std::nullopt;
    const nlohmann::json spec = found ? nlohmann::json::parse(found->specJson, nullptr, false) : nlohmann::json();
    return spec.is_object() && spec.contains("seed") && spec.at("seed").is_number_integer() ? std::optional(spec.at("seed").get<std::int64_t>()) : std::nullopt;
}

std::string measuredTitle(const comparison::ComparableHybrids &hybrids)
{
    const comparison::HybridConditions &made = hybrids.byKeep.front().conditions;
    return "Measured on distilled hybrids that keep the best K of this ranking, seed " + std::to_string(made.seed) + ", trained on " + std::to_string(made.tokens) + " tokens each" +
           (hybrids.isOwn ? ":" : ", from another stage 1 or with another seed than this scoring:");
}

}  // namespace

int advise(const AdviseCommand &command)
{
    const fs::path workspace = workspaceOr(command.workspace);
    const nlohmann::json scores = scoresFrom(command.scores, command.selector, workspace);
    const experiment::Ranking ranking = procedures::rankingOf(scores);
    if (!scores.contains("curves"))
        throw Error(ErrorCode::Usage, "\"" + command.scores + "\" keeps no KL on each held-out sequence: name a run or a key of ga-s2 or zero-shot-ga scores that were measured in this workspace, or score again");
    const fs::path file = scores.at("curves").get<std::string>();
    const StoredCurves curves(file);
    const comparison::KeptAloneKl kl = curves.keptAlone(static_cast<int>(ranking.size()));
    if (!kl.isWhole())
        throw Error(ErrorCode::Usage, "\"" + command.scores + "\" did not measure the student of every layer and the all-linear one: name ga-s2 or zero-shot-ga scores with include_all_linear");
    const nlohmann::json scored = procedures::readScores(file.parent_path().string(), {});
    analysis::KlCurve predicted;
    curves.reading([&] { predicted = analysis::additivePrediction(analysis::LayerSamples(kl.kl_LS), kl.allLinear_S, ranking); });
    nlohmann::json result = {{"kind", "advise"}, {"num_layers", ranking.size()}, {"ranking", ranking}, {"predicted", {{"points", predictedPoints(predicted)}, {"elbow", elbowOf(predicted)}}}};
    std::size_t unreadable = 0;
    const auto leaveOut = [&](const fs::path &folder, const std::string &why) {
        ++unreadable;
        sayLeftOut(folder, why);
    };
    comparison::ComparableHybrids hybrids =
        comparison::comparable(comparison::distilledHybrids(workspace, experiment::textIn(scored, "teacher_hash"), experiment::textIn(scored, "mixer"), ranking, leaveOut), comparison::originOf(scored, seedOf(file.parent_path(), workspace)));
    hybrids.leftOut.unreadable = unreadable;
    result["hybrids_left_out"] = leftOutJson(hybrids.leftOut);
    result["hybrids"] = nlohmann::json::array();
    for (const comparison::DistilledHybrid &hybrid : hybrids.byKeep)
        result["hybrids"].push_back({{"keep", hybrid.kept.size()}, {"key", hybrid.key}, {"seed", hybrid.conditions.seed}, {"is_own", hybrids.isOwn}, {"tokens", hybrid.conditions.tokens}});
    if (const analysis::KlCurve measured = comparison::klCurveOf(hybrids.byKeep); !measured.keeps.empty())
        result["measured"] = {{"points", measuredPoints(measured)}, {"elbow", elbowOf(measured)}};
    if (command.json) {
        std::cout << documentText(result) << '\n';
        return 0;
    }
    printCurve("Predicted, as if the gains of single layers added up (a guess: layers that do the same work gain less together):", result["predicted"], true);
    if (result.contains("measured"))
        printCurve(measuredTitle(hybrids), result["measured"], false);
    else
        std::cout << "No hybrid that keeps the best K of this ranking is in the workspace: distil a few to see where the guess is wrong.\n";
    if (const std::size_t numOthers = hybrids.leftOut.total(); numOthers > 0)
        std::cout << numOthers << (numOthers == 1 ? " hybrid of these layers is" : " hybrids of these layers are") << " left out: " << comparison::leftOutText(hybrids.leftOut) << ".\n";
    return 0;
}

}  // namespace stillroom::cli
