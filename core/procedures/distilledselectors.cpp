// SPDX-License-Identifier: GPL-3.0-or-later
// A short stage 2 for every layer: the student that keeps it alone (GA), the student that makes it alone linear (GR), or both (AVG).
#include "procedures/distilledstudents.h"
#include "procedures/measuringmemory.h"
#include "procedures/earlystop.h"
#include "procedures/selectors.h"
#include "procedures/stageoptions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

namespace stillroom::procedures {
namespace {

using experiment::LayerScore;
using experiment::Ranking;
using selection::StudentCurve;

enum class Probe { KeptAlone, LinearAlone };

experiment::LayerSet allBut(int layer, int numLayers)
{
    experiment::LayerSet others;
    for (int other = 0; other < numLayers; ++other)
        if (other != layer)
            others.push_back(other);
    return others;
}

/// The students of one probe, in the order of the layers.
std::vector<StudentRequest> studentsOf(const ScoringPlan &plan, Probe probe)
{
    std::vector<StudentRequest> students;
    for (const int layer : plan.layers) {
        if (probe == Probe::KeptAlone)
            students.push_back({{layer}, std::to_string(layer)});
        else
            students.push_back({allBut(layer, plan.numLayers()), "linear-" + std::to_string(layer)});
    }
    return students;
}

std::vector<StudentRequest> withAllLinear(const ScoringPlan &plan, std::vector<StudentRequest> students)
{
    if (plan.spec.at("include_all_linear").get<bool>())
        students.insert(students.begin(), {{}, "-1"});
    return students;
}

std::size_t evaluationsOf(const std::vector<StudentCurve> &curves)
{
    std::size_t evaluations = std::numeric_limits<std::size_t>::max();
    for (const StudentCurve &curve : curves)
        evaluations = std::min(evaluations, curve.kl.size());
    return evaluations;
}

/// The score of `layer` by its student: lower KL is better for the one that keeps it, and a higher one speaks for it where it alone is linear.
LayerScore scoreOf(const ScoringStage &stage, const StudentCurve &curve, std::size_t evaluation, int layer, Probe probe)
{
    LayerScore blank = blankScore(stage, layer);
    blank.higherIsBetter = probe == Probe::LinearAlone;
    return selection::scoreOf(curve, evaluation, std::move(blank));
}

/// Scores of all students of one probe (and of the all-linear one, where it is first) at one evaluation.
std::vector<LayerScore> scoresAt(const ScoringStage &stage, const std::vector<StudentCurve> &curves, std::size_t evaluation, Probe probe)
{
    std::vector<LayerScore> scores;
    const std::size_t before = curves.size() - stage.layers.size();
    for (std::size_t i = 0; i < curves.size(); ++i)
        scores.push_back(scoreOf(stage, curves[i], evaluation, i < before ? -1 : stage.layers[i - before], probe));
    return scores;
}

/// How training ends early, or null where the spec does not want it.
using EarlyStopping = std::unique_ptr<EarlyStop>;

/// Trains what is asked for.
DistilledStudents distilled(const ScoringStage &stage, StageRun &run, StudentsRequest request, const EarlyStopping &earlyStop, Scored &scored)
{
    if (earlyStop)
        request.leaving = [&](const std::vector<StudentCurve> &curves) { return earlyStop->leaving(curves); };
    DistilledStudents students = distilStudents(stage, run, request);
    nlohmann::json reused = nlohmann::json::array();
    for (const std::string &name : students.reused)
        reused.push_back(name);
    scored.notes["group_size"] = students.groupSize;
    scored.notes["reused_students"] = std::move(reused);
    scored.notes["early_stop"] = earlyStop ? earlyStop->report(students.curves, students.endedEarly) : nlohmann::json();
    if (earlyStop)
        scored.ranking = earlyStop->ranking(students.curves);
    scored.spent = students.spent;
    return students;
}

/// The score of each student at its own last evaluation: of one that left early, when it left.
std::vector<LayerScore> lastScores(const ScoringStage &stage, const std::vector<StudentCurve> &curves, Probe probe)
{
    std::vector<LayerScore> scores;
    const std::size_t before = curves.size() - stage.layers.size();
    for (std::size_t i = 0; i < curves.size(); ++i)
        scores.push_back(scoreOf(stage, curves[i], curves[i].kl.size() - 1, i < before ? -1 : stage.layers[i - before], probe));
    return scores;
}

Scored scoreByOneProbe(const ScoringStage &stage, StageRun &run, std::vector<StudentRequest> students, Probe probe)
{
    Scored scored;
    StudentsRequest request;
    request.students = std::move(students);
    const std::size_t before = request.students.size() - stage.layers.size();
    request.onEvaluation = [&](const std::vector<StudentCurve> &curves, const std::vector<std::size_t> &grown) {
        for (const std::size_t i : grown)
            run.sink(scoreOf(stage, curves[i], curves[i].kl.size() - 1, i < before ? -1 : stage.layers[i - before], probe));
    };
    EarlyStopping earlyStop;
    if (stopsEarly(stage.spec) && stopRule(stage.spec, true) == "race")
        earlyStop = std::make_unique<LayerRace>(stage, run, before, probe == Probe::LinearAlone);
    else if (stopsEarly(stage.spec))
        earlyStop = std::make_unique<StableSets>(stage, run, [&](const std::vector<StudentCurve> &curves, std::size_t evaluation) { return experiment::rank(scoresAt(stage, curves, evaluation, probe), stage.numLayers()); });
    DistilledStudents trained = distilled(stage, run, std::move(request), earlyStop, scored);
    scored.scores = lastScores(stage, trained.curves, probe);
    if (!scored.ranking)          // all were measured to the same end
        for (std::size_t i = before; i < trained.curves.size(); ++i)
            scored.samples.push_back({stage.layers[i - before], trained.curves[i].kl.back().klNats});
    scored.curves = std::move(trained.curves);
    return scored;
}

std::vector<StudentRequest> gaStudents(const ScoringPlan &plan) { return withAllLinear(plan, studentsOf(plan, Probe::KeptAlone)); }

std::vector<StudentRequest> grStudents(const ScoringPlan &plan) { return studentsOf(plan, Probe::LinearAlone); }

Scored scoreGaS2(const ScoringStage &stage, StageRun &run)
{
    return scoreByOneProbe(stage, run, gaStudents(stage), Probe::KeptAlone);
}

Scored scoreGrS2(const ScoringStage &stage, StageRun &run)
{
    return scoreByOneProbe(stage, run, grStudents(stage), Probe::LinearAlone);
}

// What the three have in common, by the students that they ask for.
using Students = std::vector<StudentRequest> (*)(const ScoringPlan &plan);

std::size_t numDifferent(const std::vector<StudentRequest> &students)
{
    std::set<experiment::LayerSet> sets;
    for (const StudentRequest &one : students)
        sets.insert(one.kept);
    return sets.size();
}

template <Students students>
SelectorCost costOf(const ScoringPlan &plan)
{
    return distillationCost(plan, static_cast<std::int64_t>(numDifferent(students(plan))));
}

template <bool canRace>
void checkRule(const nlohmann::json &spec)
{
    checkEarlyStopRule(spec, canRace);
}

template <Students students>
MeasuringBytes memoryOf(const Measuring &measuring)
{
    return studentsOnHeldOut(measuring, selection::HeldOutMeasure::Kl, static_cast<std::int64_t>(numDifferent(students(measuring.plan))), 0);
}

template <Students students, bool canRace>
void checkStudents(const ScoringPlan &plan)
{
    checkEarlyStop(plan, canRace, numDifferent(students(plan)));
}

// AVG

/// Places of the layers (1 is best) in a ranking among the scored layers.
std::vector<int> placesIn(const ScoringStage &stage, const std::vector<LayerScore> &scores)
{
    std::vector<double> values;
    for (const LayerScore &score : scores)
        values.push_back(score.score);
    std::vector<int> places(stage.layers.size());
    const Ranking ranking = experiment::rank(values, scores.front().higherIsBetter);
    for (std::size_t place = 0; place < ranking.size(); ++place)
        places[static_cast<std::size_t>(ranking[place])] = static_cast<int>(place) + 1;
    return places;
}

/// Both probes at one evaluation, by position among the scored layers.
struct BothPlaces {
    std::vector<int> ga, gr;
    [[nodiscard]] double mean(std::size_t i) const { return 0.5 * (ga[i] + gr[i]); }
    /// Positions, smallest mean place first; equal ones by the smaller GA place (no two layers share one).
    [[nodiscard]] std::vector<std::size_t> order() const
    {
        std::vector<std::size_t> positions(ga.size());
        for (std::size_t i = 0; i < positions.size(); ++i)
            positions[i] = i;
        std::sort(positions.begin(), positions.end(), [&](std::size_t a, std::size_t b) { return mean(a) != mean(b) ? mean(a) < mean(b) : ga[a] < ga[b]; });
        return positions;
    }
};

/// \param curves  first those that keep a layer alone, then those that make it alone linear
BothPlaces placesAt(const ScoringStage &stage, const std::vector<StudentCurve> &curves, std::size_t evaluation)
{
    const auto half = curves.begin() + static_cast<std::ptrdiff_t>(stage.layers.size());
    return {placesIn(stage, scoresAt(stage, {curves.begin(), half}, evaluation, Probe::KeptAlone)), placesIn(stage, scoresAt(stage, {half, curves.end()}, evaluation, Probe::LinearAlone))};
}

std::vector<LayerScore> meanPlaces(const ScoringStage &stage, const std::vector<StudentCurve> &curves, std::size_t evaluation)
{
    const BothPlaces places = placesAt(stage, curves, evaluation);
    std::vector<LayerScore> scores;
    for (std::size_t i = 0; i < stage.layers.size(); ++i) {
        LayerScore score = blankScore(stage, stage.layers[i]);
        score.score = places.mean(i);
        score.unit = "mean rank";
        score.se = std::numeric_limits<double>::quiet_NaN();
        score.numSequences = static_cast<std::int64_t>(curves[i].kl[evaluation].klNats.size());
        score.tokens = curves[i].tokens[evaluation];
        scores.push_back(score);
    }
    return scores;
}

Ranking rankingOf(const ScoringStage &stage, const BothPlaces &places)
{
    Ranking ranking;
    for (const std::size_t position : places.order())
        ranking.push_back(stage.layers[position]);
    return ranking;
}

std::vector<StudentRequest> bothProbes(const ScoringPlan &plan)
{
    std::vector<StudentRequest> students = studentsOf(plan, Probe::KeptAlone);
    for (StudentRequest &one : studentsOf(plan, Probe::LinearAlone))
        students.push_back(std::move(one));
    return students;
}

nlohmann::json placesToJson(const ScoringStage &stage, const BothPlaces &places)
{
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < stage.layers.size(); ++i)
        list.push_back({{"layer", stage.layers[i]}, {"ga_rank", places.ga[i]}, {"gr_rank", places.gr[i]}});
    return list;
}

Scored scoreAvgS2(const ScoringStage &stage, StageRun &run)
{
    Scored scored;
    StudentsRequest request;
    request.students = bothProbes(stage);
    request.onEvaluation = [&](const std::vector<StudentCurve> &curves, const std::vector<std::size_t> &) {
        if (const std::size_t evaluations = evaluationsOf(curves); evaluations > 0)
            for (const LayerScore &score : meanPlaces(stage, curves, evaluations - 1))
                run.sink(score);
    };
    EarlyStopping earlyStop;
    if (stopsEarly(stage.spec))
        earlyStop = std::make_unique<StableSets>(stage, run, [&](const std::vector<StudentCurve> &curves, std::size_t evaluation) { return rankingOf(stage, placesAt(stage, curves, evaluation)); });
    const DistilledStudents trained = distilled(stage, run, std::move(request), earlyStop, scored);
    const std::size_t last = evaluationsOf(trained.curves) - 1;
    const BothPlaces places = placesAt(stage, trained.curves, last);
    scored.scores = meanPlaces(stage, trained.curves, last);
    scored.ranking = rankingOf(stage, places);
    scored.notes["ranks"] = placesToJson(stage, places);
    scored.notes["ranking"] = "equal mean ranks: the smaller GA rank first";
    scored.withoutErrorBars = "a mean rank has no standard error of its own; ga-s2 and gr-s2, whose students are kept, have";
    return scored;
}

}  // namespace

extern const Selector gaS2Selector, grS2Selector, avgS2Selector;

constinit const Selector gaS2Selector{
    .name = "ga-s2",
    .help = "Keeps the layers whose student, with that one softmax layer, is closest to the teacher after a short stage 2.",
    .source = "KL-guided layer selection, arXiv 2512.20569",
    .costFormula = "L + 1 students train; L(1 + (L + 1) · evaluations) passes of a block over the held-out set",
    .trains = true,
    .fields = earlyStopFields,
    .checkSpec = checkRule<true>,
    .check = checkStudents<gaStudents, true>,
    .cost = costOf<gaStudents>,
    .memory = memoryOf<gaStudents>,
    .score = scoreGaS2,
};

constinit const Selector grS2Selector{
    .name = "gr-s2",
    .help = "Keeps the layers whose student, with that one linear layer, is farthest from the teacher after a short stage 2.",
    .source = "arXiv 2512.20569, the GR variant",
    .costFormula = "L students train; L(1 + L · evaluations) passes of a block over the held-out set",
    .trains = true,
    .fields = earlyStopFields,
    .checkSpec = checkRule<true>,
    .check = checkStudents<grStudents, true>,
    .cost = costOf<grStudents>,
    .memory = memoryOf<grStudents>,
    .score = scoreGrS2,
};

constinit const Selector avgS2Selector{
    .name = "avg-s2",
    .help = "Keeps the layers with the best mean of their ranks by ga-s2 and gr-s2; of equal means the better GA rank.",
    .source = "arXiv 2512.20569, the AVG variant; its tie rule is not published",
    .costFormula = "2L students train; L(1 + 2L · evaluations) passes of a block over the held-out set",
    .trains = true,
    .fields = earlyStopFields,
    .checkSpec = checkRule<false>,
    .check = checkStudents<bothProbes, false>,
    .cost = costOf<bothProbes>,
    .memory = memoryOf<bothProbes>,
    .score = scoreAvgS2,
};

}  // namespace stillroom::procedures
