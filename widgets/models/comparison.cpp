// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/comparison.h"

#include "analysis/intervals.h"
#include "models/experimenttable.h"
#include "models/specfields.h"
#include "report/runlooks.h"
#include "views/names.h"

#include <QPointer>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>

namespace stillroom::widgets {
namespace {

/// Of the rows of the curve that has most of them: it shows best what is usual.
std::vector<double> timesOf(const ComparedExperiment &one)
{
    const auto fewer = [](const auto &a, const auto &b) { return a.second->size() < b.second->size(); };
    const auto longest = std::max_element(one.curves.begin(), one.curves.end(), fewer);
    std::vector<double> times;
    if (longest != one.curves.end())
        for (const store::MetricPoint &point : *longest->second)
            times.push_back(point.timeSeconds);
    return times;
}

/// Of a run that goes on, what it measured comes with its end. One that has finished stays as it is: all rows are read for the sake of one.
void readRows(const store::Workspace &workspace, std::vector<ComparedExperiment> &experiments)
{
    const auto isFinal = [](const ComparedExperiment &one) { return one.row.status == store::RunStatus::Finished; };
    if (std::all_of(experiments.begin(), experiments.end(), isFinal))
        return;
    for (store::ExperimentRow &row : store::experimentRows(workspace))
        for (ComparedExperiment &one : experiments)
            if (identityOf(one.row) == identityOf(row)) {
                one.row = std::move(row);
                break;
            }
}

/// To the bit: a value may be NaN.
bool isSamePoint(const store::MetricPoint &a, const store::MetricPoint &b)
{
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    return a.step == b.step && a.tokens == b.tokens && bits(a.value) == bits(b.value) && bits(a.timeSeconds) == bits(b.timeSeconds);
}

std::string sessionOf(const store::Run &run)
{
    return std::to_string(run.numResumed) + ' ' + run.process.host + ' ' + run.process.boot + ' ' + std::to_string(run.process.pid) + ' ' + std::to_string(run.process.startTicks);
}

/// Reads from the last known point on, and adds what is new. \return false where that point is not there as it was: the curve was cut back, written anew or replaced
bool grow(const store::Workspace &workspace, const std::string &run, const store::SeriesInfo &info, SharedCurve &curve)
{
    if (curve->empty())
        return false;
    const std::vector<store::MetricPoint> since = workspace.metric(run, info.task, info.series, curve->back().step);
    if (since.empty() || !isSamePoint(since.front(), curve->back()))
        return false;
    if (since.size() == 1)
        return true;
    std::vector<store::MetricPoint> points;
    points.reserve(curve->size() + since.size() - 1);
    points.insert(points.end(), curve->begin(), curve->end());
    points.insert(points.end(), since.begin() + 1, since.end());
    curve = std::make_shared<const std::vector<store::MetricPoint>>(std::move(points));
    return true;
}

/// What has not changed stays the same object: who has drawn it need not do so again.
void readWhole(const store::Workspace &workspace, const std::string &run, const store::SeriesInfo &info, SharedCurve &curve)
{
    std::vector<store::MetricPoint> points = workspace.metric(run, info.task, info.series);
    if (!curve || !std::equal(points.begin(), points.end(), curve->begin(), curve->end(), isSamePoint))
        curve = std::make_shared<const std::vector<store::MetricPoint>>(std::move(points));
}

/// A run that went on writes from its checkpoint up to where it had come, and behind what is there only after that: until the last point changes, any point may.
bool endsInSession(const SharedCurve &before, const SharedCurve &now)
{
    return before && !before->empty() && !now->empty() && !isSamePoint(before->back(), now->back());
}

void readCurve(const store::Workspace &workspace, const store::Run &run, const store::SeriesInfo &info, SharedCurve &curve, ReadState &state)
{
    const std::string session = sessionOf(run);
    const bool isSameSession = state.session == session;
    if (isSameSession && state.onlyGrows && run.status != store::RunStatus::Finished && grow(workspace, run.uuid, info, curve))      // of one that is over, all is read once more
        return;
    const SharedCurve before = curve;
    readWhole(workspace, run.uuid, info, curve);
    state = {session, run.numResumed == 0 || (isSameSession && (state.onlyGrows || endsInSession(before, curve)))};
}

/// Less its row. One that has been read since its end is not read again, however often others write to the workspace.
void readOne(const store::Workspace &workspace, ComparedExperiment &one)
{
    if (one.isFinal)
        return;
    const auto run = workspace.run(one.row.uuid);
    if (run)
        one.spec = specOfStage(run->specJson, one.row.task);
    const store::CurveHolder own{one.row.uuid, one.row.task.empty() ? one.row.kind : one.row.task}, holder = workspace.curveHolder(own.run, own.task).value_or(own);
    const auto heldBy = holder.run == own.run ? run : workspace.run(holder.run);
    if (heldBy)
        for (const store::SeriesInfo &info : workspace.series(holder.run))
            if (info.task == holder.task)
                readCurve(workspace, *heldBy, info, one.curves[QString::fromStdString(info.series)], one.readStates[QString::fromStdString(info.series)]);
    if (heldBy && heldBy->resumed)
        one.pauses = analysis::pausesOf(timesOf(one), true);
    one.isRead = true;
    one.isFinal = one.row.status == store::RunStatus::Finished;
}

}  // namespace

nlohmann::json specOfStage(const std::string &specJson, const std::string &task)
{
    nlohmann::json spec = nlohmann::json::parse(specJson, nullptr, false);
    if (task.empty() || !spec.is_object() || !spec.contains("stages") || !spec["stages"].is_array())
        return spec.is_object() ? spec : nlohmann::json();
    for (const nlohmann::json &stage : spec["stages"])
        if (stage.is_object() && stage.contains("spec") && stage.value("task", nlohmann::json()) == task)
            return stage["spec"];
    return {};
}

QString ComparedExperiment::name() const
{
    return distinction.isEmpty() ? ownName : distinctName(ownName, distinction);
}

std::optional<double> measureOf(const ComparedExperiment &one, const std::string &measure)
{
    const auto found = one.row.measures.find(measure);
    return found == one.row.measures.end() || !std::isfinite(found->second) ? std::nullopt : std::optional(found->second);
}

std::string identityOf(const store::ExperimentRow &row)
{
    return row.task.empty() ? row.uuid : row.uuid + "/" + row.task;
}

std::optional<std::int64_t> countOf(const ComparedExperiment &one, const std::string &measure)
{
    const auto count = measureOf(one, measure == "kl_nats" ? "n" : measure + (measure == "perplexity" ? "_tokens" : "_sequences"));
    return count && *count >= 1.0 ? std::optional(static_cast<std::int64_t>(*count)) : std::nullopt;
}

std::optional<double> errorOf(const ComparedExperiment &one, const std::string &measure)
{
    return measureOf(one, measure == "kl_nats" ? "se_nats" : measure + "_se");
}

std::optional<double> reachOf(const ComparedExperiment &one, const std::string &measure)
{
    const auto error = errorOf(one, measure);
    const auto count = countOf(one, measure);
    return error && count && *count > 1 ? std::optional(analysis::intervalReach(*error, *count)) : std::nullopt;
}

Comparison::Comparison(Session &session, QObject *parent) : QObject(parent), m_session(session)
{
    connect(&session, &Session::stored, this, &Comparison::read);      // a curve may have grown
}

void Comparison::giveLooks()
{
    std::vector<std::string> identities;
    for (const ComparedExperiment &one : m_experiments)
        identities.push_back(identityOf(one.row));
    const std::vector<int> looks = report::runLooks(identities);
    for (std::size_t i = 0; i < looks.size(); ++i)
        m_experiments[i].look = looks[i];
}

void Comparison::compare(const std::vector<store::ExperimentRow> &rows)
{
    m_drawing.release(std::make_shared<std::vector<ComparedExperiment>>(std::move(m_experiments)));
    m_experiments.clear();
    for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), most); ++i)
        m_experiments.push_back({.row = rows[i], .spec = {}, .curves = {}, .pauses = {}});
    nameAll();
    giveLooks();
    Q_EMIT changed();
    read();
}

/// Beside those that stand there, not beside all that there are.
void Comparison::nameAll()
{
    std::map<QString, int> alike;
    for (ComparedExperiment &one : m_experiments)
        ++alike[one.ownName = experimentTitle(one.row)];
    std::map<std::pair<QString, QString>, int> told;
    for (ComparedExperiment &one : m_experiments) {
        one.distinction = alike.at(one.ownName) > 1 ? distinctionText(one.row.distinction) : QString();
        ++told[{one.ownName, one.distinction}];
    }
    for (ComparedExperiment &one : m_experiments)
        if (told.at({one.ownName, one.distinction}) > 1) {
            const QString run = runName(QString::fromStdString(one.row.uuid));
            one.distinction = one.distinction.isEmpty() ? run : distinctName(one.distinction, run);
        }
}

void Comparison::remove(int place)
{
    m_drawing.release(std::make_shared<ComparedExperiment>(std::move(m_experiments[static_cast<std::size_t>(place)])));
    m_experiments.erase(m_experiments.begin() + place);
    nameAll();      // what told another one from it is no longer needed
    giveLooks();
    Q_EMIT changed();
}

void Comparison::makeBaseline(int place)
{
    std::rotate(m_experiments.begin(), m_experiments.begin() + place, m_experiments.begin() + place + 1);
    Q_EMIT changed();
}

void Comparison::read()
{
    if (m_experiments.empty())
        return;
    auto experiments = std::make_shared<std::vector<ComparedExperiment>>(m_experiments);
    m_session.withStore("comparison", [comparison = QPointer<Comparison>(this), experiments, asked = ++m_asked](store::Workspace &workspace) -> Background::Answer {
        readRows(workspace, *experiments);
        for (ComparedExperiment &one : *experiments)
            readOne(workspace, one);
        return [comparison, experiments, asked] {
            if (!comparison)
                return;
            if (asked == comparison->m_asked)
                comparison->take(*experiments);
            comparison->m_drawing.release(std::make_shared<std::vector<ComparedExperiment>>(std::move(*experiments)));      // what was, or came too late
        };
    });
}

/// What was stands in its place then. Some may have gone meanwhile, and the others stand beside fewer: their looks and names are not those of then.
void Comparison::take(std::vector<ComparedExperiment> &read)
{
    for (ComparedExperiment &shown : m_experiments)
        for (ComparedExperiment &one : read)
            if (identityOf(one.row) == identityOf(shown.row)) {
                one.look = shown.look;
                std::swap(shown, one);
                break;
            }
    nameAll();
    Q_EMIT changed();
}

QStringList Comparison::series() const
{
    std::set<QString> names;
    for (const ComparedExperiment &one : m_experiments)
        for (const auto &[name, points] : one.curves)
            names.insert(name);
    return {names.begin(), names.end()};
}

std::vector<std::string> Comparison::measures() const
{
    std::set<std::string> names;
    for (const ComparedExperiment &one : m_experiments)
        for (const auto &[name, value] : one.row.measures)
            if (isCompared(QString::fromStdString(name)))
                names.insert(name);
    std::vector<std::string> all(names.begin(), names.end());
    std::stable_partition(all.begin(), all.end(), isUsualMeasure);
    return all;
}

}  // namespace stillroom::widgets
