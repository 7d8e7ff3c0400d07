// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/session.h"

#include "analysis/margin.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/runname.h"
#include "experiment/spec.h"
#include "models/jobrunner.h"
#include "models/keptjobs.h"
#include "models/klcurves.h"
#include "models/modelopening.h"
#include "models/rankdraws.h"
#include "models/roomtogrow.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int readingIntervalMs = 200;

/// Of the stage that a job made or found made; empty where it did not finish.
std::string stageKeyOf(const experiment::Event &last)
{
    const auto *finished = std::get_if<experiment::Finished>(&last.body);
    const nlohmann::json result = finished ? nlohmann::json::parse(finished->resultJson, nullptr, false) : nlohmann::json();
    return result.is_object() && result.contains("key") && result["key"].is_string() ? result["key"].get<std::string>() : std::string();
}

}  // namespace

Session::Session(std::filesystem::path workspace, jobs::Procedure procedure, QObject *parent)
    : QObject(parent), m_workspace(std::move(workspace)), m_procedure(std::move(procedure)),
      m_recorder(m_workspace, [this](const std::vector<std::string> &) { QMetaObject::invokeMethod(this, &Session::stored, Qt::QueuedConnection); }), m_store(m_workspace), m_jobs(std::make_unique<JobRunner>(m_job, [this](const QueuedJob &job) { launch(job); })),
      m_opening(std::make_unique<ModelOpening>([this](JobFeed &feed, const nlohmann::json &spec) { feed.start(spec, launchOptions()); })), m_rankDraws(new RankDraws(*this)), m_klCurves(new KlCurves(*this))
{
    connect(&m_job, &JobFeed::events, this, &Session::handle);
    connect(m_jobs.get(), &JobRunner::begun, this, &Session::begin);
    connect(m_jobs.get(), &JobRunner::ended, this, [this](const QueuedJob &, const experiment::Event &last) { handleEnd(last); });
    connect(m_opening.get(), &ModelOpening::ended, this, &Session::takeOpened);
    connect(m_jobs.get(), &JobRunner::problem, this, &Session::problem);
    for (const QueuedJob &job : keptJobs(m_workspace))
        m_jobs->queue().append(job);
    connect(&m_jobs->queue(), &JobQueue::changed, this, [this] { keepJobs(m_workspace, m_jobs->queue().jobs()); });
    connect(&m_choices, &ChoiceBook::scoringsChanged, &m_scores, [this] { m_scores.setScorings(m_choices.scorings()); });
    const auto follow = [this] { m_choice.setRanking(m_scores.ranking(), m_scores.found()); };
    connect(&m_scores, &ScoreBook::changed, this, follow);
    connect(m_rankDraws, &RankDraws::changed, &m_scores, &ScoreBook::changed);      // what is settled is judged by them
    connect(&m_choice, &HybridChoice::changed, this, &Session::showStoredCurves);
    connect(&m_calibrations, &CalibrationBook::chosenChanged, this, &Session::readCalibration);
    connect(&m_calibrations, &CalibrationBook::mapsWanted, this, &Session::readMaps);
    connect(&m_choice, &HybridChoice::changed, this, [this] { m_choices.setByHand(m_choice.isCustom() ? std::optional(m_choice.layers()) : std::nullopt); });
    m_reading.setSingleShot(true);
    m_reading.setInterval(readingIntervalMs);
    connect(this, &Session::stored, &m_reading, [this] {
        if (!m_reading.isActive())
            m_reading.start();
    });
    connect(&m_reading, &QTimer::timeout, this, [this] {
        m_readAgain = m_job.isRunning() && m_awaited.empty() && !m_isReadOnTheWay;      // its own events are quicker
        if (!m_readAgain)
            readStored();
    });
}

Session::~Session() = default;

void Session::setProbe(const QString &mixer)
{
    if (mixer == m_probe)
        return;
    m_probe = mixer;
    m_scores.showMixer(mixer);
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
    const auto isIt = [&](const MeasuredHybrid &one) { return one.layers == layers && one.mixer == m_probe; };
    for (const auto *hybrids : {&m_measured, &m_stored.hybrids})
        if (const auto found = std::find_if(hybrids->rbegin(), hybrids->rend(), isIt); found != hybrids->rend())
            return *found;
    return std::nullopt;
}

int Session::numMeasured(const experiment::LayerSet &layers) const
{
    const std::vector<MeasuredHybrid> all = hybrids();
    return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const MeasuredHybrid &one) { return one.layers == layers && one.mixer == m_probe; }));
}

std::vector<MeasuredHybrid> Session::hybrids() const
{
    std::vector<MeasuredHybrid> all = m_stored.hybrids;
    all.insert(all.end(), m_measured.begin(), m_measured.end());
    return all;
}

std::vector<int> Session::unsettledLayers() const
{
    if (m_choice.isFound())
        return {};
    const store::Scoring *scoring = shownScoring();
    const int keep = m_choice.keep();
    const RankDraws::Drawn *drawn = scoring && scoring->ranking == m_choice.ranking() ? m_rankDraws->of(*scoring) : nullptr;
    if (!drawn)
        return m_scores.tieBand(keep);
    return keep > 0 && keep < drawn->samples.numLayers() ? analysis::tieBand(drawn->samples, *scoring->ranking, keep) : std::vector<int>();
}

/// At once where they have been read, else they follow. While K is dragged there mostly are none, before and after: nobody has to draw that again.
void Session::showStoredCurves()
{
    if (m_jobKind == QLatin1String("distill"))
        return;
    const bool wereAny = !std::exchange(m_curves, {}).isEmpty();
    m_curveLayers = m_choice.layers();
    if (const auto known = m_readCurves.find({m_curveLayers, m_probe}); known != m_readCurves.end())
        m_curves = known->second;
    else
        readCurves();
    if (wereAny || !m_curves.isEmpty())
        Q_EMIT curveChanged({});
}

void Session::readCurves()
{
    std::vector<MeasuredHybrid> candidates;
    for (const auto *hybrids : {&m_measured, &m_stored.hybrids})
        std::copy_if(hybrids->rbegin(), hybrids->rend(), std::back_inserter(candidates), [&](const MeasuredHybrid &one) { return one.layers == m_curveLayers && one.mixer == m_probe; });
    if (candidates.empty())
        return;
    withStore("curves", [this, candidates, teacher = m_teacher.argument, layers = m_curveLayers, probe = m_probe](store::Workspace &workspace) -> Background::Answer {
        return [this, teacher, layers, probe, curves = storedCurves(workspace, candidates)] {
            if (teacher != m_teacher.argument)      // another one has been opened meanwhile
                return;
            m_readCurves[{layers, probe}] = curves;
            if (m_jobKind == QLatin1String("distill") || layers != m_curveLayers || probe != m_probe)
                return;
            m_curves = curves;
            Q_EMIT curveChanged({});
        };
    });
}

void Session::readEarlierCurves(const QString &run)
{
    withStore("earlier curves", [this, run](store::Workspace &workspace) -> Background::Answer {
        return [this, run, earlier = storedCurves(workspace, run, QStringLiteral("distill"))] {
            if (m_jobKind != QLatin1String("distill") || m_job.runId() != run)
                return;
            for (auto series = earlier.begin(); series != earlier.end(); ++series) {
                QVector<CurvePoint> &live = m_curves[series.key()];
                QVector<CurvePoint> points = series.value();
                while (!live.isEmpty() && !points.isEmpty() && points.last().tokens >= live.first().tokens)
                    points.removeLast();
                live = points + live;
            }
            Q_EMIT curveChanged({});
        };
    });
}

void Session::withStore(const std::string &errand, std::function<Background::Answer(store::Workspace &)> work)
{
    m_background.run(errand, [this, work = std::move(work)]() -> Background::Answer {
        try {
            return work(m_store);
        } catch (const std::exception &error) {
            return [this, message = QString::fromUtf8(error.what())] { Q_EMIT problem(message); };
        }
    });
}

void Session::readStored()
{
    if (!m_teacher.isValid())
        return;
    withStore("stored", [this, teacher = m_teacher.argument](store::Workspace &workspace) -> Background::Answer {
        auto results = std::make_shared<StoredResults>(storedResults(workspace, teacher));      // an answer is copied on its way
        return [this, teacher, results] { takeStored(teacher, std::move(*results)); };
    });
}

bool Session::isAhead(const StoredResults &results) const
{
    return !m_jobRun.empty() && (m_job.runId().toStdString() == m_jobRun || !results.endedRuns.contains(m_jobRun));
}

std::vector<store::Scoring> Session::withLiveOnes(std::vector<store::Scoring> scorings) const
{
    std::erase_if(scorings, [&](const store::Scoring &one) { return one.run == m_jobRun; });
    std::copy_if(m_choices.scorings().begin(), m_choices.scorings().end(), std::back_inserter(scorings), [&](const store::Scoring &one) { return one.run == m_jobRun; });
    return scorings;
}

void Session::takeStored(const QString &teacher, StoredResults results)
{
    if (teacher != m_teacher.argument)      // another one has been opened meanwhile
        return;
    // What a job has measured meanwhile stays as it told it. When the store has its last line, all is read again.
    const bool ahead = isAhead(results);
    if (!ahead)
        m_jobRun.clear();      // the store knows it all, also that it has gone to the trash
    m_readAgain = m_readAgain || m_job.isRunning();
    if (results.endedRuns.contains(m_awaited))
        m_awaited.clear();
    std::vector<store::Scoring> scorings = std::exchange(results.scorings, {});
    m_calibrations.setStored(std::exchange(results.calibrations, {}));
    m_choices.setScorings(ahead ? withLiveOnes(std::move(scorings)) : std::move(scorings));
    const auto before = measured(m_curveLayers);
    m_stored = std::move(results);
    std::erase_if(m_measured, [this](const MeasuredHybrid &one) { return m_stored.endedRuns.contains(one.run.toStdString()); });      // now the store says it, or has it in the trash
    const bool fromStore = m_readCurves.contains({m_curveLayers, m_probe});
    m_readCurves.clear();
    Q_EMIT hybridsChanged();
    const auto now = measured(m_curveLayers);
    if (m_curves.isEmpty() || (before ? before->run : QString()) != (now ? now->run : QString()))
        showStoredCurves();
    else if (fromStore)      // it may have been read before the last lines of its run were in the store
        readCurves();
    Q_EMIT storedRead();
}

const store::Scoring *Session::scoringOf(const ScoreBook::Source &source) const
{
    return m_choices.scoring({source.run.toStdString(), source.task.toStdString(), source.selector.toStdString(), source.mixer.toStdString()});
}

const store::Scoring *Session::shownScoring() const
{
    return m_scores.source() ? scoringOf(*m_scores.source()) : nullptr;
}

report::Provenance Session::scoresProvenance(const std::string &title) const
{
    report::Provenance provenance{.title = title, .version = {}, .runs = {}, .keys = {}, .seeds = {}, .settings = {{"K", std::to_string(m_choice.keep())}}, .date = {}};
    const auto &source = m_scores.source();
    if (!source)
        return provenance;
    provenance.settings.emplace_back("mixer", source->mixer.toStdString());
    provenance.settings.emplace_back("selector", source->selector.toStdString());
    if (const store::Scoring *scoring = shownScoring()) {
        provenance.runs = {scoring->run};
        if (!scoring->key.empty())
            provenance.keys = {scoring->key};
        provenance.seeds = {scoring->seed};
    }
    return provenance;
}

report::FigureSpec Session::scoresSpec(const std::string &plot) const
{
    report::FigureSpec spec;
    spec.plot = plot;
    spec.keep = m_choice.keep();
    if (const auto &source = m_scores.source()) {
        spec.selector = source->selector.toStdString();
        spec.mixer = source->mixer.toStdString();
        spec.run = source->run.toStdString();
    }
    return spec;
}

/// What is chosen may change while it is read: the book takes only what it still looks at.
void Session::readCalibration()
{
    withStore("calibration", [this, calibration = *m_calibrations.chosen()](store::Workspace &workspace) -> Background::Answer {
        return [this, calibration, findings = calibrationFindings(workspace, calibration)] { m_calibrations.setFindings(calibration, findings); };
    });
}

void Session::readMaps(int layer)
{
    withStore("maps", [this, layer, calibration = *m_calibrations.chosen()](store::Workspace &workspace) -> Background::Answer {
        auto maps = std::make_shared<std::vector<HeadMaps>>();
        QString problem;
        try {
            *maps = calibrationMaps(workspace, calibration, layer);
        } catch (const Error &error) {
            problem = QString::fromStdString(error.what());
        }
        return [this, layer, calibration, maps, problem] { m_calibrations.setMaps(calibration, layer, std::move(*maps), problem); };
    });
}

void Session::openTeacher(const QString &argument)
{
    start({{"kind", "inspect"}, {"model", argument.toStdString()}}, false, false);
}

nlohmann::json Session::scoreSpec() const
{
    return {{"kind", "score"}, {"teacher", m_teacher.argument.toStdString()}, {"mixer", {{"kind", m_probe.toStdString()}}}};
}

nlohmann::json Session::distilSpec() const
{
    return {{"kind", "distill"}, {"teacher", m_teacher.argument.toStdString()}, {"mixer", {{"kind", m_probe.toStdString()}}}, {"keep", m_choice.layers()}};
}

nlohmann::json Session::calibrateSpec() const
{
    return {{"kind", "calibrate"}, {"teacher", m_teacher.argument.toStdString()}, {"mixer", {{"kind", m_probe.toStdString()}}}};
}

void Session::score(const nlohmann::json &settings, bool fresh)
{
    nlohmann::json spec = scoreSpec();
    spec.merge_patch(settings);
    start(spec, !fresh, fresh);
}

void Session::distil(const nlohmann::json &settings)
{
    nlohmann::json spec = distilSpec();
    spec.merge_patch(settings);
    start(spec, true, false);
}

void Session::calibrate(const nlohmann::json &settings)
{
    nlohmann::json spec = calibrateSpec();
    spec.merge_patch(settings);
    start(spec, true, false);
}

void Session::run(const nlohmann::json &spec)
{
    start(spec, true, false);
}

void Session::resume(const QString &run)
{
    if (m_jobs->queue().find(run)) {
        m_jobs->resume(run);
        return;
    }
    withStore("resume " + run.toStdString(), [this, run](store::Workspace &workspace) -> Background::Answer {
        const auto stored = workspace.run(run.toStdString());
        if (!stored)
            return [this] { Q_EMIT problem(tr("The run is not in this workspace any more.")); };
        return [this, run, spec = nlohmann::json::parse(stored->specJson)] { start(spec, true, false, run); };
    });
}

namespace {

const QueuedJob *cancellableJob(const JobQueue &queue)
{
    const QueuedJob *running = queue.running();
    if (running)
        return running->state == JobState::Cancelling ? nullptr : running;
    return queue.paused();
}

}  // namespace

void Session::cancel()
{
    if (m_opening->isUnderWay())
        m_opening->cancel();
    else if (const QueuedJob *job = cancellableJob(m_jobs->queue()))
        m_jobs->cancel(QString(job->run));
}

bool Session::canCancel() const
{
    return m_opening->isUnderWay() || cancellableJob(m_jobs->queue());
}

void Session::start(const nlohmann::json &spec, bool resume, bool fresh, const QString &runId)
{
    try {
        const nlohmann::json completed = experiment::completeSpec(spec);
        if (runId.isEmpty())
            experiment::checkRunName(experiment::textIn(completed, "name"));
        if (ModelOpening::isOne(completed))
            m_opening->open(completed);
        else
            m_jobs->ask(completed, resume, fresh, runId);
    } catch (const Error &error) {
        Q_EMIT problem(QString::fromStdString(error.what()));
    }
}

jobs::LaunchOptions Session::launchOptions()
{
    jobs::LaunchOptions options;
    options.workspace = m_workspace;
    options.procedure = m_procedure;
    options.runId = jobs::newUuid();
    options.observer = [this](const experiment::Event &event) { m_recorder.notice(event.run); };
    return options;
}

void Session::launch(const QueuedJob &job)
{
    jobs::LaunchOptions options = launchOptions();
    options.resume = job.resume;
    options.fresh = job.fresh;
    options.runId = job.run.toStdString();
    m_job.start(nlohmann::json::parse(job.spec.toStdString()), std::move(options));
}

/// The pages show what is computed about the open teacher; what is computed about another one they find in the store.
void Session::begin(const QueuedJob &job)
{
    const bool opens = job.kind == QLatin1String("inspect");
    if (opens)
        m_pendingTeacher = job.teacher;
    m_jobKind = opens || job.teacher == m_teacher.argument ? job.kind : QString();
    m_jobSelector = job.selector;
    m_jobSpec = job.spec.toStdString();
    if (m_jobKind == QLatin1String("score"))
        m_scores.beginLive(job.run, m_jobSelector);
    if (m_jobKind == QLatin1String("calibrate"))
        m_calibrations.beginLive(job.run);
    if (m_jobKind == QLatin1String("distill"))
        followDistillation(job, job.resume);
    Q_EMIT jobKindChanged();
}

/// A curve takes what comes behind what it reads. Scores that were said before cannot be told from those that come: they are read from the store alone.
void Session::rejoin(const QueuedJob &job)
{
    const bool isOurs = job.teacher == m_teacher.argument;
    m_jobKind = job.kind == QLatin1String("inspect") || (isOurs && job.kind == QLatin1String("distill")) ? job.kind : QString();
    m_isReadOnTheWay = isOurs && m_jobKind.isEmpty();
    if (m_jobKind == QLatin1String("distill"))
        followDistillation(job, true);
    Q_EMIT jobKindChanged();
}

void Session::followDistillation(const QueuedJob &job, bool hasEarlier)
{
    m_curves.clear();
    if (hasEarlier)
        readEarlierCurves(job.run);
    const nlohmann::json spec = nlohmann::json::parse(job.spec.toStdString()), keep = spec.value("keep", nlohmann::json());
    m_curveLayers = keep.is_array() ? keep.get<experiment::LayerSet>() : m_choice.layers();
    Q_EMIT curveChanged({});
}

void Session::handle(const std::vector<experiment::Event> &events)
{
    std::map<std::pair<std::string, std::string>, std::vector<experiment::LayerScore>> byTask;      // of (run, task)
    QStringList touched;
    const bool isShown = m_jobKind == QLatin1String("score") || m_jobKind == QLatin1String("distill") || m_jobKind == QLatin1String("calibrate");
    for (const experiment::Event &event : events) {
        if (const auto *score = std::get_if<experiment::LayerScore>(&event.body); score && isShown) {
            byTask[{event.run, event.task}].push_back(*score);
        } else if (const auto *metric = std::get_if<experiment::Metric>(&event.body); metric && isShown) {
            if (m_jobKind == QLatin1String("calibrate")) {
                m_calibrations.addLive(metric->series, static_cast<double>(metric->step), metric->value);
                continue;
            }
            const QString series = QString::fromStdString(metric->series);
            QVector<CurvePoint> &points = m_curves[series];
            while (!points.isEmpty() && points.last().tokens >= static_cast<double>(metric->tokens))      // a resumed run does again what came after its checkpoint
                points.removeLast();
            if (points.size() == points.capacity())
                points.reserve(roomToGrow(points.size()));
            points.push_back({static_cast<double>(metric->tokens), metric->value});
            if (!touched.contains(series))
                touched << series;
        } else if (const auto *text = std::get_if<experiment::Text>(&event.body); text && text->name != "continuation") {
            Q_EMIT notice(QString::fromStdString(text->text));
        } else if (const auto *warning = std::get_if<experiment::Warning>(&event.body)) {
            Q_EMIT notice(QString::fromStdString(warning->message));
        }
    }
    if (!byTask.empty())
        m_jobRun = byTask.rbegin()->first.first;
    for (const auto &[from, own] : byTask)
        m_choices.add(from.first, from.second, own, m_jobSpec);
    if (m_jobKind == QLatin1String("calibrate"))
        m_calibrations.sayCurves();
    for (const QString &series : touched)
        Q_EMIT curveChanged(series);
}

void Session::handleEnd(const experiment::Event &last)
{
    const QString kind = std::exchange(m_jobKind, {});
    m_isReadOnTheWay = false;
    if (!kind.isEmpty() && kind != QLatin1String("inspect"))
        m_awaited = last.run;
    const bool finishedIt = std::holds_alternative<experiment::Finished>(last.body);
    m_choices.endRun(last.run, finishedIt ? store::RunStatus::Finished : store::RunStatus::Cancelled);      // a distillation scores on its way, too
    if (kind == QLatin1String("score"))
        m_scores.endLive();
    if (kind == QLatin1String("distill") && (m_curveLayers != m_choice.layers() || (!finishedIt && measured(m_curveLayers))))
        showStoredCurves();      // what was stopped says nothing that can stand beside the number of one that ended
    if (kind == QLatin1String("calibrate"))
        m_calibrations.endLive(stageKeyOf(last));
    Q_EMIT jobKindChanged();
    if (std::exchange(m_readAgain, false))
        m_reading.start();
    if (const auto *failed = std::get_if<experiment::Failed>(&last.body)) {
        Q_EMIT problem(QString::fromStdString(failed->message));
        return;
    }
    const auto *finished = std::get_if<experiment::Finished>(&last.body);
    if (!finished)      // the strip of jobs says so, and how it goes on
        return;
    const nlohmann::json result = nlohmann::json::parse(finished->resultJson, nullptr, false);
    if (kind == QLatin1String("inspect"))      // which has read the attention, too
        showTeacher(modelDescription(std::exchange(m_pendingTeacher, {}), result));
    if (kind == QLatin1String("distill"))
        noteHybrid(result, QString::fromStdString(last.run));
}

void Session::takeOpened(const std::string &spec, const experiment::Event &last)
{
    if (const auto *failed = std::get_if<experiment::Failed>(&last.body))
        Q_EMIT problem(QString::fromStdString(failed->message));
    const auto *finished = std::get_if<experiment::Finished>(&last.body);
    if (!finished)
        return;
    showTeacher(modelDescription(m_opening->model(), nlohmann::json::parse(finished->resultJson, nullptr, false)));
    forgetEarlierLooks(last.run, spec);
}

void Session::forgetEarlierLooks(const std::string &run, const std::string &specJson)
{
    withStore("looks at models", [this, run, spec = nlohmann::json::parse(specJson, nullptr, false)](store::Workspace &workspace) -> Background::Answer {
        bool any = false;
        for (const store::Run &one : workspace.isReadOnly() ? std::vector<store::Run>() : workspace.runs({.kind = "inspect", .status = store::RunStatus::Finished})) {
            if (one.uuid == run || one.pinned || one.locked || !one.name.empty() || !one.notes.empty() || !one.tags.empty() || nlohmann::json::parse(one.specJson, nullptr, false) != spec)
                continue;
            workspace.setTrashed(one.uuid, true);
            workspace.purge(one.uuid);
            any = true;
        }
        return [this, any] {
            if (any)
                Q_EMIT stored();
        };
    });
}

void Session::showTeacher(ModelDescription teacher)
{
    m_jobKind.clear();
    // First, because views ask while the books are cleared: they must not find a new teacher beside the K of the last one,
    m_choice.clear();
    m_teacher = std::move(teacher);
    // and a new choice asks for the curves of hybrids: there must be none of another teacher.
    m_curves.clear();
    m_readCurves.clear();
    m_stored = {};
    m_measured.clear();
    m_scores.clear(m_teacher.numLayers);
    m_choice.reset(m_teacher.numLayers);
    m_selection.clear();
    m_jobRun.clear();
    m_awaited.clear();
    m_choices.reset({m_teacher.numLayers, m_teacher.hiddenSize});
    m_calibrations.clear();
    readStored();
    showStoredCurves();
    Q_EMIT teacherChanged();
    if (const QueuedJob *running = m_jobs->queue().running())
        rejoin(*running);
}

void Session::noteHybrid(const nlohmann::json &result, const QString &run)
{
    auto hybrid = measuredHybrid(result, run, QStringLiteral("distill"));
    if (!hybrid)
        return;
    m_measured.push_back(std::move(*hybrid));
    Q_EMIT hybridsChanged();
}

}  // namespace stillroom::widgets
