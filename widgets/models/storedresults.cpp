// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/storedresults.h"

#include "models/jobqueue.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

namespace stillroom::widgets {
namespace {

void addHybrids(std::vector<MeasuredHybrid> &all, const store::Run &run)
{
    const nlohmann::json result = nlohmann::json::parse(run.resultJson, nullptr, false);
    const QString uuid = QString::fromStdString(run.uuid);
    const auto add = [&](const nlohmann::json &one, const QString &task) {
        if (auto hybrid = measuredHybrid(one, uuid, task))
            all.push_back(std::move(*hybrid));
    };
    if (run.kind == "distill")
        add(result, QStringLiteral("distill"));
    if (run.kind == "pipeline" && result.is_object() && result.contains("stages"))
        for (const auto &[task, stage] : result["stages"].items())
            add(stage.value("result", nlohmann::json()), QString::fromStdString(task));
}

ResumableRun resumableRun(const store::Run &run)
{
    const QueuedJob asked = queuedJob(QString::fromStdString(run.uuid), QString::fromStdString(run.specJson), true, false);
    return {asked.run, QString::fromStdString(run.kind), asked.mixer, asked.selector, run.status == store::RunStatus::Cancelled};
}

/// Of two the interrupted one, of equals the newest.
ResumableRun resumableAmong(const std::vector<store::Run> &runs, const store::Workspace &workspace)
{
    for (const store::RunStatus status : {store::RunStatus::Interrupted, store::RunStatus::Cancelled})
        for (const store::Run &run : runs)
            if (run.status == status && run.kind != "inspect" && (run.key.empty() || !workspace.stages().findStage(run.key)))
                return resumableRun(run);
    return {};
}

}  // namespace

QString teacherOf(const std::string &specJson)
{
    const nlohmann::json spec = nlohmann::json::parse(specJson, nullptr, false);
    if (!spec.is_object())
        return {};
    if (spec.contains("teacher") && spec["teacher"].is_string())
        return QString::fromStdString(spec["teacher"].get<std::string>());
    if (spec.contains("stages") && spec["stages"].is_array())
        for (const nlohmann::json &stage : spec["stages"])
            if (stage.contains("spec") && stage["spec"].contains("teacher"))
                return QString::fromStdString(stage["spec"]["teacher"].get<std::string>());
    return {};
}

std::optional<MeasuredHybrid> measuredHybrid(const nlohmann::json &result, const QString &run, const QString &task)
{
    if (!result.is_object() || !result.contains("selected") || !result.contains("measures"))
        return std::nullopt;
    if (result.value("tokens", std::int64_t{1}) == 0)      // put together and never trained: says what a start is worth, not what distilling reaches
        return std::nullopt;
    const nlohmann::json &measures = result["measures"];
    MeasuredHybrid hybrid;
    hybrid.layers = result["selected"].get<experiment::LayerSet>();
    hybrid.mixer = QString::fromStdString(result.value("mixer", std::string("gdn")));
    hybrid.klNats = measures.value("kl_nats", 0.0);
    const auto se = measures.find("se_nats");      // null where it was measured on one sequence
    hybrid.seNats = se != measures.end() && se->is_number() ? se->get<double>() : std::numeric_limits<double>::quiet_NaN();
    hybrid.numSequences = measures.value("n", std::int64_t{0});
    if (measures.contains("recall"))
        hybrid.recall = measures["recall"].get<double>();
    if (measures.contains("perplexity"))
        hybrid.perplexity = measures["perplexity"].get<double>();
    hybrid.tokens = result.value("tokens", std::int64_t{0});
    hybrid.run = run;
    hybrid.task = task;
    const QStringList place = QString::fromStdString(result.value("model", std::string())).split(QLatin1Char('/'));      // artifacts/KEY/model
    hybrid.model = place.size() == 3 ? place[1] : QString();
    return hybrid;
}

StoredResults storedResults(store::Workspace &workspace, const QString &teacher)
{
    StoredResults results;
    results.scorings = store::scorings(workspace, teacher.toStdString());
    results.calibrations = storedCalibrations(workspace, teacher);
    std::vector<store::Run> runs = workspace.runs();
    std::erase_if(runs, [&](const store::Run &run) { return teacherOf(run.specJson) != teacher; });
    for (const store::Run &run : runs)
        if (run.status != store::RunStatus::Running)
            results.endedRuns.insert(run.uuid);
    for (const store::Run &run : workspace.runs({.trashed = true}))
        results.endedRuns.insert(run.uuid);
    std::erase_if(runs, [](const store::Run &run) { return run.status == store::RunStatus::Failed; });
    results.resumable = resumableAmong(runs, workspace);
    for (auto run = runs.rbegin(); run != runs.rend(); ++run)      // they are newest first
        addHybrids(results.hybrids, *run);
    for (MeasuredHybrid &hybrid : results.hybrids)
        if (std::error_code unknown; !std::filesystem::exists(workspace.folder() / "artifacts" / hybrid.model.toStdString() / "model" / "config.json", unknown))
            hybrid.model.clear();      // only its numbers came with the workspace
    return results;
}

Curves storedCurves(const store::Workspace &workspace, const std::vector<MeasuredHybrid> &candidates)
{
    for (const MeasuredHybrid &one : candidates)
        if (Curves curves = storedCurves(workspace, one.run, one.task); !curves.isEmpty())
            return curves;
    return {};
}

Curves storedCurves(const store::Workspace &workspace, const QString &run, const QString &task)
{
    Curves curves;
    for (const char *series : {"distill/kl", "distill/held_out_kl"}) {
        QVector<CurvePoint> points;
        for (const store::MetricPoint &point : workspace.metric(run.toStdString(), task.toStdString(), series))
            points.push_back({static_cast<double>(point.tokens), point.value});
        if (!points.isEmpty())
            curves[QString::fromLatin1(series)] = points;
    }
    return curves;
}

}  // namespace stillroom::widgets
