// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/joblog.h"

#include "store/eventlines.h"
#include "views/jobwords.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QDateTime>
#include <QLocale>
#include <QPointer>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stillroom::widgets {
namespace {

using Kind = LogLine::Kind;

QString words(const std::string &text) { return QString::fromStdString(text); }

/// How each kind of event is said; empty texts are not.
struct Said {
    bool isFirst = true;      ///< of its run or stage: also what would take up an earlier one begins here
    LogLine operator()(const experiment::Started &e) const
    {
        if (!e.key.empty())
            return {Kind::Event, JobLog::tr("Computes on %1 in %2 (%3)").arg(words(e.device), words(e.computeType), JobLog::tr("%n threads", nullptr, e.threads)), {}, {}};
        const bool goesOn = e.resumed && !isFirst;
        return {Kind::Event, goesOn ? JobLog::tr("Goes on where it was left") : JobLog::tr("Begins"), {}, goesOn ? QStringLiteral("goes on") : QStringLiteral("begins")};      // said by the run and by its stage
    }
    LogLine operator()(const experiment::Progress &e) const
    {
        const QLocale locale;
        return {Kind::Event, JobLog::tr("%1: step %2 of %3").arg(phaseName(words(e.phase)), locale.toString(qint64{e.done}), locale.toString(qint64{e.total})), {}, QStringLiteral("phase ") + words(e.phase)};
    }
    LogLine operator()(const experiment::Metric &) const { return {}; }
    LogLine operator()(const experiment::LayerScore &e) const
    {
        const QString what = e.layer < 0 ? JobLog::tr("All layers linear") : JobLog::tr("Layer %1").arg(e.layer);
        const QString score = std::isfinite(e.se) ? JobLog::tr("%1: %2 ± %3 %4", "layer, score, error, unit").arg(what, shortNumber(e.score), shortNumber(e.se), words(e.unit))
                                                  : JobLog::tr("%1: %2 %3", "layer, score, unit").arg(what, shortNumber(e.score), words(e.unit));
        return {Kind::Event, score, {}, QStringLiteral("layer %1").arg(e.layer)};
    }
    LogLine operator()(const experiment::Table &e) const { return {Kind::Event, JobLog::tr("Table “%1”").arg(words(e.name)), {}, {}}; }
    LogLine operator()(const experiment::Artifact &e) const { return {Kind::Event, JobLog::tr("Keeps %1 in %2").arg(words(e.role), words(e.path)), {}, {}}; }
    LogLine operator()(const experiment::Text &e) const { return {Kind::Notice, words(e.text), {}, {}}; }
    LogLine operator()(const experiment::CheckpointSaved &e) const { return {Kind::Event, JobLog::tr("Checkpoint at step %1").arg(QLocale().toString(qint64{e.step})), words(e.path), {}}; }
    LogLine operator()(const experiment::Warning &e) const { return {Kind::Notice, words(e.message), {}, {}}; }
    LogLine operator()(const experiment::Finished &e) const { return {Kind::Event, JobLog::tr("Finished after %1").arg(shortDuration(e.seconds)), {}, {}}; }
    LogLine operator()(const experiment::Failed &e) const { return {Kind::Problem, words(e.message), words(e.detail), {}}; }
    LogLine operator()(const experiment::Cancelled &) const { return {Kind::Event, JobLog::tr("Stopped at the last step"), {}, QStringLiteral("stopped")}; }      // said by the stage and by the run
};

/// Of what arrived at once, less measured values, which no line is about, and steps and scores of a layer that were over before anybody could read them: a line that is overwritten is made once.
std::vector<const experiment::Event *> toBeSaid(const std::vector<experiment::Event> &events)
{
    std::vector<const experiment::Event *> said;
    const experiment::Event *newer = nullptr;      // the step that is said of this phase
    std::set<std::tuple<std::string_view, std::string_view, int>> scored;      // run, task and layer
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
        if (std::holds_alternative<experiment::Metric>(event->body))
            continue;
        if (const auto *progress = std::get_if<experiment::Progress>(&event->body)) {
            const bool isOld = newer && newer->run == event->run && newer->task == event->task && std::get<experiment::Progress>(newer->body).phase == progress->phase;
            newer = &*event;
            if (isOld)
                continue;
        } else if (const auto *score = std::get_if<experiment::LayerScore>(&event->body)) {
            if (!scored.emplace(event->run, event->task, score->layer).second)
                continue;
        } else if (experiment::isLast(event->body) || std::holds_alternative<experiment::Started>(event->body)) {
            newer = nullptr;      // what is before it is another turn's
            scored.clear();
        }
        said.push_back(&*event);
    }
    std::reverse(said.begin(), said.end());
    return said;
}

bool sharesLine(const LogLine &a, const LogLine &b)
{
    return a.kind == b.kind && (a.place.isEmpty() ? b.place.isEmpty() && a.text == b.text : a.place == b.place);
}

}  // namespace

std::optional<LogLine> logLine(const experiment::Event &event)
{
    LogLine line = std::visit(Said{event.seq <= 1}, event.body);
    if (line.text.isEmpty())
        return std::nullopt;
    line.timeSeconds = event.timeSeconds;
    line.ends = experiment::isLast(event.body);
    return line;
}

JobLog::JobLog(Session &session, QObject *parent) : QAbstractTableModel(parent), m_session(session)
{
    connect(&session.job(), &JobFeed::events, this, [this](const std::vector<experiment::Event> &events) {
        if (m_run.isEmpty())
            return;
        const std::string run = m_run.toStdString();
        for (const experiment::Event *event : toBeSaid(events)) {
            if (event->run != run)
                continue;
            if (m_read)
                add(*event);
            else
                m_arrived.push_back(*event);
        }
    });
}

void JobLog::show(const QString &run)
{
    if (run == m_run)
        return;
    beginResetModel();
    m_run = run;
    m_lines.clear();
    m_lastSeq.clear();
    m_arrived.clear();
    m_read = run.isEmpty();
    endResetModel();
    if (run.isEmpty())
        return;
    m_session.withStore("job log", [log = QPointer<JobLog>(this), run, folder = m_session.workspace()](store::Workspace &) -> Background::Answer {
        static const std::vector<std::string> types{"started", "progress", "layer-score", "table", "artifact", "text", "checkpoint", "warning", "finished", "failed", "cancelled"};
        auto events = std::make_shared<std::vector<experiment::Event>>();
        store::readEvents(folder, run.toStdString(), types, [&](const experiment::Event &event) {
            // Of the steps of a phase the last is enough.
            if (!events->empty() && std::holds_alternative<experiment::Progress>(event.body) && std::holds_alternative<experiment::Progress>(events->back().body) && events->back().task == event.task
                && std::get<experiment::Progress>(events->back().body).phase == std::get<experiment::Progress>(event.body).phase)
                events->back() = event;
            else
                events->push_back(event);
        });
        return [log, run, events] {
            if (log)
                log->take(run, *events);
        };
    });
}

void JobLog::take(const QString &run, const std::vector<experiment::Event> &events)
{
    if (run != m_run)      // another one is wanted meanwhile
        return;
    beginResetModel();
    for (const experiment::Event &event : events) {
        const auto line = fresh(event);
        if (!line)
            continue;
        if (const int row = rowOf(*line); row >= 0)
            repeat(row, *line);
        else
            m_lines.push_back(*line);
        if (rowCount() > most)
            m_lines.pop_front();
    }
    m_read = true;
    endResetModel();
    for (const experiment::Event &event : std::exchange(m_arrived, {}))
        add(event);
    Q_EMIT read();
}

std::optional<LogLine> JobLog::fresh(const experiment::Event &event)
{
    std::int64_t &last = m_lastSeq[event.task];
    if (event.seq > 0 && event.seq <= last)
        return std::nullopt;
    last = std::max(last, event.seq);
    return logLine(event);
}

int JobLog::rowOf(const LogLine &line) const
{
    const int last = rowCount() - 1;
    for (int row = last; row >= 0; --row) {
        const LogLine &one = m_lines[static_cast<std::size_t>(row)];
        if (one.ends && row < last)      // of an earlier turn of the job
            return -1;
        if (sharesLine(one, line))
            return row;
        if (one.ends)
            return -1;
    }
    return -1;
}

void JobLog::repeat(int row, const LogLine &line)
{
    const auto at = m_lines.begin() + row;
    const int count = at->count + 1;
    std::rotate(at, at + 1, m_lines.end());
    m_lines.back() = line;
    m_lines.back().count = count;
}

void JobLog::add(const experiment::Event &event)
{
    const auto line = fresh(event);
    if (!line)
        return;
    if (const int row = rowOf(*line); row >= 0) {
        const bool moves = row < rowCount() - 1;
        if (moves)
            beginMoveRows({}, row, row, {}, rowCount());
        repeat(row, *line);
        if (moves)
            endMoveRows();
        Q_EMIT dataChanged(index(rowCount() - 1, 0), index(rowCount() - 1, NumColumns - 1));
        return;
    }
    if (rowCount() >= most) {
        beginRemoveRows({}, 0, 0);
        m_lines.pop_front();
        endRemoveRows();
    }
    beginInsertRows({}, rowCount(), rowCount());
    m_lines.push_back(*line);
    endInsertRows();
}

int JobLog::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_lines.size()); }
int JobLog::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : NumColumns; }

QString JobLog::text(const LogLine &line, int column) const
{
    if (column == Time)
        return momentText(line.timeSeconds, QDateTime::currentDateTime());
    if (column == Kind)
        return line.kind == LogLine::Kind::Problem ? tr("problem") : line.kind == LogLine::Kind::Notice ? tr("notice") : QString();
    return line.count > 1 && line.place.isEmpty() ? tr("%1 (×%2)", "message, how often").arg(line.text, QString::number(line.count)) : line.text;
}

QString JobLog::asText(const QModelIndexList &rows) const
{
    QStringList lines;
    for (int row = 0; row < rowCount(); ++row) {
        if (!rows.isEmpty() && std::none_of(rows.begin(), rows.end(), [row](const QModelIndex &one) { return one.row() == row; }))
            continue;
        const LogLine &line = m_lines[static_cast<std::size_t>(row)];
        lines << QStringList{text(line, Time), text(line, Kind), text(line, Message)}.join(QLatin1Char('\t'));
        if (!line.detail.isEmpty())
            lines << line.detail;
    }
    return lines.join(QLatin1Char('\n'));
}

QVariant JobLog::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LogLine &line = m_lines[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole)
        return text(line, index.column());
    if (role == SecondsRole)
        return line.timeSeconds;
    if (role == Qt::ToolTipRole && index.column() == Message)
        return line.detail.isEmpty() ? text(line, Message) : line.detail;
    return {};
}

QVariant JobLog::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Time ? tr("Time") : section == Kind ? tr("Kind") : tr("Message");
}

}  // namespace stillroom::widgets
