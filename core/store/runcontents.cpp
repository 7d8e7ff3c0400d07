// SPDX-License-Identifier: GPL-3.0-or-later
// What a run holds: scores, curves, tables, artifacts, texts, warnings.
#include "store/workspace.h"

#include "store/workspaceimpl.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace stillroom::store {

namespace {

const std::string ofRun = " WHERE run = (SELECT id FROM runs WHERE uuid = ?1) ";

std::vector<std::string> textsFrom(const std::string &array)
{
    return nlohmann::json::parse(array).get<std::vector<std::string>>();
}

StoredScore scoreFrom(SQLite::Statement &row)
{
    const bool hasKl = !row.getColumn(9).isNull();
    const bool hasError = !row.getColumn(10).isNull() && row.getColumn(11).getInt64() > 1;      // older versions wrote 0 for a single sequence
    return {.task = row.getColumn(0).getString(),
            .score = {.selector = row.getColumn(1).getString(), .mixer = row.getColumn(2).getString(), .layer = row.getColumn(4).getInt(), .score = numberFrom(row.getColumn(5), row.getColumn(6)),
                      .unit = row.getColumn(7).getString(), .higherIsBetter = row.getColumn(8).getInt() != 0, .klNats = hasKl ? std::optional(row.getColumn(9).getDouble()) : std::nullopt,
                      .se = hasError ? row.getColumn(10).getDouble() : std::numeric_limits<double>::quiet_NaN(), .numSequences = row.getColumn(11).getInt64(),
                      .tokens = row.getColumn(3).getInt64()}};
}

const std::string scoreColumns = "SELECT task, selector, mixer, tokens, layer, score, not_finite, unit, higher_is_better, kl_nats, se, n_sequences FROM layer_scores";

MetricPoint pointFrom(SQLite::Statement &row, int first)
{
    return {.step = row.getColumn(first).getInt64(), .tokens = row.getColumn(first + 1).getInt64(), .value = numberFrom(row.getColumn(first + 2), row.getColumn(first + 3)),
            .timeSeconds = row.getColumn(first + 4).getDouble()};
}

}  // namespace

double numberFrom(const SQLite::Column &value, const SQLite::Column &notFinite)
{
    const double infinity = std::numeric_limits<double>::infinity();
    if (notFinite.isNull())
        return value.getDouble();
    switch (notFinite.getInt()) {
    case 2: return infinity;
    case 3: return -infinity;
    default: return std::numeric_limits<double>::quiet_NaN();
    }
}

std::vector<TaskInfo> Workspace::tasks(const std::string &uuid) const
{
    std::vector<TaskInfo> found;
    d->forEach("SELECT name, kind, key, device, compute_type, started, finished, coalesce(result, 'null') FROM tasks" + ofRun + "ORDER BY id", [&](SQLite::Statement &row) {
        found.push_back({.task = row.getColumn(0).getString(), .kind = row.getColumn(1).getString(), .key = row.getColumn(2).getString(), .device = row.getColumn(3).getString(),
                         .computeType = row.getColumn(4).getString(), .startedSeconds = optionalNumber(row.getColumn(5)), .finishedSeconds = optionalNumber(row.getColumn(6)),
                         .resultJson = row.getColumn(7).getString()});
    }, uuid);
    return found;
}

std::vector<std::string> Workspace::runsWithScores() const
{
    std::vector<std::string> found;
    d->forEach("SELECT uuid FROM runs WHERE trashed IS NULL AND status <> 'failed' AND EXISTS (SELECT 1 FROM layer_scores WHERE run = runs.id) ORDER BY started, id",
               [&](SQLite::Statement &row) { found.push_back(row.getColumn(0).getString()); });
    return found;
}

std::vector<StoredScore> Workspace::scores(const std::string &uuid) const
{
    std::vector<StoredScore> found;
    d->forEach(scoreColumns + ofRun + "ORDER BY task, selector, mixer, tokens, layer", [&](SQLite::Statement &row) { found.push_back(scoreFrom(row)); }, uuid);
    return found;
}

std::vector<experiment::LayerScore> Workspace::lastScores(const std::string &uuid, const std::string &selector, const std::string &mixer, const std::string &task) const
{
    std::vector<experiment::LayerScore> found;
    d->forEach("WITH mine AS (" + scoreColumns + ofRun + "AND (?2 = '' OR selector = ?2) AND (?3 = '' OR mixer = ?3) AND (?4 = '' OR task = ?4)), "
               "first AS (SELECT task, selector, mixer FROM mine ORDER BY task, selector, mixer LIMIT 1) "
               "SELECT mine.* FROM mine JOIN first USING (task, selector, mixer) "
               "WHERE tokens = (SELECT max(m.tokens) FROM mine m WHERE m.task = mine.task AND m.selector = mine.selector AND m.mixer = mine.mixer AND m.layer = mine.layer) ORDER BY layer",
               [&](SQLite::Statement &row) { found.push_back(scoreFrom(row).score); }, uuid, selector, mixer, task);
    return found;
}

std::vector<SeriesInfo> Workspace::series(const std::string &uuid) const
{
    std::vector<SeriesInfo> found;
    d->forEach("SELECT s.task, s.name, s.unit, l.step, l.tokens, l.value, l.not_finite, l.time FROM latest_metrics l JOIN series s ON s.id = l.series "
               "WHERE l.run = (SELECT id FROM runs WHERE uuid = ?1) ORDER BY s.task, s.name",
               [&](SQLite::Statement &row) {
                   found.push_back({.task = row.getColumn(0).getString(), .series = row.getColumn(1).getString(), .unit = row.getColumn(2).getString(), .last = pointFrom(row, 3)});
               }, uuid);
    return found;
}

std::optional<CurveHolder> Workspace::curveHolder(const std::string &uuid, const std::string &task) const
{
    std::optional<CurveHolder> found;
    d->forEach("SELECT runs.uuid, equal.name FROM (SELECT run, name, key FROM tasks" + ofRun + "AND name = ?2) AS own "
               "JOIN tasks AS equal ON equal.key = own.key AND (own.key <> '' OR (equal.run = own.run AND equal.name = own.name)) JOIN runs ON runs.id = equal.run "
               "WHERE EXISTS (SELECT 1 FROM series WHERE series.task = equal.name AND EXISTS (SELECT 1 FROM latest_metrics WHERE latest_metrics.run = equal.run AND latest_metrics.series = series.id)) "
               "ORDER BY equal.run <> own.run OR equal.name <> own.name, runs.id LIMIT 1",
               [&](SQLite::Statement &row) { found = CurveHolder{.run = row.getColumn(0).getString(), .task = row.getColumn(1).getString()}; }, uuid, task);
    return found;
}

std::vector<MetricPoint> Workspace::metric(const std::string &uuid, const std::string &task, const std::string &series, std::int64_t fromStep) const
{
    std::vector<MetricPoint> found;
    d->forEach("SELECT step, tokens, value, not_finite, time FROM metrics" + ofRun + "AND series = (SELECT id FROM series WHERE task = ?2 AND name = ?3) AND step >= ?4 ORDER BY step",
               [&](SQLite::Statement &row) { found.push_back(pointFrom(row, 0)); }, uuid, task, series, fromStep);
    return found;
}

std::vector<StoredTable> Workspace::tables(const std::string &uuid) const
{
    std::vector<StoredTable> found;
    d->forEach("SELECT task, name, columns, units, rows FROM tables" + ofRun + "ORDER BY task, name", [&](SQLite::Statement &row) {
        found.push_back({.task = row.getColumn(0).getString(), .table = {.name = row.getColumn(1).getString(), .columns = textsFrom(row.getColumn(2).getString()),
                                                                         .units = textsFrom(row.getColumn(3).getString()), .rowsJson = row.getColumn(4).getString()}});
    }, uuid);
    return found;
}

std::vector<StoredArtifact> Workspace::artifacts(const std::string &uuid, const std::string &role) const
{
    std::vector<StoredArtifact> found;
    d->forEach("SELECT task, role, hash, path FROM artifacts" + ofRun + "AND (?2 = '' OR role = ?2) ORDER BY time, task, role, hash", [&](SQLite::Statement &row) {
        found.push_back({.task = row.getColumn(0).getString(), .artifact = {.role = row.getColumn(1).getString(), .hash = row.getColumn(2).getString(), .path = row.getColumn(3).getString()}});
    }, uuid, role);
    return found;
}

std::vector<StoredText> Workspace::texts(const std::string &uuid) const
{
    std::vector<StoredText> found;
    d->forEach("SELECT task, name, text FROM texts" + ofRun + "ORDER BY task, seq", [&](SQLite::Statement &row) {
        found.push_back({.task = row.getColumn(0).getString(), .text = {.name = row.getColumn(1).getString(), .text = row.getColumn(2).getString()}});
    }, uuid);
    return found;
}

std::vector<StoredWarning> Workspace::warnings(const std::string &uuid) const
{
    std::vector<StoredWarning> found;
    d->forEach("SELECT task, message, time FROM warnings" + ofRun + "ORDER BY time, task, seq", [&](SQLite::Statement &row) {
        found.push_back({.task = row.getColumn(0).getString(), .message = row.getColumn(1).getString(), .timeSeconds = row.getColumn(2).getDouble()});
    }, uuid);
    return found;
}

}  // namespace stillroom::store
