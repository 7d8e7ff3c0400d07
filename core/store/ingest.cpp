// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/ingest.h"

#include "error.h"
#include "experiment/digest.h"
#include "experiment/jsontext.h"
#include "experiment/spec.h"
#include "store/binding.h"
#include "store/database.h"
#include "store/layout.h"
#include "store/stagecache.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t maximumLineBytes = std::size_t{64} << 20U;
constexpr double silenceSeconds = 600.0;     // a process on another machine that says nothing for so long counts as gone

/// SQLite stores NaN as NULL and has infinities; each is said explicitly.
std::optional<int> notFinite(double value)
{
    if (std::isnan(value))
        return 1;
    if (std::isinf(value))
        return value > 0 ? 2 : 3;
    return std::nullopt;
}

std::optional<double> finite(double value)
{
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

double now()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

ProcessIdentity processOf(const fs::path &workspace, const std::string &uuid)
{
    std::ifstream stream(runFolder(workspace, uuid) / "process.json");
    const json parsed = json::parse(stream, nullptr, false);
    return processFromJson(parsed.is_discarded() ? json() : parsed);
}

}  // namespace

/// Complete lines from one place of a file on, parsed.
struct Ingestor::Lines {
    std::vector<experiment::Event> events;
    std::vector<std::pair<std::int64_t, std::string>> unreadable;      // line number, why
    std::int64_t bytes = 0, lines = 0;                                 // position behind them
    bool changeState = false;

    void parse(const std::string &line, const std::string &uuid)
    {
        ++lines;
        try {
            experiment::Event event = experiment::fromLine(line);
            if (event.run != uuid)
                throw Error(ErrorCode::BadFile, "The line belongs to another run.");
            changeState = changeState || experiment::isLast(event.body) || std::holds_alternative<experiment::Started>(event.body);
            events.push_back(std::move(event));
        } catch (const Error &error) {
            unreadable.emplace_back(lines, error.what());
        }
    }

    /// A line without its newline is still being written and stays for later, unless it is longer than any line of ours.
    void read(const fs::path &file, const std::string &uuid, int maximumLines)
    {
        std::ifstream stream(file, std::ios::binary);
        stream.seekg(bytes);
        std::string line;
        for (int taken = 0; taken < maximumLines && stream; ++taken) {
            line.clear();
            char character = 0;
            while (line.size() < maximumLineBytes && stream.get(character) && character != '\n')
                line += character;
            if (!stream)
                return;
            bytes += static_cast<std::int64_t>(line.size()) + (character == '\n' ? 1 : 0);
            if (!line.empty())
                parse(line, uuid);
            else
                ++lines;
        }
    }
};

Ingestor::Ingestor(SQLite::Database &database, fs::path workspace) : m_database(database), m_workspace(std::move(workspace)) {}

SQLite::Statement &Ingestor::statement(const std::string &sql)
{
    auto &place = m_statements[sql];
    if (!place)
        place = std::make_unique<SQLite::Statement>(m_database, sql);
    return *place;
}

Ingestor::RunRow Ingestor::runRow(const std::string &uuid)
{
    auto &find = bound(statement("SELECT id, ingested_bytes, ingested_lines FROM runs WHERE uuid = ?"), uuid);
    RunRow row;
    if (find.executeStep())
        row = {.id = find.getColumn(0).getInt64(), .bytes = find.getColumn(1).getInt64(), .lines = find.getColumn(2).getInt64()};
    find.reset();
    return row;
}

std::int64_t Ingestor::ingestedBytes(const std::string &uuid)
{
    return runRow(uuid).bytes;
}

int Ingestor::takeIn(const std::string &uuid, int maximumLines)
{
    const fs::path file = eventsFile(m_workspace, uuid);
    std::error_code error;
    const auto sizeBytes = fs::file_size(file, error);
    if (error)
        return 0;
    RunRow row = runRow(uuid);
    if (row.bytes > static_cast<std::int64_t>(sizeBytes)) {      // the file was replaced or cut; numbers keep its lines from being taken in twice
        row.bytes = row.lines = 0;
        bound(statement("UPDATE runs SET ingested_bytes = 0, ingested_lines = 0 WHERE id = ?"), row.id).exec();      // also where it has no whole line yet: it may grow
    }
    Lines lines;
    lines.bytes = row.bytes;
    lines.lines = row.lines;
    lines.read(file, uuid, maximumLines);
    const auto numTaken = lines.lines - row.lines;
    if (numTaken == 0)
        return 0;

    m_database.exec(lines.changeState ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    WriteTransaction transaction(m_database);
    try {
        if (row.id == 0) {
            bound(statement("INSERT INTO runs (uuid) VALUES (?)"), uuid).exec();
            row.id = m_database.getLastInsertRowid();
        }
        applyAll(row.id, uuid, lines);
        bound(statement("UPDATE runs SET ingested_bytes = ?, ingested_lines = ? WHERE id = ?"), lines.bytes, lines.lines, row.id).exec();
        transaction.commit();
    } catch (...) {
        m_series.clear();      // may name rows that are rolled back
        throw;
    }
    m_numUnreadable += static_cast<int>(lines.unreadable.size());
    return static_cast<int>(numTaken);
}

bool Ingestor::hasLostLines(const std::string &uuid)
{
    constexpr int linesAtOnce = 1000;
    auto &find = bound(statement("SELECT coalesce(sum(last_seq), 0) FROM tasks WHERE run = ?"), runRow(uuid).id);      // each task numbers its events 1, 2, …
    find.executeStep();
    const std::int64_t numTaken = find.getColumn(0).getInt64();
    find.reset();
    std::map<std::string, std::int64_t> lastSeq;
    std::int64_t numReadable = 0;
    Lines lines;
    for (std::int64_t before = -1; std::exchange(before, lines.lines) != lines.lines;) {
        lines.events.clear();
        lines.unreadable.clear();
        lines.read(eventsFile(m_workspace, uuid), uuid, linesAtOnce);
        for (const experiment::Event &event : lines.events)
            if (std::int64_t &last = lastSeq[event.task]; event.seq > last) {
                last = event.seq;
                ++numReadable;
            }
    }
    return numReadable < numTaken;
}

bool Ingestor::isNew(std::int64_t run, const experiment::Event &event)
{
    auto &update = bound(statement("INSERT INTO tasks (run, name, last_seq) VALUES (?, ?, ?) ON CONFLICT (run, name) DO UPDATE SET last_seq = excluded.last_seq "
                                   "WHERE excluded.last_seq > last_seq"),
                         run, event.task, event.seq);
    return update.exec() > 0;
}

void Ingestor::applyAll(std::int64_t run, const std::string &uuid, const Lines &lines)
{
    // Taken for dead on another machine, and yet it speaks.
    bound(statement("UPDATE runs SET status = 'running' WHERE id = ? AND status = 'interrupted'"), run).exec();
    double heartbeat = 0.0;
    const experiment::Progress *progress = nullptr;
    for (const experiment::Event &event : lines.events) {
        if (!isNew(run, event))
            continue;
        const Place place{.run = run, .task = event.task, .seq = event.seq, .time = event.timeSeconds};
        heartbeat = std::max(heartbeat, event.timeSeconds);
        if (const auto *latest = std::get_if<experiment::Progress>(&event.body))
            progress = latest;             // only the last one of a group is worth a write
        else
            std::visit([&](const auto &body) { apply(place, body); }, event.body);
        if (std::holds_alternative<experiment::Started>(event.body)) {
            const ProcessIdentity process = processOf(m_workspace, uuid);
            bound(statement("UPDATE runs SET host = ?, boot = ?, pid = ?, process_start = ? WHERE id = ?"), process.host, process.boot, process.pid, process.startTicks, run).exec();
        }
    }
    if (progress)
        apply(Place{.run = run, .task = {}, .seq = 0, .time = 0.0}, *progress);
    bound(statement("UPDATE runs SET heartbeat = max(heartbeat, ?) WHERE id = ?"), heartbeat, run).exec();
    for (const auto &[number, why] : lines.unreadable) {
        const std::string message = "Line " + std::to_string(number) + " of events.jsonl could not be read: " + why;
        bound(statement("INSERT OR REPLACE INTO warnings (run, task, seq, message, time) VALUES (?, '', ?, ?, ?)"), run, -number, message, now()).exec();
    }
}

/// Whether the event speaks for the whole run, not for a stage within it.
bool Ingestor::isOfRun(const Place &place)
{
    auto &find = bound(statement("SELECT kind FROM runs WHERE id = ?"), place.run);
    const std::string kind = find.executeStep() ? find.getColumn(0).getString() : std::string();
    find.reset();
    return kind.empty() || kind == place.task;
}

void Ingestor::apply(const Place &place, const experiment::Started &body)
{
    bound(statement("UPDATE tasks SET kind = ?, key = ?, device = ?, compute_type = ?, started = coalesce(started, ?), finished = NULL, result = NULL WHERE run = ? AND name = ?"), body.kind,
          body.key, body.device, body.computeType, place.time, place.run, place.task)
        .exec();
    if (!isOfRun(place))
        return;
    bound(statement("UPDATE runs SET kind = ?2, key = iif(?3 = '', key, ?3), status = 'running', started = iif(started = 0, ?4, started), finished = NULL, result = NULL, failure_code = '', "
                    "failure_message = '', failure_detail = '', version = ?5, device = ?6, compute_type = ?7, threads = ?8, resumed = resumed + ?9 WHERE id = ?1"),
          place.run, body.kind, body.key, place.time, body.version, body.device, body.computeType, body.threads, body.resumed)
        .exec();
    const json spec = json::parse(body.specJson, nullptr, false);
    if (!spec.is_object())
        return;
    const std::string canonical = experiment::compactJson(spec);
    const std::string hash = experiment::sha256Hex(canonical);
    bound(statement("INSERT OR IGNORE INTO experiments (hash, kind, spec) VALUES (?, ?, ?)"), hash, body.kind, canonical).exec();
    const std::optional<std::string> name = spec.contains("name") && spec.at("name").is_string() ? std::optional(spec.at("name").get<std::string>()) : std::nullopt;
    const std::optional<std::string> notes = spec.contains("notes") && spec.at("notes").is_string() ? std::optional(spec.at("notes").get<std::string>()) : std::nullopt;
    bound(statement("UPDATE runs SET experiment = (SELECT id FROM experiments WHERE hash = ?), name = coalesce(name, ?), notes = coalesce(notes, ?) WHERE id = ?"), hash, name, notes, place.run).exec();
}

void Ingestor::apply(const Place &place, const experiment::Progress &body)
{
    bound(statement("UPDATE runs SET phase = ?, done = ?, total = ?, tokens = ?, seconds = coalesce(?, 0), eta = ? WHERE id = ?"), body.phase, body.done, body.total, body.tokens,
          finite(body.seconds), body.etaSeconds && std::isfinite(*body.etaSeconds) ? body.etaSeconds : std::nullopt, place.run)
        .exec();
}

std::int64_t Ingestor::seriesId(const std::string &task, const std::string &name, const std::string &unit)
{
    const auto known = m_series.find({task, name});
    if (known != m_series.end())
        return known->second;
    bound(statement("INSERT OR IGNORE INTO series (task, name, unit) VALUES (?, ?, ?)"), task, name, unit).exec();
    auto &find = bound(statement("SELECT id FROM series WHERE task = ? AND name = ?"), task, name);
    find.executeStep();
    const std::int64_t id = find.getColumn(0).getInt64();
    find.reset();
    m_series.emplace(std::pair(task, name), id);
    return id;
}

void Ingestor::apply(const Place &place, const experiment::Metric &body)
{
    const std::int64_t series = seriesId(place.task, body.series, body.unit);
    const std::string columns = " (run, series, step, tokens, value, not_finite, time) VALUES (?, ?, ?, ?, ?, ?, ?)";
    bound(statement("INSERT OR REPLACE INTO metrics" + columns), place.run, series, body.step, body.tokens, finite(body.value), notFinite(body.value), place.time).exec();
    bound(statement("INSERT INTO latest_metrics" + columns + " ON CONFLICT (run, series) DO UPDATE SET step = excluded.step, tokens = excluded.tokens, value = excluded.value, "
                                                             "not_finite = excluded.not_finite, time = excluded.time WHERE excluded.step >= step"),
          place.run, series, body.step, body.tokens, finite(body.value), notFinite(body.value), place.time)
        .exec();
}

void Ingestor::apply(const Place &place, const experiment::LayerScore &body)
{
    bound(statement("INSERT OR REPLACE INTO layer_scores (run, task, selector, mixer, tokens, layer, score, not_finite, unit, higher_is_better, kl_nats, se, n_sequences) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
          place.run, place.task, body.selector, body.mixer, body.tokens, body.layer, finite(body.score), notFinite(body.score), body.unit, body.higherIsBetter, body.klNats, body.se,
          body.numSequences)
        .exec();
}

void Ingestor::apply(const Place &place, const experiment::Table &body)
{
    bound(statement("INSERT OR REPLACE INTO tables (run, task, name, columns, units, rows) VALUES (?, ?, ?, ?, ?, ?)"), place.run, place.task, body.name,
          experiment::compactJson(json(body.columns)), experiment::compactJson(json(body.units)), body.rowsJson)
        .exec();
}

void Ingestor::apply(const Place &place, const experiment::Artifact &body)
{
    bound(statement("INSERT OR REPLACE INTO artifacts (run, task, role, hash, path, time) VALUES (?, ?, ?, ?, ?, ?)"), place.run, place.task, body.role, body.hash, body.path, place.time).exec();
    if (body.path == "artifacts/" + body.hash)
        takeInStage(m_database, m_workspace, body.hash);
}

void Ingestor::apply(const Place &place, const experiment::Text &body)
{
    bound(statement("INSERT OR REPLACE INTO texts (run, task, seq, name, text) VALUES (?, ?, ?, ?, ?)"), place.run, place.task, place.seq, body.name, body.text).exec();
}

void Ingestor::apply(const Place &place, const experiment::CheckpointSaved &body)
{
    bound(statement("INSERT OR REPLACE INTO checkpoints (run, task, step, tokens, path, time) VALUES (?, ?, ?, ?, ?, ?)"), place.run, place.task, body.step, body.tokens, body.path, place.time).exec();
}

void Ingestor::apply(const Place &place, const experiment::Warning &body)
{
    bound(statement("INSERT OR REPLACE INTO warnings (run, task, seq, message, time) VALUES (?, ?, ?, ?, ?)"), place.run, place.task, place.seq, body.message, place.time).exec();
}

void Ingestor::setEnd(const Place &place, const char *status, const experiment::Failed &failure, const std::string *result)
{
    bound(statement("UPDATE tasks SET finished = ?, result = ? WHERE run = ? AND name = ?"), place.time, result ? std::optional(*result) : std::nullopt, place.run, place.task).exec();
    if (!isOfRun(place))
        return;
    bound(statement("UPDATE runs SET status = ?, finished = ?, result = ?, failure_code = ?, failure_message = ?, failure_detail = ? WHERE id = ?"), std::string(status), place.time,
          result ? std::optional(*result) : std::nullopt, failure.code, failure.message, failure.detail, place.run)
        .exec();
}

void Ingestor::apply(const Place &place, const experiment::Finished &body)
{
    setEnd(place, "finished", {}, &body.resultJson);
}

void Ingestor::apply(const Place &place, const experiment::Failed &body)
{
    setEnd(place, "failed", body, nullptr);
}

void Ingestor::apply(const Place &place, const experiment::Cancelled &body)
{
    setEnd(place, "cancelled", {.code = "cancelled", .message = body.message, .detail = {}}, nullptr);
}

int markInterruptedRuns(SQLite::Database &database)
{
    std::vector<std::int64_t> gone;
    SQLite::Statement running(database, "SELECT id, host, boot, pid, process_start, heartbeat FROM runs WHERE status = 'running'");
    while (running.executeStep()) {
        const ProcessIdentity process{.host = running.getColumn(1).getString(), .boot = running.getColumn(2).getString(), .pid = running.getColumn(3).getInt64(),
                                      .startTicks = running.getColumn(4).getInt64()};
        const Liveness liveness = livenessOf(process);
        if (liveness == Liveness::Gone || (liveness == Liveness::Elsewhere && now() - running.getColumn(5).getDouble() > silenceSeconds))
            gone.push_back(running.getColumn(0).getInt64());
    }
    running.reset();
    if (gone.empty())
        return 0;
    WriteTransaction transaction(database);
    SQLite::Statement mark(database, "UPDATE runs SET status = 'interrupted' WHERE id = ? AND status = 'running'");
    for (const std::int64_t id : gone)
        bound(mark, id).exec();
    transaction.commit();
    return static_cast<int>(gone.size());
}

bool takeInStage(SQLite::Database &database, const fs::path &workspace, const std::string &key)
{
    std::optional<Stage> stage;
    try {
        stage = StageCache(workspace).findStage(key);
    } catch (const Error &) {
        return false;          // not a key
    }
    if (!stage)
        return false;
    SQLite::Statement insert(database, "INSERT OR REPLACE INTO stages (key, path, info) VALUES (?, ?, ?)");
    bound(insert, key, "artifacts/" + key, stage->infoJson).exec();
    return true;
}

}  // namespace stillroom::store
