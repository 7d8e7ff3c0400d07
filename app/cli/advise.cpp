// SPDX-License-Identifier: GPL-3.0-or-later
// How many layers to keep: KL against K, of hybrids that were distilled and as the scores predict it.
#include "analysis/intervals.h"
#include "analysis/klcurve.h"
#include "commands.h"
#include "comparison/klagainstk.h"
#include "error.h"
#include "folders.h"
#include "formatted.h"
#include "procedures/keptlayers.h"
#include "scoresource.h"
#include "shownname.h"
#include "storedcurves.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <vector>

namespace stillroom::cli {
namespace fs = std::filesystem;
namespace {

std::string textOf(const nlohmann::json &json, const char *field)
{
    return json.contains(field) && json.at(field).is_string() ? json.at(field).get<std::string>() : std::string();
}

void sayLeftOut(const fs::path &folder, const std::string &why)
{
    std::cerr << "\"" << shownLine(folder.string()) << "\" is left out, since it cannot be read: " << shownLine(why) << " Distil that hybrid again with --fresh.\n";
}

nlohmann::json pointOf(int keep, const analysis::Interval &mean)
{
    return {{"keep", keep}, {"kl_nats", mean.mean}, {"low", mean.low}, {"high", mean.high}, {"n", mean.n}};
}

/// Null where a prediction is not above 0: there the gains add up to more than there was to gain, and it says nothing.
nlohmann::json predictedPoints(const analysis::KlCurve &curve)
{
    nlohmann::json points = nlohmann::json::array();
    const std::vector<analysis::Interval> means = analysis::meanKl(curve);
    for (std::size_t k = 0; k < means.size(); ++k) {
        points.push_back(pointOf(curve.keeps[k], means[k]));
        if (!(means[k].mean > 0.0))
            for (const char *field : {"kl_nats", "low", "high"})
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

nlohmann::json elbowOf(const analysis::KlCurve &curve)
{
    const auto elbow = analysis::elbow(curve);
    if (!elbow)
        return nullptr;
    return {{"keep", elbow->keep}, {"low", elbow->low}, {"high", elbow->high}, {"share_of_fall", elbow->share}, {"found_in", elbow->found}};
}

void printCurve(const char *title, const nlohmann::json &curve)
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
        std::cout << formatted("further layers pay less from K = %d on (95 %% of the draws: %d to %d): %.0f %% of what the whole curve falls is reached there\n", elbow.at("keep").get<int>(),
                               elbow.at("low").get<int>(), elbow.at("high").get<int>(), 100.0 * elbow.at("share_of_fall").get<double>());
    else
        std::cout << "no elbow: too few points, or it falls in a straight line\n";
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
    const KeptAloneKl kl = curves.keptAlone(static_cast<int>(ranking.size()));
    if (kl.allLinear_S.empty() || std::any_of(kl.kl_LS.begin(), kl.kl_LS.end(), [](const std::vector<double> &kl_S) { return kl_S.empty(); }))
        throw Error(ErrorCode::Usage, "\"" + command.scores + "\" did not measure the student of every layer and the all-linear one: name ga-s2 or zero-shot-ga scores with include_all_linear");
    const nlohmann::json scored = procedures::readScores(file.parent_path().string(), {});
    analysis::KlCurve predicted;
    curves.reading([&] { predicted = analysis::additivePrediction(analysis::LayerSamples(kl.kl_LS), kl.allLinear_S, ranking); });
    nlohmann::json result = {{"kind", "advise"}, {"num_layers", ranking.size()}, {"ranking", ranking}, {"predicted", {{"points", predictedPoints(predicted)}, {"elbow", elbowOf(predicted)}}}};
    const std::vector<comparison::DistilledHybrid> all = comparison::distilledHybrids(workspace, textOf(scored, "teacher_hash"), textOf(scored, "mixer"), ranking, sayLeftOut);
    const std::vector<comparison::DistilledHybrid> hybrids = comparison::comparable(all);
    const std::size_t numOthers = all.size() - hybrids.size();
    result["num_hybrids_left_out"] = numOthers;
    result["hybrids"] = nlohmann::json::array();
    for (const comparison::DistilledHybrid &hybrid : hybrids)
        result["hybrids"].push_back({{"keep", hybrid.kept.size()}, {"key", hybrid.key}, {"tokens", hybrid.tokens}});
    if (const analysis::KlCurve measured = comparison::klCurveOf(hybrids); !measured.keeps.empty())
        result["measured"] = {{"points", measuredPoints(measured)}, {"elbow", elbowOf(measured)}};
    if (command.json) {
        std::cout << documentText(result) << '\n';
        return 0;
    }
    printCurve("Predicted, as if the gains of single layers added up (a guess: layers that do the same work gain less together):", result["predicted"]);
    if (result.contains("measured"))
        printCurve(formatted("Measured on distilled hybrids that keep the best K of this ranking, trained on %s tokens each:", std::to_string(hybrids.front().tokens).c_str()).c_str(), result["measured"]);
    else
        std::cout << "No hybrid that keeps the best K of this ranking is in the workspace: distil a few to see where the guess is wrong.\n";
    if (numOthers > 0)
        std::cout << numOthers << (numOthers == 1 ? " hybrid of these layers is" : " hybrids of these layers are") << " left out: trained on another number of tokens, measured on other sequences, or a second one of its size.\n";
    return 0;
}

}  // namespace stillroom::cli
