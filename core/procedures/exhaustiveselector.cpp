// SPDX-License-Identifier: GPL-3.0-or-later
// Every set of K layers distilled a short while: what all other selectors are approximations of.
#include "analysis/intervals.h"
#include "error.h"
#include "procedures/distilledstudents.h"
#include "procedures/measuringmemory.h"
#include "procedures/selectors.h"

#include <algorithm>
#include <array>

namespace stillroom::procedures {
namespace {

using experiment::LayerSet;
using selection::StudentCurve;

constexpr std::array<SelectorField, 2> exhaustiveFields{{{"set_size", "1"}, {"max_sets", "64"}}};
constexpr std::size_t mostRows = 1000;        // of a table event

void checkExhaustive(const ScoringPlan &plan)
{
    const int size = plan.spec.at("set_size").get<int>(), numScored = static_cast<int>(plan.layers.size());
    const auto most = plan.spec.at("max_sets").get<std::int64_t>();
    if (size >= plan.numLayers() || size > numScored)
        throw Error(ErrorCode::Usage, "The field \"set_size\" is " + std::to_string(size) + " but must be below the teacher's " + std::to_string(plan.numLayers()) + " layers, and at most the " +
                                          std::to_string(numScored) + " that are scored.");
    if (experiment::numberOfSets(numScored, size, most + 1) > most)
        throw Error(ErrorCode::Usage, "There are more than " + std::to_string(most) + " sets of " + std::to_string(size) + " of " + std::to_string(numScored) +
                                          " layers, each of which would be distilled: choose a smaller set_size, name fewer layers, or raise max_sets.");
}

/// Sets of `size` of the scored layers, in lexicographic order.
std::vector<LayerSet> allSets(const ScoringPlan &plan)
{
    const auto size = plan.spec.at("set_size").get<std::size_t>(), numLayers = plan.layers.size();
    std::vector<LayerSet> sets;
    std::vector<bool> chosen(numLayers, false);
    std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(size), true);
    do {
        LayerSet set;
        for (std::size_t i = 0; i < numLayers; ++i)
            if (chosen[i])
                set.push_back(plan.layers[i]);
        sets.push_back(std::move(set));
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    return sets;
}

MeasuringBytes exhaustiveMemory(const Measuring &measuring)
{
    return studentsOnHeldOut(measuring, selection::HeldOutMeasure::Kl, static_cast<std::int64_t>(allSets(measuring.plan).size()), 0);
}

SelectorCost exhaustiveCost(const ScoringPlan &plan)
{
    return distillationCost(plan, static_cast<std::int64_t>(allSets(plan).size()));
}

/// How a student's curve and a row of the table are called.
std::string nameOf(const LayerSet &set)
{
    return experiment::layersText(set, "-");
}

const std::vector<double> &lastKl(const StudentCurve &curve)
{
    return curve.kl.back().klNats;
}

/// The mean KL of the sets that keep a layer, by sequence: its main effect.
std::vector<double> meanOfSetsWith(const std::vector<StudentCurve> &curves, int layer, std::size_t evaluation)
{
    std::vector<double> mean;
    double numSets = 0.0;
    for (const StudentCurve &curve : curves) {
        if (!std::binary_search(curve.kept.begin(), curve.kept.end(), layer))
            continue;
        const std::vector<double> &values = curve.kl[evaluation].klNats;
        mean.resize(values.size(), 0.0);
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += values[i];
        numSets += 1.0;
    }
    for (double &value : mean)
        value /= numSets;
    return mean;
}

std::vector<experiment::LayerScore> mainEffects(const ScoringStage &stage, const std::vector<StudentCurve> &curves, std::size_t evaluation)
{
    std::vector<experiment::LayerScore> scores;
    for (const int layer : stage.layers) {
        experiment::LayerScore score = estimatedScore(stage, layer, overSequences(meanOfSetsWith(curves, layer, evaluation)));
        score.tokens = curves.front().tokens[evaluation];
        scores.push_back(score);
    }
    return scores;
}

/// Evaluations that all sets have had.
std::size_t sharedEvaluations(const std::vector<StudentCurve> &curves)
{
    std::size_t shared = curves.front().kl.size();
    for (const StudentCurve &curve : curves)
        shared = std::min(shared, curve.kl.size());
    return shared;
}

/// Curves by the KL of the last evaluation, best first; equal ones in lexicographic order of their sets.
std::vector<const StudentCurve *> bestFirst(const std::vector<StudentCurve> &curves)
{
    std::vector<const StudentCurve *> order;
    for (const StudentCurve &curve : curves)
        order.push_back(&curve);
    std::stable_sort(order.begin(), order.end(), [](const StudentCurve *a, const StudentCurve *b) { return a->kl.back().mean() < b->kl.back().mean(); });
    return order;
}

/// Every set with its KL and its regret, KL above the best set's, paired by sequence.
nlohmann::json tableOf(const std::vector<const StudentCurve *> &order)
{
    nlohmann::json rows = nlohmann::json::array();
    for (const StudentCurve *curve : order) {
        const analysis::Estimate regret = analysis::pairedEstimate(lastKl(*curve), lastKl(*order.front()));
        rows.push_back({{"layers", curve->kept}, {"kl_nats", curve->kl.back().mean()}, {"se_nats", curve->kl.back().se()}, {"n", lastKl(*curve).size()},
                        {"regret_nats", regret.mean}, {"regret_se_nats", regret.se}});
    }
    return rows;
}

void sayTable(const StageRun &run, const nlohmann::json &rows)
{
    experiment::Table table;
    table.name = "sets";
    table.columns = {"layers", "KL", "SE", "regret", "SE of regret"};
    table.units = {"", "nats/token", "nats/token", "nats/token", "nats/token"};
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < std::min(rows.size(), mostRows); ++i)
        list.push_back({nameOf(rows[i].at("layers").get<LayerSet>()), rows[i].at("kl_nats"), rows[i].at("se_nats"), rows[i].at("regret_nats"), rows[i].at("regret_se_nats")});
    table.rowsJson = list.dump();
    run.sink(table);
}

Scored scoreExhaustively(const ScoringStage &stage, StageRun &run)
{
    StudentsRequest request;
    for (LayerSet &set : allSets(stage)) {
        std::string name = nameOf(set);
        request.students.push_back({std::move(set), std::move(name)});
    }
    request.onEvaluation = [&](const std::vector<StudentCurve> &curves, const std::vector<std::size_t> &) {
        if (const std::size_t evaluations = sharedEvaluations(curves); evaluations > 0)
            for (const experiment::LayerScore &score : mainEffects(stage, curves, evaluations - 1))
                run.sink(score);
    };
    DistilledStudents trained = distilStudents(stage, run, request);
    const std::size_t last = sharedEvaluations(trained.curves) - 1;
    const auto order = bestFirst(trained.curves);
    Scored scored;
    scored.notes["all_sets"] = tableOf(order);
    scored.notes["group_size"] = trained.groupSize;
    scored.notes["reused_students"] = trained.reused;
    scored.notes["scores"] = "mean KL of the sets that keep a layer; the best set need not be the beginning of their ranking";
    sayTable(run, scored.notes["all_sets"]);
    const distillation::HeldOutKl &best = order.front()->kl.back();
    scored.sets.push_back({order.front()->kept, best.mean(), best.se(), static_cast<std::int64_t>(best.klNats.size())});
    scored.scores = mainEffects(stage, trained.curves, last);
    for (const int layer : stage.layers)
        scored.samples.push_back({layer, meanOfSetsWith(trained.curves, layer, last)});
    scored.spent = trained.spent;
    scored.curves = std::move(trained.curves);
    return scored;
}

}  // namespace

extern const Selector exhaustiveSelector;
constinit const Selector exhaustiveSelector{
    .name = "exhaustive",
    .help = "Distils every set of set_size layers a short while and keeps the best one; says what any other set would have lost.",
    .source = "the definition that selectors approximate; feasible for small models",
    .costFormula = "C(L, set_size) students train, at most max_sets; L(1 + C · evaluations) passes of a block over the held-out set",
    .trains = true,
    .fields = exhaustiveFields,
    .check = checkExhaustive,
    .cost = exhaustiveCost,
    .memory = exhaustiveMemory,
    .score = scoreExhaustively,
};

}  // namespace stillroom::procedures
