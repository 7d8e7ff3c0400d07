// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/workspace.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/runname.h"
#include "folders.h"
#include "shownname.h"
#include "store/ingest.h"
#include "store/recorderlock.h"
#include "store/scan.h"
#include "store/workspaceimpl.h"

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char *, 5> statusNames{"running", "finished", "failed", "cancelled", "interrupted"};

RunStatus statusFrom(const std::string &name)
{
    for (std::size_t i = 0; i < statusNames.size(); ++i) {
        if (name == statusNames[i])
            return static_cast<RunStatus>(i);
    }
    throw Error(ErrorCode::BadFile, "The database holds a run with the unknown status " + experiment::compactJson(name) + ".");
}

constexpr std::size_t shortestUuidPrefix = 4;      // of a UUID
constexpr std::size_t mostTagBytes = 200, mostNotesBytes = std::size_t{1} << 20;

/// Nearly all are valid as they are; a version before took tags that are not UTF-8.
std::vector<std::string> tagsFrom(const std::string &array)
{
    nlohmann::json tags = nlohmann::json::parse(array, nullptr, false);
    if (tags.is_discarded())
        tags = nlohmann::json::parse(experiment::inUtf8(array));
    return tags.get<std::vector<std::string>>();
}

const std::string runColumns =
    "SELECT r.uuid, coalesce(r.name, ''), coalesce(r.notes, ''), r.kind, r.key, coalesce(e.spec, '{}'), r.status, r.started, r.finished, r.heartbeat, "
    "r.host, r.boot, r.pid, r.process_start, r.version, r.device, r.compute_type, r.threads, r.resumed, r.phase, r.done, r.total, r.tokens, r.seconds, r.eta, "
    "coalesce(r.result, 'null'), r.failure_code, r.failure_message, r.failure_detail, r.pinned, r.locked, r.trashed, "
    "(SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE run = r.id ORDER BY tag)) "
    "FROM runs r LEFT JOIN experiments e ON e.id = r.experiment ";

Run runFrom(SQLite::Statement &row)
{
    int column = 0;
    const auto text = [&] { return row.getColumn(column++).getString(); };
    const auto integer = [&] { return row.getColumn(column++).getInt64(); };
    Run run;
    run.uuid = text();
    run.name = text();
    run.notes = text();
    run.kind = text();
    run.key = text();
    run.specJson = text();
    run.status = statusFrom(text());
    run.startedSeconds = row.getColumn(column++).getDouble();
    run.finishedSeconds = optionalNumber(row.getColumn(column++));
    run.heartbeatSeconds = row.getColumn(column++).getDouble();
    run.process.host = text();
    run.process.boot = text();
    run.process.pid = integer();
    run.process.startTicks = integer();
    run.version = text();
    run.device = text();
    run.computeType = text();
    run.threads = static_cast<int>(integer());
    run.numResumed = static_cast<int>(integer());
    run.resumed = run.numResumed > 0;
    run.progress.phase = text();
    run.progress.done = integer();
    run.progress.total = integer();
    run.progress.tokens = integer();
    run.progress.seconds = row.getColumn(column++).getDouble();
    run.progress.etaSeconds = optionalNumber(row.getColumn(column++));
    run.resultJson = text();
    run.failureCode = text();
    run.failureMessage = text();
    run.failureDetail = text();
    run.pinned = integer() != 0;
    run.locked = integer() != 0;
    run.trashed = !row.getColumn(column++).isNull();
    run.tags = tagsFrom(text());
    return run;
}

}  // namespace

std::optional<double> optionalNumber(const SQLite::Column &column)
{
    return column.isNull() ? std::nullopt : std::optional(column.getDouble());
}

const char *statusName(RunStatus status) noexcept
{
    return statusNames[static_cast<std::size_t>(status)];
}

Workspace::Impl::Impl(fs::path path) : folder(std::move(path)), database([this] {
    requireFolder(folder);
    if (cannotBeWritten(folder))
        return copy.emplace(folder).open();
    try {
        fs::create_directories(artifactsFolder(folder));
        fs::create_directories(runsFolder(folder));
    } catch (const fs::filesystem_error &failure) {
        throw Error(ErrorCode::Io, "Cannot make the workspace \"" + folder.string() + "\"; check the path and its permissions.", failure.what());
    }
    return openDatabase(file());
}())
{
}

void Workspace::Impl::requireWritable() const
{
    if (copy)
        throw Error(ErrorCode::Io, "The workspace \"" + folder.string() + "\" cannot be written; check its folder's permissions.");
}

void Workspace::Impl::requireRun(const std::string &uuid)
{
    SQLite::Statement find(database, "SELECT 1 FROM runs WHERE uuid = ?");
    if (!bound(find, uuid).executeStep())
        throw Error(ErrorCode::Usage, "The workspace has no run " + experiment::compactJson(uuid.substr(0, 60)) + ".");
}

bool Workspace::Impl::holds(const std::string &uuid, const std::string &condition)
{
    SQLite::Statement find(database, "SELECT 1 FROM runs WHERE uuid = ? AND " + condition);
    return bound(find, uuid).executeStep();
}

void Workspace::Impl::requireUnlocked(const std::string &uuid, const std::string &deed)
{
    if (holds(uuid, "locked <> 0"))
        throw Error(ErrorCode::Usage, "The run " + uuid + " is locked and cannot be " + deed + "; unlock it first (stillroom-cli runs unlock, or L in the table of runs).");
}

Workspace::Workspace(fs::path folder) : d(std::make_unique<Impl>(fs::absolute(folder)))
{
    markInterrupted();
}

Workspace::~Workspace() = default;
Workspace::Workspace(Workspace &&) noexcept = default;
Workspace &Workspace::operator=(Workspace &&) noexcept = default;

const fs::path &Workspace::folder() const
{
    return d->folder;
}

bool Workspace::isReadOnly() const
{
    return d->copy.has_value();
}

StageCache Workspace::stages() const
{
    return StageCache(d->folder);
}

int Workspace::markInterrupted()
{
    // Nobody else has the copy; of a folder that can be written, who records does this.
    const auto lock = d->copy ? std::nullopt : RecorderLock::tryToTake(d->folder);
    if (!lock && !d->copy)
        return 0;
    return onDatabase(d->file(), [&] {
        Ingestor ingestor(d->database, d->folder);
        takeInAll(ingestor, runsWithNewLines(d->database, d->folder));
        if (!d->copy)
            StageCache(d->folder).removeStaleDrafts();
        const int numMarked = markInterruptedRuns(d->database);
        d->database.exec("PRAGMA synchronous = NORMAL");
        return numMarked;
    });
}

std::vector<Run> Workspace::runs(const RunFilter &filter) const
{
    std::vector<Run> found;
    const std::string status = filter.status ? statusName(*filter.status) : "";
    d->forEach(runColumns + "WHERE (?1 = '' OR r.kind = ?1) AND (?2 = '' OR r.key = ?2) AND (?3 = '' OR r.status = ?3) AND (r.trashed IS NOT NULL) = ?4 "
                            "AND (?5 = '' OR EXISTS (SELECT 1 FROM tags t WHERE t.run = r.id AND t.tag = ?5)) ORDER BY r.started DESC, r.id DESC LIMIT ?6",
               [&](SQLite::Statement &row) { found.push_back(runFrom(row)); }, filter.kind, filter.key, status, filter.trashed, filter.tag, filter.limit > 0 ? filter.limit : -1);
    return found;
}

std::optional<Run> Workspace::run(const std::string &uuid) const
{
    std::optional<Run> found;
    d->forEach(runColumns + "WHERE r.uuid = ?", [&](SQLite::Statement &row) { found = runFrom(row); }, uuid);
    return found;
}

std::vector<Run> Workspace::runsCalled(const std::string &text, bool onlyTrashed) const
{
    const std::string newestFirst = " ORDER BY r.started DESC, r.id DESC", trashed = " AND r.trashed IS NOT NULL", among = onlyTrashed ? trashed : "";
    std::vector<Run> found;
    const auto collect = [&](SQLite::Statement &row) { found.push_back(runFrom(row)); };
    d->forEach(runColumns + "WHERE r.uuid = ?" + among, collect, text);
    const bool isUuid = !found.empty();
    if (!isUuid && !text.empty())
        d->forEach(runColumns + "WHERE r.name = ?" + (onlyTrashed ? trashed : " AND r.trashed IS NULL") + newestFirst, collect, text);
    if (!isUuid && text.size() >= shortestUuidPrefix) {
        const std::string others = found.empty() ? among : " AND coalesce(r.name, '') <> ?1" + (onlyTrashed ? trashed : " AND r.trashed IS NULL");
        d->forEach(runColumns + "WHERE substr(r.uuid, 1, length(?1)) = ?1" + others + newestFirst, collect, text);
    }
    return found;
}

std::optional<Run> Workspace::latestFinished(const std::string &kind) const
{
    const auto found = runs({.kind = kind, .key = {}, .tag = {}, .status = RunStatus::Finished, .trashed = false, .limit = 1});
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<Run> Workspace::resumable(const std::string &key) const
{
    std::vector<Run> found;
    d->forEach(runColumns + "WHERE r.trashed IS NULL AND r.status IN ('interrupted', 'cancelled', 'failed') AND "
                            "(r.key = ?1 OR EXISTS (SELECT 1 FROM tasks t WHERE t.run = r.id AND t.key = ?1)) ORDER BY r.started DESC, r.id DESC",
               [&](SQLite::Statement &row) { found.push_back(runFrom(row)); }, key);
    return found;
}

void Workspace::checkName(const std::string &name, const std::string &uuid) const
{
    experiment::checkRunName(name);
    std::string other;
    if (name.size() >= shortestUuidPrefix)
        d->forEach("SELECT uuid FROM runs WHERE substr(uuid, 1, length(?1)) = ?1 AND uuid <> ?2", [&](SQLite::Statement &row) { other = row.getColumn(0).getString(); }, name, uuid);
    if (!other.empty())
        throw Error(ErrorCode::Usage, "A run cannot be called \"" + shownName(name) + "\", for so begins the UUID of the run " + other + ": give it another name.");
}

void Workspace::setName(const std::string &uuid, const std::string &name)
{
    const auto mayBeNamed = [&] {
        d->requireUnlocked(uuid, "renamed");
        checkName(name, uuid);
    };
    d->editIf(mayBeNamed, uuid, "UPDATE runs SET name = ? WHERE uuid = ?", name, uuid);
}

void Workspace::setNotes(const std::string &uuid, const std::string &notes)
{
    experiment::checkWritten("The note", notes, mostNotesBytes);
    d->edit(uuid, "UPDATE runs SET notes = ? WHERE uuid = ?", notes, uuid);
}

void Workspace::addTag(const std::string &uuid, const std::string &tag)
{
    if (tag.empty())
        throw Error(ErrorCode::Usage, "A tag has one letter at least: name it.");
    experiment::checkWritten("The tag", tag, mostTagBytes);
    d->edit(uuid, "INSERT OR IGNORE INTO tags (run, tag) SELECT id, ? FROM runs WHERE uuid = ?", tag, uuid);
}

void Workspace::removeTag(const std::string &uuid, const std::string &tag)
{
    d->edit(uuid, "DELETE FROM tags WHERE tag = ? AND run = (SELECT id FROM runs WHERE uuid = ?)", tag, uuid);
}

void Workspace::setPinned(const std::string &uuid, bool pinned)
{
    d->edit(uuid, "UPDATE runs SET pinned = ? WHERE uuid = ?", pinned, uuid);
}

void Workspace::setLocked(const std::string &uuid, bool locked)
{
    d->edit(uuid, "UPDATE runs SET locked = ? WHERE uuid = ?", locked, uuid);
}

void Workspace::setTrashed(const std::string &uuid, bool trashed)
{
    const auto mayGo = [&] {
        if (trashed)
            d->requireUnlocked(uuid, "put into the trash");
        if (trashed && d->holds(uuid, "pinned <> 0"))
            throw Error(ErrorCode::Usage, "The run " + uuid + " is pinned; unpin it before putting it into the trash.");
    };
    const double seconds = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    d->editIf(mayGo, uuid, "UPDATE runs SET trashed = ? WHERE uuid = ?", trashed ? std::optional(seconds) : std::nullopt, uuid);
}

void Workspace::purge(const std::string &uuid)
{
    d->requireWritable();
    const auto removeFolder = [&] {
        d->requireUnlocked(uuid, "purged");
        if (!d->holds(uuid, "trashed IS NOT NULL"))
            throw Error(ErrorCode::Usage, "Only a run in the trash can be purged, and " + experiment::compactJson(uuid.substr(0, 60)) + " is not there.");
        if (d->holds(uuid, "status = 'running'"))      // whose process is gone is marked as interrupted when a workspace is opened
            throw Error(ErrorCode::Usage, "The run " + uuid + " is still being computed and cannot be purged; stop it first.");
        // The folder first: rows without a folder are harmless, a folder without rows would be taken in again.
        std::error_code error;
        fs::remove_all(runFolder(d->folder, uuid), error);
        if (error)
            throw Error(ErrorCode::Io, "Cannot remove the folder of the run " + uuid + "; check its permissions.", error.message());
    };
    d->editIf(removeFolder, uuid, "DELETE FROM runs WHERE uuid = ?", uuid);
}

std::int64_t Workspace::dataVersion() const
{
    return onDatabase(d->file(), [&] { return d->database.execAndGet("PRAGMA data_version").getInt64(); });
}

void Workspace::checkIntegrity() const
{
    onDatabase(d->file(), [&] { checkWhole(d->database, d->file()); });
}

}  // namespace stillroom::store
