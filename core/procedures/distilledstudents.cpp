// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/distilledstudents.h"

#include "checkpoint/atomicfile.h"
#include "distillation/trainingmemory.h"
#include "error.h"
#include "experiment/digest.h"
#include "experiment/spec.h"
#include "procedures/progressmeter.h"
#include "procedures/stageoptions.h"
#include "selection/curvefile.h"
#include "selection/hybrid.h"

#include <algorithm>
#include <fstream>
#include <optional>

namespace stillroom::procedures {
namespace {

using selection::StudentCurve;

/// As keys and checkpoints name a set.
std::string setName(const experiment::LayerSet &layers)
{
    return experiment::layersText(layers, ",");
}

/// A student's curve does not depend on which others are trained, on the group, on whether training could have stopped early, or on who asks.
std::string curveKey(const ScoringStage &stage, const experiment::LayerSet &kept)
{
    nlohmann::json alone = withoutSelectorFields(stage.spec);
    alone["selector"] = "ga-s2";
    alone["layers"] = nlohmann::json::array();
    alone["include_all_linear"] = true;
    alone["early_stop"] = {{"enabled", false}};
    std::vector<std::string> inputs = stage.inputs;
    inputs.push_back(kept.empty() ? "layer -1" : kept.size() == 1 ? "layer " + setName(kept) : "kept " + setName(kept));
    return experiment::stageKey(alone, inputs, stage.settings.deviceClass(), stage.settings.typeText());
}

void keepCurve(const ScoringStage &stage, const StageRun &run, const StudentCurve &curve)
{
    const std::string key = curveKey(stage, curve.kept);
    const store::StageCache cache = run.stages();
    const store::StageDraft draft = cache.beginStage(key);
    checkpoint::writeFileAtomically(draft.folder / "curve.json", selection::curveToJson(curve).dump());
    cache.commitStage(draft, {{"kind", "kl-curve"}, {"kept", curve.kept}}, true);
    run.sink(experiment::Artifact{"kl-curve:" + (curve.kept.empty() ? "-1" : setName(curve.kept)), key, "artifacts/" + key});
}

/// Whether a stored curve can be one of this student on this held-out set.
bool isOf(const ScoringStage &stage, const StudentCurve &curve, const experiment::LayerSet &kept)
{
    std::int64_t numSequences = 0;
    for (const distillation::Batch &batch : stage.data.heldOut)
        numSequences += batch.ids_BT.size(0);
    return curve.kept == kept && !curve.kl.empty() && curve.tokens.front() == 0 && std::is_sorted(curve.tokens.begin(), curve.tokens.end())
           && std::all_of(curve.kl.begin(), curve.kl.end(), [&](const distillation::HeldOutKl &kl) { return static_cast<std::int64_t>(kl.klNats.size()) == numSequences; });
}

std::optional<StudentCurve> keptCurve(const ScoringStage &stage, const StageRun &run, const experiment::LayerSet &kept)
{
    const auto found = run.fresh ? std::nullopt : run.stages().openStage(curveKey(stage, kept), run.stop);
    if (!found)
        return std::nullopt;
    try {
        StudentCurve curve = selection::curveFromJson(nlohmann::json::parse(std::ifstream(found->folder / "curve.json"), nullptr, false));
        if (isOf(stage, curve, kept))
            return curve;
    } catch (const Error &) {         // said below
    }
    run.sink(experiment::Warning{"The stored KL curve \"artifacts/" + found->folder.filename().string() + "\" is damaged: its student is trained again."});
    return std::nullopt;
}

int groupSize(const ScoringStage &stage, const distillation::StageTwoOptions &options, std::size_t numStudents)
{
    const int given = stage.spec.at("group_size").get<int>();
    if (given > 0)
        return std::min(given, static_cast<int>(numStudents));
    const std::int64_t sequences = rowsOfPass(stage.spec);
    const nn::Transformer student = selection::hybrid(stage.teacher.model, stage.aligned, {});
    const auto one = distillation::studentBytes(student, options, sequences, stage.data.sequenceLength);
    // A fifth stays free for the allocator's gaps and for the rest of the machine.
    const std::int64_t budget = availableBytes(stage.settings.device) / 5 * 4;
    return distillation::lockStepGroup(budget, one, distillation::sharedBytes(stage.teacher.model, options, sequences, stage.data.sequenceLength), static_cast<int>(numStudents));
}

/// Names a group's checkpoints by its students.
std::string groupName(const std::vector<experiment::LayerSet> &sets)
{
    std::string all;
    for (const experiment::LayerSet &kept : sets)
        all += setName(kept) + ';';
    return "group-of-" + std::to_string(sets.size()) + '-' + experiment::sha256Hex(all).substr(0, 12);
}

/// Different students of a request, and where each request's student is among them.
struct Distinct {
    std::vector<StudentRequest> students;
    std::vector<std::size_t> places;

    explicit Distinct(const std::vector<StudentRequest> &requested)
    {
        for (const StudentRequest &one : requested) {
            const auto same = std::find_if(students.begin(), students.end(), [&](const StudentRequest &other) { return other.kept == one.kept; });
            places.push_back(static_cast<std::size_t>(same - students.begin()));
            if (same == students.end())
                students.push_back(one);
        }
    }
    /// Curves of the different students, in the order of the request.
    [[nodiscard]] std::vector<StudentCurve> inOrder(const std::vector<StudentCurve> &curves) const
    {
        std::vector<StudentCurve> ordered;
        for (const std::size_t place : places)
            ordered.push_back(curves[place]);
        return ordered;
    }
    /// Different students of some places in the request.
    [[nodiscard]] std::vector<std::size_t> members(const std::vector<std::size_t> &requested) const
    {
        std::vector<std::size_t> found;
        for (const std::size_t place : requested)
            found.push_back(places[place]);
        return found;
    }
    /// Places in the request of some of the different students.
    [[nodiscard]] std::vector<std::size_t> requested(const std::vector<std::size_t> &members) const
    {
        std::vector<std::size_t> found;
        for (std::size_t place = 0; place < places.size(); ++place)
            if (std::find(members.begin(), members.end(), places[place]) != members.end())
                found.push_back(place);
        return found;
    }
};

/// The groups of one request, one after the other.
class Groups final {
public:
    Groups(const ScoringStage &stage, StageRun &run, const StudentsRequest &request)
        : m_stage(stage), m_run(run), m_request(request), m_distinct(request.students), m_options(stageTwoOptions(stage.spec, stage.settings))
    {
        m_options.evaluateAtTokens = evaluationTokens(stage.spec, tokensPerStep(stage.spec));
        for (const StudentRequest &one : m_distinct.students) {
            m_curves.push_back({one.kept, {}, {}});
            // Who leaves when depends on the curves of all: with some of them known to the end another set would be raced, and the workspace's past change the result.
            if (auto kept = request.leaving ? std::nullopt : keptCurve(stage, run, one.kept)) {
                m_curves.back() = std::move(*kept);
                m_result.reused.push_back(one.name);
                m_known.push_back(m_curves.size() - 1);
            } else {
                m_missing.push_back(m_curves.size() - 1);
            }
        }
    }

    DistilledStudents run()
    {
        if (!m_known.empty())
            sayGrown(m_known);
        m_result.spent.measuredTokens = m_stage.heldOutTokens;
        m_result.spent.students = static_cast<std::int64_t>(m_missing.size());
        if (!m_missing.empty()) {
            m_result.spent.blockPasses = m_stage.numLayers();      // the teacher's
            m_result.groupSize = groupSize(m_stage, m_options, m_missing.size());
            warnOfEarlyStop();
            const distillation::HeldOutSet heldOut(m_stage.teacher.model, m_stage.data.heldOut, heldOutOptions(m_stage, m_run));
            const auto step = static_cast<std::size_t>(m_result.groupSize);
            m_meter.emplace(m_run.sink, phaseName());
            for (std::size_t first = 0; first < m_missing.size(); first += step)
                train({m_missing.begin() + static_cast<std::ptrdiff_t>(first), m_missing.begin() + static_cast<std::ptrdiff_t>(std::min(m_missing.size(), first + step))}, heldOut);
        }
        m_result.curves = m_distinct.inOrder(m_curves);
        return std::move(m_result);
    }

private:
    [[nodiscard]] bool oneGroup() const { return m_missing.size() == m_curves.size() && m_result.groupSize == static_cast<int>(m_curves.size()); }

    [[nodiscard]] std::string phaseName() const
    {
        const std::string size = std::to_string(m_result.groupSize), all = std::to_string(m_missing.size());
        return "scoring " + all + (m_missing.size() == 1 ? " student" : " students") + (m_result.groupSize < static_cast<int>(m_missing.size()) ? ", " + size + " in lock-step" : " in lock-step");
    }

    void warnOfEarlyStop() const
    {
        if (m_request.leaving && !oneGroup())
            m_run.sink(experiment::Warning{"Early stop needs all students in one lock-step group; here " + std::to_string(m_result.groupSize) + " of " + std::to_string(m_curves.size()) +
                                           " students train at a time, so every student gets all its tokens."});
    }
    void sayGrown(const std::vector<std::size_t> &members) const
    {
        if (m_request.onEvaluation)
            m_request.onEvaluation(m_distinct.inOrder(m_curves), m_distinct.requested(members));
    }

    void train(const std::vector<std::size_t> &members, const distillation::HeldOutSet &heldOut)
    {
        selection::ShortDistillation::Options options{m_options, {}, {}};
        for (const std::size_t member : members)
            options.kept.push_back(m_curves[member].kept);
        options.onEvaluation = [&](const std::vector<StudentCurve> &curves, bool last) {
            std::vector<std::size_t> grown;
            for (std::size_t i = 0; i < members.size(); ++i) {
                if (curves[i].kl.size() > m_curves[members[i]].kl.size())
                    grown.push_back(members[i]);
                m_curves[members[i]] = curves[i];
            }
            sayGrown(grown);
            return m_request.leaving && oneGroup() && !last ? m_distinct.members(m_request.leaving(m_distinct.inOrder(m_curves))) : std::vector<std::size_t>();
        };
        const std::string checkpoints = groupName(options.kept);
        selection::ShortDistillation group(m_stage.teacher.model, m_stage.aligned, heldOut, *m_stage.data.training, std::move(options));
        runGroup(group, members, checkpoints);
        m_result.endedEarly = m_result.endedEarly || group.endedEarly();
        for (std::size_t i = 0; i < members.size(); ++i) {
            const StudentCurve &curve = m_curves[members[i]] = group.curves()[i];
            m_result.spent.blockPasses += static_cast<std::int64_t>(curve.kl.size()) * m_stage.numLayers();
            m_result.spent.trainingTokens += curve.tokens.back();
            if (!group.endedEarly() && std::find(group.training().begin(), group.training().end(), i) != group.training().end())
                keepCurve(m_stage, m_run, curve);
        }
    }

    /// One bar and one time left for all groups.
    void runGroup(selection::ShortDistillation &group, const std::vector<std::size_t> &members, const std::string &checkpoints)
    {
        const auto count = static_cast<std::int64_t>(members.size()), all = static_cast<std::int64_t>(m_missing.size());
        distillation::TrainingLoopOptions loop = checkpointedLoop(m_stage.spec, m_run, m_stage.key, m_run.checkpoints(m_stage.key) / checkpoints);
        loop.onStep = [&] {
            m_meter->update(m_studentsDone * group.totalSteps() + group.step() * count, all * group.totalSteps(), m_tokensDone + group.tokens() * count);
            for (std::size_t i = 0; i < group.metrics().size(); ++i)
                m_run.sink(experiment::Metric{"score/kl/" + m_distinct.students[members[group.training()[i]]].name, group.step(), group.tokens(), group.metrics()[i].klNats, "nats/token"});
        };
        distillation::runTraining(group, loop);
        m_studentsDone += count;
        m_tokensDone += group.tokens() * count;
    }

    const ScoringStage &m_stage;
    StageRun &m_run;
    const StudentsRequest &m_request;
    Distinct m_distinct;
    distillation::StageTwoOptions m_options;
    std::vector<StudentCurve> m_curves;          ///< of the different students
    std::vector<std::size_t> m_known, m_missing; ///< among them: in the workspace already, to be trained
    DistilledStudents m_result;
    std::optional<ProgressMeter> m_meter;
    std::int64_t m_studentsDone = 0, m_tokensDone = 0;
};

}  // namespace

DistilledStudents distilStudents(const ScoringStage &stage, StageRun &run, const StudentsRequest &request)
{
    return Groups(stage, run, request).run();
}

SelectorCost distillationCost(const ScoringPlan &plan, std::int64_t numStudents)
{
    const std::int64_t perStep = tokensPerStep(plan.spec);
    const auto evaluations = static_cast<std::int64_t>(evaluationTokens(plan.spec, perStep).size());
    return {.measuredTokens = plan.heldOutTokens, .blockPasses = plan.numLayers() * (1 + evaluations * numStudents), .students = numStudents,
            .trainingTokens = numStudents * plan.spec.at("steps").get<std::int64_t>() * perStep};
}

}  // namespace stillroom::procedures
