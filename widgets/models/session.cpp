// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/session.h"

#include "error.h"
#include "experiment/spec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int readingIntervalMs = 200;

/// The teacher that a stored spec names, or empty.
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

void merge(nlohmann::json &spec, const nlohmann::json &settings)
{
    spec.merge_patch(settings);
}

}  // namespace

Session::Session(std::filesystem::path workspace, jobs::Procedure procedure, QObject *parent)
    : QObject(parent), m_workspace(std::move(workspace)), m_procedure(std::move(procedure)),
      m_recorder(m_workspace, [this](const std::vector<std::string> &) { QMetaObject::invokeMethod(this, &Session::stored, Qt::QueuedConnection); }), m_store(m_workspace)
{
    connect(&m_job, &JobFeed::events, this, &Session::handle);
    connect(&m_job, &JobFeed::ended, this, &Session::handleEnd);
    const auto follow = [this] { m_choice.setRanking(m_scores.ranking()); };
    connect(&m_scores, &ScoreBook::changed, this, follow);
    connect(&m_choice, &HybridChoice::changed, this, &Session::showStoredCurves);
    connect(&m_choice, &HybridChoice::changed, this, [this] { m_choices.setByHand(m_choice.isCustom() ? std::optional(m_choice.layers()) : std::nullopt); });
    m_reading.setSingleShot(true);
    m_reading.setInterval(readingIntervalMs);
    connect(this, &Session::stored, &m_reading, [this] {
        if (!m_reading.isActive())
            m_reading.start();
    });
    connect(&m_reading, &QTimer::timeout, this, [this] {
        if (!m_job.isRunning())      // while one runs, its own events are quicker
            loadScorings();
    });
}

Session::~Session() = default;

void Session::setProbe(const QString &mixer)
{
    if (mixer == m_probe)
        return;
    m_probe = mixer;
    // Scores of the new probe come to the front where there are any.
    for (const ScoreBook::Source &source : m_scores.sources())
        if (source.mixer == mixer)
            m_scores.setSource(source, false);
    Q_EMIT probeChanged();
    showStoredCurves();
}

const QVector<CurvePoint> &Session::curve(const QString &series) const
{
    static const QVector<CurvePoint> none;
    const auto found = m_curves.constFind(series);
    return found == m_curves.constEnd() ? none : found.value();
}

std::optional<MeasuredHybrid> Session::measured(const experiment::LayerSet &layers) const
{
    const auto found = std::find_if(m_hybrids.rbegin(), m_hybrids.rend(), [&](const MeasuredHybrid &one) { return one.layers == layers && one.mixer == m_probe; });
    return found == m_hybrids.rend() ? std::nullopt : std::optional(*found);
}

/// A run that reused an equal stage has no curve of its own: the latest run that has one gives it.
void Session::showStoredCurves()
{
    if (m_jobKind == QLatin1String("distill"))
        return;
    m_curves.clear();
    m_curveLayers = m_choice.layers();
    for (auto one = m_hybrids.rbegin(); one != m_hybrids.rend() && m_curves.isEmpty(); ++one) {
        if (one->layers != m_curveLayers || one->mixer != m_probe)
            continue;
        const std::string run = one->run.toStdString(), task = one->task.toStdString();
        for (const char *series : {"distill/kl", "distill/held_out_kl"}) {
            QVector<CurvePoint> points;
            for (const store::MetricPoint &point : m_store.metric(run, task, series))
                points.push_back({static_cast<double>(point.tokens), point.value});
            if (!points.isEmpty())
                m_curves[QString::fromLatin1(series)] = points;
        }
    }
    Q_EMIT curveChanged({});
}

QString Session::resumableRun() const
{
    for (const store::RunStatus status : {store::RunStatus::Interrupted, store::RunStatus::Cancelled}) {
        store::RunFilter filter;
        filter.status = status;
        for (const store::Run &run : m_store.runs(filter))
            if (teacherOf(run.specJson) == m_teacher.argument && run.kind != "inspect" && (run.key.empty() || !m_store.stages().findStage(run.key)))
                return QString::fromStdString(run.uuid);
    }
    return {};
}

void Session::openTeacher(const QString &argument)
{
    m_pendingTeacher = argument;
    start({{"kind", "inspect"}, {"model", argument.toStdString()}}, false, false);
}

void Session::score(const nlohmann::json &settings, bool fresh)
{
    nlohmann::json spec = {{"kind", "score"}, {"teacher", m_teacher.argument.toStdString()}, {"mixer", {{"kind", m_probe.toStdString()}}}};
    merge(spec, settings);
    start(spec, !fresh, fresh);
}

void Session::distil(const nlohmann::json &settings)
{
    nlohmann::json spec = {{"kind", "distill"}, {"teacher", m_teacher.argument.toStdString()}, {"mixer", {{"kind", m_probe.toStdString()}}}, {"keep", m_choice.layers()}};
    merge(spec, settings);
    start(spec, true, false);
}

void Session::resume(const QString &run)
{
    const auto stored = m_store.run(run.toStdString());
    if (!stored) {
        Q_EMIT problem(tr("The run is not in this workspace any more."));
        return;
    }
    start(nlohmann::json::parse(stored->specJson), true, false, run);
}

void Session::cancel()
{
    m_job.requestStop();
}

void Session::start(const nlohmann::json &spec, bool resume, bool fresh, const QString &runId)
{
    try {
        jobs::LaunchOptions options;
        options.workspace = m_workspace;
        options.procedure = m_procedure;
        options.resume = resume;
        options.fresh = fresh;
        options.runId = runId.toStdString();
        options.observer = [this](const experiment::Event &event) { m_recorder.notice(event.run); };
        const nlohmann::json completed = experiment::completeSpec(spec);
        m_job.start(completed, std::move(options));
        m_jobKind = QString::fromStdString(completed.at("kind").get<std::string>());
        if (m_jobKind == QLatin1String("distill")) {
            m_curves.clear();
            const nlohmann::json keep = completed.value("keep", nlohmann::json());
            m_curveLayers = keep.is_array() ? keep.get<experiment::LayerSet>() : m_choice.layers();
            Q_EMIT curveChanged({});
        }
        Q_EMIT jobKindChanged();
    } catch (const Error &error) {
        Q_EMIT problem(QString::fromStdString(error.what()));
    }
}

void Session::handle(const std::vector<experiment::Event> &events)
{
    std::vector<experiment::LayerScore> scores;
    std::map<std::pair<std::string, std::string>, std::vector<experiment::LayerScore>> byTask;      // of (run, task)
    QStringList touched;
    const experiment::Progress *latest = nullptr;
    QString task;
    for (const experiment::Event &event : events) {
        if (const auto *score = std::get_if<experiment::LayerScore>(&event.body)) {
            scores.push_back(*score);
            byTask[{event.run, event.task}].push_back(*score);
        } else if (const auto *metric = std::get_if<experiment::Metric>(&event.body)) {
            const QString series = QString::fromStdString(metric->series);
            m_curves[series].push_back({static_cast<double>(metric->tokens), metric->value});
            if (!touched.contains(series))
                touched << series;
        } else if (const auto *now = std::get_if<experiment::Progress>(&event.body)) {
            latest = now;
            task = QString::fromStdString(event.task);
        } else if (const auto *text = std::get_if<experiment::Text>(&event.body); text && text->name != "continuation") {
            Q_EMIT notice(QString::fromStdString(text->text));
        } else if (const auto *warning = std::get_if<experiment::Warning>(&event.body)) {
            Q_EMIT notice(QString::fromStdString(warning->message));
        }
    }
    for (const auto &[from, own] : byTask)
        m_choices.add(from.first, from.second, own);
    m_scores.add(scores);
    for (const QString &series : touched)
        Q_EMIT curveChanged(series);
    if (latest)
        Q_EMIT progress(*latest, task);
}

void Session::handleEnd(const experiment::Event &last)
{
    const QString kind = std::exchange(m_jobKind, {});
    if (kind == QLatin1String("distill") && m_curveLayers != m_choice.layers())
        showStoredCurves();
    Q_EMIT jobKindChanged();
    if (const auto *failed = std::get_if<experiment::Failed>(&last.body)) {
        Q_EMIT problem(QString::fromStdString(failed->message));
        return;
    }
    const auto *finished = std::get_if<experiment::Finished>(&last.body);
    if (!finished) {
        Q_EMIT notice(tr("Cancelled. It can be resumed from its last checkpoint."));
        return;
    }
    const nlohmann::json result = nlohmann::json::parse(finished->resultJson, nullptr, false);
    if (kind == QLatin1String("inspect")) {
        m_teacher = modelDescription(std::exchange(m_pendingTeacher, {}), result);
        m_scores.clear(m_teacher.numLayers);
        m_choice.reset(m_teacher.numLayers);
        m_selection.clear();
        m_curves.clear();
        m_hybrids.clear();
        m_choices.reset({m_teacher.numLayers, m_teacher.hiddenSize});
        loadStored();
        loadScorings();
        showStoredCurves();
        Q_EMIT teacherChanged();
    } else if (kind == QLatin1String("distill")) {
        noteHybrid(result, QString::fromStdString(last.run), kind);
    }
}

void Session::noteHybrid(const nlohmann::json &result, const QString &run, const QString &task)
{
    if (!result.is_object() || !result.contains("selected") || !result.contains("measures"))
        return;
    const nlohmann::json &measures = result["measures"];
    MeasuredHybrid hybrid;
    hybrid.layers = result["selected"].get<experiment::LayerSet>();
    hybrid.mixer = QString::fromStdString(result.value("mixer", std::string("gdn")));
    hybrid.klNats = measures.value("kl_nats", 0.0);
    hybrid.seNats = measures.value("se_nats", 0.0);
    if (measures.contains("recall"))
        hybrid.recall = measures["recall"].get<double>();
    if (measures.contains("perplexity"))
        hybrid.perplexity = measures["perplexity"].get<double>();
    hybrid.run = run;
    hybrid.task = task;
    m_hybrids.push_back(std::move(hybrid));
    Q_EMIT hybridsChanged();
}

void Session::loadScorings()
{
    if (!m_teacher.isValid())
        return;
    std::vector<store::Scoring> scorings = store::scorings(m_store, m_teacher.argument.toStdString());
    std::map<ScoreBook::Source, experiment::Ranking> rankings;
    for (const store::Scoring &one : scorings)      // oldest run first, as in loadStored: later ones take their place
        if (one.ranking)
            rankings[{QString::fromStdString(one.selector), QString::fromStdString(one.mixer)}] = *one.ranking;
    m_scores.setOwnRankings(std::move(rankings));
    m_choices.setScorings(std::move(scorings));
}

void Session::loadStored()
{
    std::vector<store::Run> runs = m_store.runs();
    std::reverse(runs.begin(), runs.end());            // oldest first: later results take their place
    for (const store::Run &run : runs) {
        if (run.status == store::RunStatus::Failed || teacherOf(run.specJson) != m_teacher.argument)
            continue;
        std::vector<experiment::LayerScore> scores;
        for (store::StoredScore &stored : m_store.scores(run.uuid))
            scores.push_back(std::move(stored.score));
        m_scores.add(scores);      // at once: every call repaints
        const nlohmann::json result = nlohmann::json::parse(run.resultJson, nullptr, false);
        const QString uuid = QString::fromStdString(run.uuid);
        if (run.kind == "distill")
            noteHybrid(result, uuid, QStringLiteral("distill"));
        if (run.kind == "pipeline" && result.is_object() && result.contains("stages"))
            for (const auto &[task, stage] : result["stages"].items())
                noteHybrid(stage.value("result", nlohmann::json()), uuid, QString::fromStdString(task));
    }
}

}  // namespace stillroom::widgets
