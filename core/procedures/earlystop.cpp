// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/earlystop.h"

#include "analysis/stability.h"
#include "error.h"
#include "experiment/event.h"
#include "procedures/stageoptions.h"

#include <algorithm>
#include <string>

namespace stillroom::procedures {
namespace {

using analysis::Race;
using selection::StudentCurve;

std::vector<int> keepCounts(const ScoringStage &stage)
{
    return stage.spec.at("early_stop").at("keep").get<std::vector<int>>();
}

/// Evaluations of those that are still training.
std::size_t evaluationsSoFar(const std::vector<StudentCurve> &curves)
{
    std::size_t most = 0;
    for (const StudentCurve &curve : curves)
        most = std::max(most, curve.kl.size());
    return most;
}

/// Evaluations after training began.
int plannedEvaluations(const nlohmann::json &spec)
{
    return static_cast<int>(evaluationTokens(spec, tokensPerStep(spec)).size()) - 1;
}

std::int64_t plannedTokens(const ScoringStage &stage)
{
    return evaluationTokens(stage.spec, tokensPerStep(stage.spec)).back();
}

/// What leaving now saves of the training tokens of all students.
double savedFraction(const ScoringStage &stage, const std::vector<StudentCurve> &curves)
{
    double spent = 0.0;
    for (const StudentCurve &curve : curves)
        spent += static_cast<double>(curve.tokens.back());
    return std::max(0.0, 1.0 - spent / (static_cast<double>(plannedTokens(stage)) * static_cast<double>(curves.size())));
}

std::int64_t latestTokens(const std::vector<StudentCurve> &curves)
{
    std::int64_t most = 0;
    for (const StudentCurve &curve : curves)
        most = std::max(most, curve.tokens.back());
    return most;
}

double errorBound(const ScoringStage &stage)
{
    return stage.spec.at("early_stop").value("error", 0.05);
}

/// Places of those that still train.
std::vector<std::size_t> everyoneLeft(const std::vector<StudentCurve> &curves)
{
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < curves.size(); ++i)
        if (curves[i].kl.size() == evaluationsSoFar(curves))
            all.push_back(i);
    return all;
}

std::string_view verdictName(Race::Verdict verdict)
{
    switch (verdict) {
    case Race::Verdict::Open: return "open";
    case Race::Verdict::Settled: return "settled";
    case Race::Verdict::Likely: return "likely";
    case Race::Verdict::NotSettled: break;
    }
    return "not settled";
}

[[noreturn]] void refuseEarlyStop(const std::string &why)
{
    throw Error(ErrorCode::Usage, why);
}

}  // namespace

bool stopsEarly(const nlohmann::json &spec)
{
    return spec.at("early_stop").at("enabled").get<bool>();
}

std::string stopRule(const nlohmann::json &spec, bool canRace)
{
    return spec.at("early_stop").value("rule", canRace ? "race" : "stable");
}

void checkEarlyStopRule(const nlohmann::json &spec, bool canRace)
{
    if (!stopsEarly(spec))
        return;
    const bool races = stopRule(spec, canRace) == "race";
    if (races && !canRace)
        refuseEarlyStop("The field \"early_stop.rule\" is race but the selector " + spec.at("selector").get<std::string>() + " ranks by mean ranks, which have no value on each sequence to race on: set it to stable.");
    if (!races && spec.at("early_stop").contains("error"))
        refuseEarlyStop("The field \"early_stop.error\" bounds the error of a race but early_stop.rule is stable, which has no bound: leave it out.");
    // A race decides nothing before its second evaluation, stable sets nothing before window + 1 of them, and at the last there is nothing left to stop.
    const int window = spec.at("early_stop").at("window").get<int>(), least = races ? 3 : window + 2, planned = plannedEvaluations(spec);
    if (planned < least)
        refuseEarlyStop(std::string("The field \"") + (spec.at("evaluate_at_tokens").empty() ? "evaluations" : "evaluate_at_tokens") + "\" makes " + std::to_string(planned) + (planned == 1 ? " evaluation" : " evaluations") + " after training began but early_stop by the rule " + (races ? "race" : "stable") + " cannot stop anything with fewer than " +
                        std::to_string(least) + ": evaluate more often" + (races ? "." : ", or make early_stop.window smaller."));
}

void checkEarlyStop(const ScoringPlan &plan, bool canRace, std::size_t numStudents)
{
    if (!stopsEarly(plan.spec))
        return;
    const int numLayers = plan.numLayers();
    const bool races = stopRule(plan.spec, canRace) == "race";
    if (static_cast<int>(plan.layers.size()) != numLayers)
        refuseEarlyStop("The field \"early_stop.enabled\" needs all layers to be scored, which \"layers\" does not ask for: leave layers empty, or do not stop early.");
    for (const int keep : plan.spec.at("early_stop").at("keep").get<std::vector<int>>())
        if (const int most = races ? numLayers - 1 : numLayers; keep < 1 || keep > most)
            refuseEarlyStop("The field \"early_stop.keep\" holds " + std::to_string(keep) + " but " + (races ? "a race" : "early stopping") + " of " + std::to_string(numLayers) + " layers needs K from 1 to " + std::to_string(most) + ".");
    if (const auto group = plan.spec.at("group_size").get<std::size_t>(); group > 0 && group < numStudents)
        refuseEarlyStop("The field \"group_size\" is " + std::to_string(group) + " but early_stop needs all " + std::to_string(numStudents) + " students in one group: set it to 0, or do not stop early.");
    if (races && plan.heldOutSequences < 2)
        refuseEarlyStop("The held-out set is one sequence but a race needs at least two: raise \"data.held_out_sequences\", or give it more text.");
}

std::vector<std::size_t> StableSets::leaving(const std::vector<StudentCurve> &curves)
{
    std::vector<experiment::Ranking> rankings;
    for (std::size_t evaluation = 1; evaluation < evaluationsSoFar(curves); ++evaluation)      // the first is before any training
        rankings.push_back(m_rankingAt(curves, evaluation));
    const int window = m_stage.spec.at("early_stop").at("window").get<int>();
    const std::vector<int> keep = keepCounts(m_stage);
    const bool settled = std::all_of(keep.begin(), keep.end(), [&](int count) { return analysis::settled(rankings, count, window); });
    if (!settled)
        return {};
    m_run.sink(experiment::Text{"early-stop", "The best layers have been the same for " + std::to_string(window + 1) + " evaluations: scoring stops at " +
                                                  std::to_string(latestTokens(curves)) + " of " + std::to_string(plannedTokens(m_stage)) + " tokens a layer."});
    return everyoneLeft(curves);
}

nlohmann::json StableSets::report(const std::vector<StudentCurve> &curves, bool endedEarly) const
{
    return {{"rule", "stable"}, {"stopped", endedEarly}, {"tokens", latestTokens(curves)}, {"planned_tokens", plannedTokens(m_stage)}, {"saved_fraction", savedFraction(m_stage, curves)}};
}

LayerRace::LayerRace(const ScoringStage &stage, const StageRun &run, std::size_t before, bool higherIsBetter)
    : m_stage(stage), m_run(run), m_before(before), m_higherIsBetter(higherIsBetter), m_keep(keepCounts(stage))
{
}

std::vector<Race> LayerRace::races(const std::vector<StudentCurve> &curves) const
{
    const int planned = plannedEvaluations(m_stage.spec);
    std::vector<Race> races;
    for (const int keep : m_keep)
        races.emplace_back(m_stage.numLayers(), Race::Options{.keep = keep, .numEvaluations = planned, .error = errorBound(m_stage) / static_cast<double>(m_keep.size()), .higherIsBetter = m_higherIsBetter});
    for (std::size_t evaluation = 1; evaluation < evaluationsSoFar(curves); ++evaluation) {
        std::vector<std::vector<double>> kl_LS;
        for (std::size_t student = m_before; student < curves.size(); ++student)
            kl_LS.push_back(evaluation < curves[student].kl.size() ? curves[student].kl[evaluation].klNats : std::vector<double>());
        for (Race &race : races)
            race.evaluate(kl_LS);
    }
    return races;
}

std::vector<std::size_t> LayerRace::leaving(const std::vector<StudentCurve> &curves)
{
    if (evaluationsSoFar(curves) < 2)
        return {};
    const std::vector<Race> all = races(curves);
    std::vector<std::size_t> gone;
    std::vector<int> layers;
    bool anyRaces = false;
    for (int layer = 0; layer < m_stage.numLayers(); ++layer) {
        const std::size_t student = m_before + static_cast<std::size_t>(layer);
        const bool races = std::any_of(all.begin(), all.end(), [&](const Race &race) { return race.standing(layer) == Race::Standing::Racing; });
        anyRaces = anyRaces || races;
        if (races || curves[student].kl.size() < evaluationsSoFar(curves))
            continue;
        gone.push_back(student);
        layers.push_back(layer);
    }
    if (!layers.empty())
        m_run.sink(experiment::Text{"early-stop", "The place of layers " + experiment::layersText(layers) + " is sure: they train no more after " + std::to_string(latestTokens(curves)) + " of " +
                                                      std::to_string(plannedTokens(m_stage)) + " tokens."});
    return anyRaces ? gone : everyoneLeft(curves);
}

nlohmann::json LayerRace::report(const std::vector<StudentCurve> &curves, bool endedEarly) const
{
    nlohmann::json report = {{"rule", "race"}, {"error", errorBound(m_stage)}, {"tokens", latestTokens(curves)}, {"planned_tokens", plannedTokens(m_stage)}, {"saved_fraction", savedFraction(m_stage, curves)},
                             {"left", nlohmann::json::array()}, {"races", nlohmann::json::array()}};
    for (std::size_t student = m_before; student < curves.size(); ++student)
        if (endedEarly || curves[student].tokens.back() < latestTokens(curves))
            report["left"].push_back({{"layer", student - m_before}, {"tokens", curves[student].tokens.back()}});
    report["stopped"] = !report["left"].empty();
    const std::vector<Race> all = races(curves);
    for (std::size_t i = 0; i < all.size(); ++i)
        report["races"].push_back({{"keep", m_keep[i]}, {"verdict", verdictName(all[i].verdict())}, {"racing", all[i].racing()}, {"set", experiment::topLayers(all[i].ranking(), m_keep[i])}});
    return report;
}

std::optional<experiment::Ranking> LayerRace::ranking(const std::vector<StudentCurve> &curves) const
{
    if (everyoneLeft(curves).size() == curves.size())
        return std::nullopt;                 // all were measured to the same end: their scores say it
    return races(curves).front().ranking();
}

}  // namespace stillroom::procedures
