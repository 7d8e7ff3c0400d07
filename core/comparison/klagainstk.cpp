// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/klagainstk.h"

#include "comparison/keptalone.h"
#include "comparison/resultfile.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "store/layout.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace stillroom::comparison {
namespace fs = std::filesystem;
namespace {

/// A file of a stage's results; null where there is none that can be read.
nlohmann::json resultIn(const fs::path &workspace, const fs::path &artifact, const char *file)
{
    if (!store::staysInside(artifact))
        return nullptr;
    try {
        return readResultFile(workspace / artifact / file, "The stored result");
    } catch (const Error &) {
        return nullptr;
    }
}

bool isOfTeacher(const nlohmann::json &spec, const std::string &teacher)
{
    if (experiment::textIn(spec, "teacher") == teacher)
        return true;
    const nlohmann::json stages = spec.is_object() ? spec.value("stages", nlohmann::json()) : nlohmann::json();
    return std::any_of(stages.begin(), stages.end(), [&](const nlohmann::json &stage) { return stage.is_object() && stage.contains("spec") && experiment::textIn(stage.at("spec"), "teacher") == teacher; });
}

std::string teacherHashOf(const store::Workspace &workspace, const nlohmann::json &result, const std::string &teacher)
{
    if (std::string hash = experiment::textIn(result, "teacher_hash"); !hash.empty())
        return hash;
    for (const store::Run &run : workspace.runs())
        if (isOfTeacher(nlohmann::json::parse(run.specJson, nullptr, false), teacher))
            for (const store::StoredArtifact &one : workspace.artifacts(run.uuid, "distill"))
                if (std::string hash = experiment::textIn(resultIn(workspace.folder(), one.artifact.path, "result.json"), "teacher_hash"); !hash.empty())
                    return hash;
    return {};
}

/// By stage. Of several runs with an equal stage the oldest made it: the others took what was there.
std::vector<experiment::StageSource> sourcesOf(const store::Workspace &workspace, const std::vector<DistilledHybrid> &hybrids)
{
    std::vector<experiment::StageSource> sources;
    for (const DistilledHybrid &hybrid : hybrids)
        sources.push_back({hybrid.key, {}, {}});
    for (const store::Run &run : workspace.runs())      // newest first
        for (const store::TaskInfo &task : workspace.tasks(run.uuid))
            for (experiment::StageSource &source : sources)
                if (source.key == task.key && task.isFinished()) {
                    source.run = run.uuid;
                    source.runName = run.name;
                }
    return sources;
}

}  // namespace

analysis::ShownKlCurve predictedKl(const fs::path &workspace, const std::string &artifact, const experiment::Ranking &ranking)
{
    const nlohmann::json stored = resultIn(workspace, artifact, "curves.json");
    if (!stored.is_object() || !stored.contains("curves"))
        return {};
    try {
        KeptAloneKl kl = keptAlone(stored.at("curves"), static_cast<int>(ranking.size()));
        return analysis::shownPrediction(analysis::additivePrediction(analysis::LayerSamples(std::move(kl.kl_LS)), kl.allLinear_S, ranking));
    } catch (const Error &) {      // a student is missing, lists differ in length, a value is not finite
        return {};
    } catch (const nlohmann::json::exception &) {
        return {};
    }
}

analysis::KlCurve klCurveOf(const std::vector<DistilledHybrid> &hybrids)
{
    analysis::KlCurve curve;
    for (const DistilledHybrid &hybrid : hybrids) {
        curve.keeps.push_back(static_cast<int>(hybrid.kept.size()));
        curve.klNats_KS.push_back(hybrid.klNats_S);
    }
    return curve;
}

MeasuredKl measuredKl(const store::Workspace &workspace, const store::Scoring &scoring, const std::string &teacher)
{
    MeasuredKl measured;
    const nlohmann::json result = resultIn(workspace.folder(), scoring.artifact, "scores.json");
    const std::string hash = scoring.ranking ? teacherHashOf(workspace, result, teacher) : std::string();
    if (hash.empty())
        return measured;
    std::size_t unreadable = 0;
    const auto count = [&](const fs::path &, const std::string &) { ++unreadable; };
    const ComparableHybrids hybrids = comparable(distilledHybrids(workspace.folder(), hash, scoring.mixer, *scoring.ranking, count), originOf(result, scoring.settings.empty() ? std::nullopt : std::optional(scoring.seed)));
    measured.leftOut = hybrids.leftOut;
    measured.leftOut.unreadable = unreadable;
    if (hybrids.byKeep.empty())
        return measured;
    try {
        measured.curve = analysis::shownMeasurement(klCurveOf(hybrids.byKeep));
    } catch (const Error &) {      // a value that is not finite
        measured.leftOut.unreadable += hybrids.byKeep.size();
        return measured;
    }
    measured.hybrids = sourcesOf(workspace, hybrids.byKeep);
    measured.tokens = hybrids.byKeep.front().conditions.tokens;
    measured.seed = hybrids.byKeep.front().conditions.seed;
    measured.isOwn = hybrids.isOwn;
    return measured;
}

KlAgainstK klAgainstK(const store::Workspace &workspace, const store::Scoring &scoring, const std::string &teacher)
{
    if (!scoring.ranking)
        return {};
    return {predictedKl(workspace.folder(), scoring.artifact, *scoring.ranking), measuredKl(workspace, scoring, teacher)};
}

}  // namespace stillroom::comparison
