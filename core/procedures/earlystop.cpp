// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/earlystop.h"

#include "analysis/stability.h"
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

std::string listed(const std::vector<int> &numbers)
{
    std::string text;
    for (const int number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
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

}  // namespace

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
    return {{"rule", "stable"}, {"stopped", endedEarly}, {"tokens", latestTokens(curves)}, {"saved_fraction", savedFraction(m_stage, curves)}};
}

LayerRace::LayerRace(const ScoringStage &stage, const StageRun &run, std::size_t before, bool higherIsBetter)
    : m_stage(stage), m_run(run), m_before(before), m_higherIsBetter(higherIsBetter), m_keep(keepCounts(stage))
{
    (void)races({});           // refuses a K that cannot be raced for before anything trains
}

std::vector<Race> LayerRace::races(const std::vector<StudentCurve> &curves) const
{
    const auto planned = static_cast<int>(evaluationTokens(m_stage.spec, tokensPerStep(m_stage.spec)).size()) - 1;      // the first is before any training
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
        m_run.sink(experiment::Text{"early-stop", "The place of layers " + listed(layers) + " is sure: they train no more after " + std::to_string(latestTokens(curves)) + " of " +
                                                      std::to_string(plannedTokens(m_stage)) + " tokens."});
    return anyRaces ? gone : everyoneLeft(curves);
}

nlohmann::json LayerRace::report(const std::vector<StudentCurve> &curves, bool endedEarly) const
{
    nlohmann::json report = {{"rule", "race"}, {"error", errorBound(m_stage)}, {"tokens", latestTokens(curves)}, {"saved_fraction", savedFraction(m_stage, curves)},
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
