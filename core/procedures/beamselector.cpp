// SPDX-License-Identifier: GPL-3.0-or-later
// Sets instead of layers: a beam search over them, with mixers from stage 1 or from a supernet.
#include "analysis/intervals.h"
#include "checkpoint/atomicfile.h"
#include "distillation/trainingloop.h"
#include "error.h"
#include "evaluation/sequenceloss.h"
#include "procedures/heldoutrecall.h"
#include "procedures/measuringmemory.h"
#include "procedures/progressmeter.h"
#include "procedures/selectors.h"
#include "procedures/setbook.h"
#include "procedures/stageoptions.h"
#include "seed.h"
#include "selection/beamsearch.h"
#include "selection/measuresets.h"
#include "selection/supernet.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>

namespace stillroom::procedures {
namespace fs = std::filesystem;
namespace {

constexpr std::array<SelectorField, 1> beamFields{
    {{"beam", R"({"width": 4, "measure": "kl", "supernet_steps": 0, "supernet_learning_rate": 1e-3, "sampling": "uniform-size",
                  "keep_probability": 0.25, "hidden_states": "every-layer"})"}}};

/// Of the recall task an answer is one token, of a passkey several.
const char *wrongAnswers(const ScoringPlan &plan)
{
    return plan.spec.at("data").at("source") == "recall-task" ? "share of wrong answers" : "share of wrong answer tokens";
}

const nlohmann::json &beamOf(const ScoringPlan &plan) { return plan.spec.at("beam"); }

std::string measureName(const ScoringPlan &plan) { return beamOf(plan).at("measure").get<std::string>(); }

/// K of the search: what was asked for, or half of the layers.
int largestKeep(const ScoringPlan &plan)
{
    const nlohmann::json &beam = beamOf(plan);
    const bool given = beam.contains("largest_keep");
    return given ? beam.at("largest_keep").get<int>() : experiment::keepFromPercent(50.0, plan.numLayers());
}

void checkBeamSpec(const nlohmann::json &spec)
{
    if (spec.at("beam").at("measure") == "recall")
        checkRecallSource(spec, "The field \"beam.measure\" is recall");
}

void checkBeam(const ScoringPlan &plan)
{
    if (static_cast<int>(plan.layers.size()) != plan.numLayers())
        throw Error(ErrorCode::Usage, "The selector beam-search looks at sets of all layers: leave the field \"layers\" empty.");
    if (const int keep = largestKeep(plan); keep < 1 || keep > plan.numLayers())
        throw Error(ErrorCode::Usage, "The field \"beam.largest_keep\" is " + std::to_string(keep) + " but must be from 1 to the teacher's " + std::to_string(plan.numLayers()) + " layers.");
    if (measureName(plan) == "recall")
        checkPasskeyRoom(plan);
}

std::int64_t supernetSteps(const ScoringPlan &plan) { return beamOf(plan).at("supernet_steps").get<std::int64_t>(); }

/// At most: beams share candidates, and candidates share prefixes.
SelectorCost beamCost(const ScoringPlan &plan)
{
    const std::int64_t candidates = selection::mostBeamCandidates(plan.numLayers(), largestKeep(plan), beamOf(plan).at("width").get<int>());
    SelectorCost cost{.measuredTokens = plan.heldOutTokens, .blockPasses = (candidates + 1) * plan.numLayers(), .atMost = true, .lockStep = false};
    if (const std::int64_t steps = supernetSteps(plan); steps > 0) {
        cost.students = 1;
        cost.trainingTokens = steps * tokensPerStep(plan.spec);
    }
    return cost;
}

/// Candidates share a walk through the tree of their choices: one hidden state a layer.
MeasuringBytes beamMemory(const Measuring &measuring)
{
    const std::int64_t numLayers = measuring.plan.numLayers(), candidates = beamOf(measuring.plan).at("width").get<std::int64_t>() * numLayers;
    return studentsOnHeldOut(measuring, measureName(measuring.plan) == "kl" ? selection::HeldOutMeasure::Kl : selection::HeldOutMeasure::Loss, candidates, numLayers);
}

selection::SupernetOptions supernetOptions(const ScoringStage &stage)
{
    const nlohmann::json &beam = beamOf(stage);
    selection::SupernetOptions options;
    options.law = selection::parseSamplingLaw(beam.at("sampling").get<std::string>());
    options.largestKeep = largestKeep(stage);
    options.keepProbability = beam.at("keep_probability").get<double>();
    options.seed = stage.spec.at("seed").get<std::uint64_t>();
    options.training = hiddenStateOptions(stage.spec, stage.settings);
    options.training.states = selection::parseAlignedStates(beam.at("hidden_states").get<std::string>());
    options.training.learningRate = beam.at("supernet_learning_rate").get<double>();
    options.training.steps = supernetSteps(stage);
    return options;
}

/// The linear mixers that candidates are made of: stage 1's, or after the supernet.
std::vector<distillation::AlignedLayer> mixersFor(const ScoringStage &stage, const StageRun &run)
{
    if (supernetSteps(stage) == 0)
        return stage.aligned;
    selection::SupernetTraining training(stage.teacher.model, stage.aligned, *stage.data.training, supernetOptions(stage));
    ProgressMeter meter(run.sink, "supernet");
    distillation::TrainingLoopOptions loop = checkpointedLoop(stage.spec, run, stage.key, run.checkpoints(stage.key) / "supernet");
    loop.onStep = [&] {
        meter.update(training.step(), training.totalSteps(), training.tokens());
        if (training.metrics())
            run.sink(experiment::Metric{"supernet/hidden-error", training.step(), training.tokens(), training.metrics()->hiddenError, "relative squared error"});
    };
    distillation::runTraining(training, loop);
    return training.layers();
}

/// What sets are measured on: the held-out set, or what recall asks of it.
AnswerBatches measuredOn(const ScoringStage &stage)
{
    return measureName(stage) == "recall" ? answerBatches(stage.data) : AnswerBatches{stage.data.heldOut, {}};
}

/// Empty: KL, which the search measures by itself.
selection::StateMeasure stateMeasure(const ScoringStage &stage, const distillation::HeldOutSet &heldOut, std::vector<at::Tensor> answers_BT)
{
    if (measureName(stage) == "perplexity")
        return [&heldOut](std::size_t index, const at::Tensor &hidden_BTD, const at::Tensor &head_VD) {
            return evaluation::sequenceLosses(hidden_BTD, head_VD, distillation::nextTokenLabels(heldOut.batch(index))).nats;
        };
    if (measureName(stage) == "recall")
        return [labels = std::move(answers_BT)](std::size_t index, const at::Tensor &hidden_BTD, const at::Tensor &head_VD) {
            return evaluation::sequenceErrors(hidden_BTD, head_VD, labels[index]);
        };
    return {};
}

/// A search on one stage: what was measured is kept in a file after each size, so that an interrupted search measures nothing twice.
class Search final {
public:
    Search(const ScoringStage &stage, StageRun &run)
        : m_stage(stage), m_run(run), m_mixers(mixersFor(stage, run)), m_measuredOn(measuredOn(stage)), m_heldOut(stage.teacher.model, m_measuredOn.batches, heldOutOptions(stage, run)),
          m_measure(stateMeasure(stage, m_heldOut, m_measuredOn.labels_BT)), m_file(run.checkpoints(stage.key) / "measured-sets.json"), m_book(SetBook::read(m_file))
    {
    }

    selection::BeamResult run()
    {
        selection::BeamOptions options;
        options.numLayers = m_stage.numLayers();
        options.largestKeep = largestKeep(m_stage);
        options.width = beamOf(m_stage).at("width").get<int>();
        options.onLevel = [this](const selection::BeamLevel &level) { say(level); };
        return selection::beamSearch(options, [this](const std::vector<experiment::LayerSet> &sets) { return measure(sets); });
    }

    [[nodiscard]] const SetBook &book() const { return m_book; }
    [[nodiscard]] std::int64_t blockPasses() const { return m_blockPasses; }
    /// A layer alone, or (-1) none, as a score.
    [[nodiscard]] experiment::LayerScore scoreOf(int layer) const
    {
        const std::vector<double> &values = m_book.at(layer < 0 ? experiment::LayerSet{} : experiment::LayerSet{layer});
        const analysis::Estimate estimate = overSequences(values);
        experiment::LayerScore score = estimatedScore(m_stage, layer, estimate);
        if (measureName(m_stage) == "kl")
            score.klNats = estimate.mean;
        if (measureName(m_stage) == "recall")
            score.unit = wrongAnswers(m_stage);
        score.tokens = supernetSteps(m_stage) * tokensPerStep(m_stage.spec);
        return score;
    }

private:
    std::vector<std::vector<double>> measure(const std::vector<experiment::LayerSet> &sets)
    {
        const std::vector<experiment::LayerSet> missing = m_book.missing(sets);
        if (!missing.empty()) {
            ProgressMeter meter(m_run.sink, "sets of " + std::to_string(sets.front().size()) + " layers");
            selection::MeasureSetsOptions options;
            options.stop = m_run.stop;
            options.progress = [&](std::int64_t done, std::int64_t total) { meter.update(done, total, 0); };
            options.measure = m_measure;
            const selection::SetScores scores = selection::measureSets(m_stage.teacher.model, m_mixers, missing, m_heldOut, options);
            m_blockPasses += scores.blockEvaluations;
            m_book.add(missing, scores.perSequence);
            m_book.write(m_file);
        }
        std::vector<std::vector<double>> values;
        for (const experiment::LayerSet &set : sets)
            values.push_back(m_book.at(set));
        return values;
    }

    void say(const selection::BeamLevel &level) const
    {
        const std::size_t size = level.beam.front().keep.size();
        const analysis::Estimate best = overSequences(level.beam.front().perSequence);
        m_run.sink(experiment::Metric{"beam/best", static_cast<std::int64_t>(size), 0, best.mean, measureName(m_stage) == "recall" ? wrongAnswers(m_stage) : "nats/token"});
        if (size == 0)
            m_run.sink(scoreOf(-1));
        if (size == 1)
            for (const int layer : m_stage.layers)
                m_run.sink(scoreOf(layer));
    }

    const ScoringStage &m_stage;
    StageRun &m_run;
    std::vector<distillation::AlignedLayer> m_mixers;
    AnswerBatches m_measuredOn;
    distillation::HeldOutSet m_heldOut;
    selection::StateMeasure m_measure;
    fs::path m_file;
    SetBook m_book;
    std::int64_t m_blockPasses = 0;
};

/// The layers of the largest set in the order of the search, then the others as they are alone: the sets by K are what the search found.
experiment::Ranking rankingOf(const selection::BeamResult &found, const std::vector<experiment::LayerScore> &scores, int numLayers)
{
    experiment::Ranking ranking = found.pathTo(static_cast<int>(found.levels.size()) - 1);
    for (const int layer : experiment::rank(scores, numLayers))
        if (std::find(ranking.begin(), ranking.end(), layer) == ranking.end())
            ranking.push_back(layer);
    return ranking;
}

nlohmann::json levelJson(const selection::BeamLevel &level, const std::vector<int> &path)
{
    nlohmann::json json = {{"measured", level.numMeasured}, {"path", path}};
    if (level.margin)
        json["margin"] = {{"mean", level.margin->mean}, {"se", level.margin->se}, {"n", level.margin->n}};
    for (const selection::MeasuredSet &set : level.beam)
        json["beam"].push_back({{"layers", set.keep}, {"score", overSequences(set.perSequence).mean}, {"se", overSequences(set.perSequence).se}});
    return json;
}

Scored scoreBeam(const ScoringStage &stage, StageRun &run)
{
    Search search(stage, run);
    const selection::BeamResult found = search.run();
    Scored scored;
    for (int layer = -1; layer < stage.numLayers(); ++layer)
        scored.scores.push_back(search.scoreOf(layer));
    scored.ranking = rankingOf(found, scored.scores, stage.numLayers());
    for (std::size_t keep = 0; keep < found.levels.size(); ++keep) {
        const selection::MeasuredSet &best = found.best(static_cast<int>(keep));
        const analysis::Estimate estimate = overSequences(best.perSequence);
        scored.sets.push_back({best.keep, estimate.mean, estimate.se, estimate.n});
        scored.notes["levels"].push_back(levelJson(found.levels[keep], found.pathTo(static_cast<int>(keep))));
    }
    scored.spent = beamCost(stage);
    scored.spent.blockPasses = search.blockPasses() + stage.numLayers();
    scored.spent.atMost = false;
    return scored;
}

}  // namespace

extern const Selector beamSearchSelector;
constinit const Selector beamSearchSelector{
    .name = "beam-search",
    .help = "Adds one layer after the other to the best few sets so far, each set measured as a whole.",
    .source = "PostNAS (arXiv 2508.15884): beam search over sets, with a supernet where beam.supernet_steps is above 0; width and law of sampling are not published",
    .costFormula = "at most 1 + Σ over k < K of min(b, C(L,k)) · (L - k) passes of a model over the held-out set, less what candidates share",
    .fields = beamFields,
    .checkSpec = checkBeamSpec,
    .check = checkBeam,
    .cost = beamCost,
    .memory = beamMemory,
    .score = scoreBeam,
};

}  // namespace stillroom::procedures
