// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/klagainstk.h"

#include "comparison/stageresult.h"
#include "comparison/studentkl.h"
#include "error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace stillroom::comparison {
namespace fs = std::filesystem;
namespace {

/// A file of a stage's results; null where there is none that can be read. A path out of the database must not lead out of the workspace.
nlohmann::json resultIn(const fs::path &workspace, const fs::path &artifact, const char *file)
{
    if (artifact.empty() || artifact.is_absolute() || std::any_of(artifact.begin(), artifact.end(), [](const fs::path &part) { return part == ".."; }))
        return nullptr;
    try {
        return stageResult(workspace / artifact / file, "The stored result");
    } catch (const Error &) {
        return nullptr;
    }
}

bool isOfTeacher(const nlohmann::json &spec, const std::string &teacher)
{
    if (textIn(spec, "teacher") == teacher)
        return true;
    const nlohmann::json stages = spec.is_object() ? spec.value("stages", nlohmann::json()) : nlohmann::json();
    return std::any_of(stages.begin(), stages.end(), [&](const nlohmann::json &stage) { return stage.is_object() && stage.contains("spec") && textIn(stage.at("spec"), "teacher") == teacher; });
}

std::string teacherHashOf(const store::Workspace &workspace, const store::Scoring &scoring, const std::string &teacher)
{
    if (std::string hash = textIn(resultIn(workspace.folder(), scoring.artifact, "scores.json"), "teacher_hash"); !hash.empty())
        return hash;
    for (const store::Run &run : workspace.runs())
        if (isOfTeacher(nlohmann::json::parse(run.specJson, nullptr, false), teacher))
            for (const store::StoredArtifact &one : workspace.artifacts(run.uuid, "distill"))
                if (std::string hash = textIn(resultIn(workspace.folder(), one.artifact.path, "result.json"), "teacher_hash"); !hash.empty())
                    return hash;
    return {};
}

/// KL of the students that keep one layer, and of the one that keeps none, at the last evaluation that all of them have.
struct KeptAlone {
    std::vector<std::vector<double>> kl_LS;
    std::vector<double> allLinear_S;
};

KeptAlone keptAlone(const nlohmann::json &curves, std::size_t numLayers)
{
    std::vector<StudentKl> byLayer(numLayers);
    StudentKl allLinear;
    std::size_t evaluations = std::numeric_limits<std::size_t>::max();
    for (const nlohmann::json &one : curves) {
        StudentKl student = studentKl(one);
        const bool ofALayer = student.kept.size() == 1 && student.kept.front() >= 0 && static_cast<std::size_t>(student.kept.front()) < numLayers;
        if ((!ofALayer && !student.kept.empty()) || student.klNats_ES.empty())      // of another set, or never measured
            continue;
        evaluations = std::min(evaluations, student.klNats_ES.size());
        (ofALayer ? byLayer[static_cast<std::size_t>(student.kept.front())] : allLinear) = std::move(student);
    }
    const auto last = [&](StudentKl &student) { return student.klNats_ES.empty() ? std::vector<double>() : std::move(student.klNats_ES[evaluations - 1]); };
    KeptAlone found;
    for (StudentKl &student : byLayer)
        found.kl_LS.push_back(last(student));
    found.allLinear_S = last(allLinear);
    return found;
}

}  // namespace

analysis::ShownKlCurve predictedKl(const fs::path &workspace, const std::string &artifact, const experiment::Ranking &ranking)
{
    const nlohmann::json stored = resultIn(workspace, artifact, "curves.json");
    if (!stored.is_object() || !stored.contains("curves"))
        return {};
    try {
        KeptAlone kl = keptAlone(stored.at("curves"), ranking.size());
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
    const std::string hash = scoring.ranking ? teacherHashOf(workspace, scoring, teacher) : std::string();
    if (hash.empty())
        return measured;
    const std::vector<DistilledHybrid> hybrids = comparable(distilledHybrids(workspace.folder(), hash, scoring.mixer, *scoring.ranking));
    if (hybrids.empty())
        return measured;
    try {
        measured.curve = analysis::shownMeasurement(klCurveOf(hybrids));
    } catch (const Error &) {      // a value that is not finite
        return measured;
    }
    for (const DistilledHybrid &hybrid : hybrids)
        measured.keys.push_back(hybrid.key);
    measured.tokens = hybrids.front().tokens;
    return measured;
}

KlAgainstK klAgainstK(const store::Workspace &workspace, const store::Scoring &scoring, const std::string &teacher)
{
    if (!scoring.ranking)
        return {};
    return {predictedKl(workspace.folder(), scoring.artifact, *scoring.ranking), measuredKl(workspace, scoring, teacher)};
}

}  // namespace stillroom::comparison
