// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/calibrationbook.h"

#include "error.h"
#include "models/storedresults.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <set>
#include <string_view>

namespace stillroom::widgets {
namespace {

const QString firstShown = QStringLiteral("mean_distance");

QString textIn(const nlohmann::json &object, const char *name)
{
    const auto found = object.is_object() ? object.find(name) : object.end();
    return found != object.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

/// False too for what is no key, or a stage whose mark is damaged.
bool isThere(const store::Workspace &workspace, const std::string &key)
{
    try {
        return !key.empty() && workspace.stages().findStage(key).has_value();
    } catch (const Error &) {
        return false;
    }
}

std::filesystem::path artifactOf(const store::Workspace &workspace, const StoredCalibration &calibration)
{
    const auto stage = workspace.stages().findStage(calibration.key);
    if (!stage)
        throw Error(ErrorCode::BadFile, "The results of this calibration are not in the workspace any more: calibrate again to make them anew.");
    return stage->folder;
}

}  // namespace

std::vector<StoredCalibration> storedCalibrations(const store::Workspace &workspace, const QString &teacher)
{
    std::vector<StoredCalibration> all;
    std::set<std::string> keys;
    std::vector<store::Run> runs = workspace.runs();
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {      // oldest first: an equal one only used its results
        if ((run->kind != "calibrate" && run->kind != "pipeline") || teacherOf(run->specJson) != teacher)
            continue;
        for (const store::TaskInfo &task : workspace.tasks(run->uuid)) {
            const nlohmann::json result = nlohmann::json::parse(task.resultJson, nullptr, false);
            if (task.kind != "calibrate" || !result.is_object() || !isThere(workspace, task.key) || !keys.insert(task.key).second)
                continue;
            all.push_back({QString::fromStdString(run->uuid), QString::fromStdString(task.task), QString::fromStdString(run->name), textIn(result, "arm"), textIn(result, "mixer"), task.key,
                           run->startedSeconds});
        }
    }
    std::reverse(all.begin(), all.end());
    return all;
}

bool AlignmentCurves::add(const std::string &series, double step, double value)
{
    for (const auto &[prefix, curves] : {std::pair{std::string_view("calibrate/relative_mse/"), &relativeMse}, std::pair{std::string_view("calibrate/cosine/"), &cosine}}) {
        if (!series.starts_with(prefix))
            continue;
        int layer = -1;
        const char *end = series.data() + series.size();
        if (const auto [rest, error] = std::from_chars(series.data() + prefix.size(), end, layer); error != std::errc() || rest != end || layer < 0)
            return false;
        (*curves)[layer].push_back({step, value});
        return true;
    }
    return false;
}

CalibrationFindings calibrationFindings(const store::Workspace &workspace, const StoredCalibration &calibration)
{
    CalibrationFindings findings;
    const std::string run = calibration.run.toStdString(), task = calibration.task.toStdString();
    for (const store::SeriesInfo &one : workspace.series(run))
        if (one.task == task && one.series.starts_with("calibrate/") && AlignmentCurves().add(one.series, 0.0, 0.0))
            for (const store::MetricPoint &point : workspace.metric(run, task, one.series))
                findings.curves.add(one.series, static_cast<double>(point.step), point.value);
    try {
        findings.report = std::make_shared<const CalibrationReport>(CalibrationReport::read(artifactOf(workspace, calibration) / "calibration.json"));
    } catch (const Error &error) {
        findings.problem = QString::fromStdString(error.what());
    }
    return findings;
}

std::vector<HeadMaps> calibrationMaps(const store::Workspace &workspace, const StoredCalibration &calibration, int layer)
{
    return readHeadMaps(artifactOf(workspace, calibration) / "maps" / (std::to_string(layer) + ".json"));
}

CalibrationBook::CalibrationBook(LayerSelection &selection, QObject *parent) : QObject(parent), m_selection(selection), m_statistic(firstShown)
{
    connect(&selection, &LayerSelection::changed, this, [this] {
        askForMaps();
        Q_EMIT pickChanged();
    });
}

void CalibrationBook::clear()
{
    m_stored.clear();
    m_chosen.reset();
    m_findings = {};
    m_live = {};
    m_liveRun.clear();
    m_head = 0;
    askForMaps();
    Q_EMIT storedChanged();
    Q_EMIT reportChanged();
    Q_EMIT curvesChanged();
}

/// The one looked at stays; the one that was just made is looked at.
void CalibrationBook::setStored(std::vector<StoredCalibration> stored)
{
    const auto isStored = [&](const QString &run) { return std::any_of(stored.begin(), stored.end(), [&](const StoredCalibration &one) { return one.run == run; }); };
    const QString wanted = isLive() && isStored(m_liveRun) ? m_liveRun : m_chosen && isStored(m_chosen->run) ? m_chosen->run : stored.empty() ? QString() : stored.front().run;
    const bool others = stored != m_stored;
    m_stored = std::move(stored);
    if (others)
        Q_EMIT storedChanged();
    if (!m_chosen || wanted != m_chosen->run)
        choose(wanted);
}

const StoredCalibration *CalibrationBook::chosen() const
{
    return m_chosen ? &*m_chosen : nullptr;
}

void CalibrationBook::choose(const QString &run)
{
    const auto found = std::find_if(m_stored.begin(), m_stored.end(), [&](const StoredCalibration &one) { return one.run == run; });
    if (found == m_stored.end() || (m_chosen && m_chosen->run == run))
        return;
    m_chosen = *found;
    m_findings = {};
    if (run != m_liveRun)
        m_liveRun.clear();
    askForMaps();
    Q_EMIT chosenChanged();
    Q_EMIT reportChanged();
    Q_EMIT curvesChanged();
}

void CalibrationBook::setFindings(const StoredCalibration &of, CalibrationFindings findings)
{
    if (!m_chosen || !(*m_chosen == of))      // another one has been chosen meanwhile
        return;
    m_findings = std::move(findings);
    if (of.run == m_liveRun)
        m_liveRun.clear();                    // its stored curves are the same, and whole
    askForMaps();
    Q_EMIT reportChanged();
    Q_EMIT curvesChanged();
}

report::StatisticShown statisticShown(const HeadStatistic &statistic)
{
    return {statistic.name.toStdString(), statistic.unit.toStdString(), statistic.scale == ColourScale::Logarithmic};
}

std::string columnsName(const HeadStatistic &statistic)
{
    return statistic.owner == Owner::Layer ? "number" : statistic.owner == Owner::QueryHead ? "query head" : "head with a state";
}

report::Provenance headProvenance(const CalibrationBook &book, const std::string &title)
{
    report::Provenance provenance = book.provenance(title);
    provenance.settings.emplace_back("head", std::to_string(book.head()));
    provenance.settings.emplace_back("layer", std::to_string(book.layer()));
    return provenance;
}

report::Provenance CalibrationBook::provenance(const std::string &title) const
{
    report::Provenance provenance{.title = title, .version = {}, .runs = {}, .keys = {}, .seeds = {}, .settings = {}, .date = {}};
    if (!m_chosen)
        return provenance;
    provenance.runs = {m_chosen->run.toStdString()};
    if (!m_chosen->key.empty())
        provenance.keys = {m_chosen->key};
    provenance.settings = {{"arm", m_chosen->arm.toStdString()}, {"mixer", m_chosen->mixer.toStdString()}};
    if (report())
        provenance.settings.emplace_back("tokens", std::to_string(std::int64_t{report()->numSequences()} * report()->sequenceLength()));
    return provenance;
}

report::FigureSpec CalibrationBook::figureSpec(const std::string &plot) const
{
    report::FigureSpec spec;
    spec.plot = plot;
    if (m_chosen)
        spec.run = m_chosen->run.toStdString();
    if (const HeadStatistic *shown = statistic(); shown && (plot == "head-map" || plot == "head-distribution")) {
        spec.statistic = shown->id.toStdString();
        spec.side = sideId(side());
    }
    if (plot.starts_with("head-") && spec.statistic.empty() && head() >= 0) {
        spec.layer = layer();
        spec.head = head();
    }
    return spec;
}

const HeadStatistic *CalibrationBook::statistic() const
{
    if (!report())
        return nullptr;
    const auto &all = report()->statistics();
    const auto found = std::find_if(all.begin(), all.end(), [&](const HeadStatistic &one) { return one.id == m_statistic; });
    return found != all.end() ? &*found : &all.front();
}

void CalibrationBook::setStatistic(const QString &id)
{
    if (id == m_statistic)
        return;
    m_statistic = id;
    Q_EMIT viewChanged();
}

Side CalibrationBook::side() const
{
    const HeadStatistic *shown = statistic();
    if (!shown || !shown->has(m_side))
        return Side::After;
    const bool isOfOnePhase = m_side == Side::ByPhaseOne || m_side == Side::ByPhaseTwo, ranBoth = shown->has(Side::ByPhaseOne) && shown->has(Side::ByPhaseTwo);
    return isOfOnePhase && !ranBoth ? Side::Difference : m_side;      // of one phase alone it is the whole difference
}

void CalibrationBook::setSide(Side side)
{
    if (side == m_side)
        return;
    m_side = side;
    Q_EMIT viewChanged();
}

int CalibrationBook::layer() const
{
    const int layer = m_selection.layer();
    return report() && std::binary_search(report()->layers().begin(), report()->layers().end(), layer) ? layer : -1;
}

void CalibrationBook::pick(int layer, int head)
{
    const bool sameLayer = layer == m_selection.layer();
    if (sameLayer && head == m_head)
        return;
    m_head = std::max(0, head);
    if (sameLayer)
        Q_EMIT pickChanged();
    else
        m_selection.select(layer);
}

void CalibrationBook::pickFirst()
{
    if (!report() || report()->layers().empty() || head() >= 0)
        return;
    const std::vector<int> &layers = report()->layers();
    const std::vector<CalibrationAlarm> &alarms = report()->alarms();
    const auto first = std::find_if(alarms.begin(), alarms.end(), [&](const CalibrationAlarm &one) { return std::binary_search(layers.begin(), layers.end(), one.layer); });
    if (first == alarms.end())
        pick(layers.front(), 0);
    else
        pick(first->layer, report()->firstHeadOf(*first));
}

void CalibrationBook::askForMaps()
{
    m_maps.clear();
    m_mapsProblem.clear();
    m_mapsThere = false;
    m_mapsLayer = layer();
    if (m_mapsLayer >= 0)
        Q_EMIT mapsWanted(m_mapsLayer);
    Q_EMIT mapsChanged();
}

const std::vector<HeadMaps> *CalibrationBook::maps() const
{
    return m_mapsThere ? &m_maps : nullptr;
}

void CalibrationBook::setMaps(const StoredCalibration &of, int layer, std::vector<HeadMaps> maps, const QString &problem)
{
    if (!m_chosen || !(*m_chosen == of) || layer != m_mapsLayer)
        return;
    m_maps = std::move(maps);
    m_mapsProblem = problem;
    m_mapsThere = true;
    Q_EMIT mapsChanged();
}

void CalibrationBook::beginLive(const QString &run)
{
    m_live = {};
    m_liveRun = run;
    Q_EMIT curvesChanged();
}

void CalibrationBook::endLive(const std::string &key)
{
    if (!m_live.isEmpty())
        return;
    m_liveRun.clear();
    const auto equal = std::find_if(m_stored.begin(), m_stored.end(), [&](const StoredCalibration &one) { return one.key == key; });
    if (equal != m_stored.end())
        choose(equal->run);
    Q_EMIT curvesChanged();
}

void CalibrationBook::addLive(const std::string &series, double step, double value)
{
    m_live.add(series, step, value);
}

}  // namespace stillroom::widgets
