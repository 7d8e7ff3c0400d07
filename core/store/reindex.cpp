// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/reindex.h"

#include "error.h"
#include "folders.h"
#include "store/binding.h"
#include "store/database.h"
#include "store/ingest.h"
#include "store/layout.h"
#include "store/recorderlock.h"
#include "store/salvage.h"
#include "store/scan.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;

constexpr std::array sideFiles{"-wal", "-shm", "-journal"};

/// Else all runs would count as gone.
void requireRunsReadable(const fs::path &workspace)
{
    std::error_code error;
    const fs::directory_iterator first(runsFolder(workspace), error);
    if (error && error != std::errc::no_such_file_or_directory)
        throw Error(ErrorCode::BadFile, "The folder \"" + runsFolder(workspace).string() + "\" cannot be read, so no run can be rebuilt; " + (error == std::errc::not_a_directory ? "it is a file: move that away." : "check its permissions."), error.message());
}

/// None of the names that the database and its side files get is taken: a side file alone can be what a move that was cut short left.
fs::path freeName(const fs::path &file)
{
    const auto isTaken = [](const std::string &name) {
        std::error_code error;
        return fs::exists(fs::symlink_status(name, error));      // also by a link that leads nowhere
    };
    for (int number = 1;; ++number) {
        const std::string name = file.string() + ".damaged-" + std::to_string(number);
        if (!isTaken(name) && std::none_of(sideFiles.begin(), sideFiles.end(), [&](const char *suffix) { return isTaken(name + suffix); }))
            return name;
    }
}

/// A second name for the damaged database, and that one alone for its side files: SQLite would write those that stay into the database that comes in its place.
fs::path keepDamaged(const fs::path &file)
{
    const fs::path kept = freeName(file);
    std::error_code error;
    const auto check = [&](const fs::path &from) {
        if (error)
            throw Error(ErrorCode::Io, "Cannot move the damaged database \"" + from.string() + "\" aside; check its folder's permissions.", error.message());
    };
    if (isFileThere(file))
        fs::create_hard_link(file, kept, error);
    else
        fs::rename(file, kept, error);
    check(file);
    for (const char *suffix : sideFiles) {
        const fs::path from = file.string() + suffix;
        if (!isThere(from))
            continue;
        fs::rename(from, kept.string() + suffix, error);
        check(from);
    }
    return kept;
}

/// Forgets what the lines say about a run, but not what a person said.
void clearRun(SQLite::Database &database, const std::string &uuid)
{
    for (const char *table : {"tasks", "metrics", "latest_metrics", "layer_scores", "tables", "artifacts", "texts", "warnings", "checkpoints"}) {
        SQLite::Statement clear(database, std::string("DELETE FROM ") + table + " WHERE run = (SELECT id FROM runs WHERE uuid = ?)");
        bound(clear, uuid).exec();
    }
    SQLite::Statement reset(database, "UPDATE runs SET kind = '', key = '', started = 0, heartbeat = 0, resumed = 0, ingested_bytes = 0, ingested_lines = 0, status = 'running', finished = NULL, "
                                      "result = NULL, phase = '', done = 0, total = 0, tokens = 0, seconds = 0, eta = NULL WHERE uuid = ?");
    bound(reset, uuid).exec();
}

void rebuildStages(SQLite::Database &database, const fs::path &workspace)
{
    WriteTransaction transaction(database);
    database.exec("DELETE FROM stages");
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator(artifactsFolder(workspace), error))
        takeInStage(database, workspace, entry.path().filename().string());
    transaction.commit();
}

/// A database that can be read, or nothing. \param damage  why not
std::optional<SQLite::Database> openWhole(const fs::path &file, std::string &damage)
{
    try {
        SQLite::Database database = openDatabase(file);
        onDatabase(file, [&] { checkWhole(database, file); });
        return database;
    } catch (const Error &error) {
        if (error.code() != ErrorCode::BadFile)
            throw;
        damage = error.what();
        return std::nullopt;
    }
}

bool isOfNewerVersion(const fs::path &file)
{
    try {
        SQLite::Database database = openUnchecked(file);      // its log stays as it is, too
        SQLite::Statement version(database, "PRAGMA user_version");
        return version.executeStep() && version.getColumn(0).getInt() > currentSchema().version;
    } catch (const SQLite::Exception &) {
        return false;      // damaged
    }
}

/// A new database with what a person said of the runs, whole and closed.
BroughtOver makeDraft(const fs::path &draft, const Salvage &found, const fs::path &workspace)
{
    removeDatabase(draft);      // of a process that was killed here
    try {
        SQLite::Database database = openDatabase(draft);
        return onDatabase(draft, [&] {
            BroughtOver counts = bringOver(found, runFolders(workspace), database);
            database.exec("PRAGMA wal_checkpoint(TRUNCATE)");      // closing would do it, but say nothing where the disk is full
            return counts;
        });
    } catch (const Error &) {
        removeDatabase(draft);
        throw;
    }
}

/// A new database in place of the damaged one, which keeps its place until the other holds what was found in it: after a kill, or where the disk is full, it is
/// read again by the next try.
SQLite::Database replaceDamaged(const fs::path &workspace, ReindexResult &result)
{
    const fs::path file = databaseFile(workspace), draft = file.string() + ".rebuilt";
    result.broughtOver = makeDraft(draft, salvage(file), workspace);
    result.damagedDatabase = keepDamaged(file);
    std::error_code error;
    fs::rename(draft, file, error);
    if (error)
        throw Error(ErrorCode::Io, "Cannot put the new database in the place of \"" + file.string() + "\"; check its folder's permissions.", error.message());
    return openDatabase(file);
}

/// What its lines say, anew; where they no longer say all that was taken in, its rows are all that is left of it and stay.
void rebuildRun(SQLite::Database &database, Ingestor &ingestor, const std::string &run, ReindexResult &result)
{
    const bool isKept = ingestor.hasLostLines(run);
    if (isKept) {
        result.kept.push_back(run);
    } else {
        WriteTransaction transaction(database);
        clearRun(database, run);
        transaction.commit();
    }
    if (!takeInAll(ingestor, {run}).empty() && !isKept)
        ++result.numRuns;
}

/// Their rows are all that is left of them, too.
void noteWithoutFolder(SQLite::Database &database, const std::vector<std::string> &folders, ReindexResult &result)
{
    const std::set<std::string> there(folders.begin(), folders.end());
    SQLite::Statement taken(database, "SELECT uuid FROM runs WHERE id IN (SELECT run FROM tasks WHERE last_seq > 0) ORDER BY uuid");
    while (taken.executeStep())
        if (std::string run = taken.getColumn(0).getString(); !there.contains(run))
            result.kept.push_back(std::move(run));
}

}  // namespace

ReindexResult reindex(const fs::path &workspace)
{
    requireRunsReadable(workspace);
    std::error_code error;
    fs::create_directories(workspace, error);
    const auto lock = RecorderLock::take(workspace);
    if (!lock)
        throw Error(ErrorCode::Failed, "The workspace is held by " + RecorderLock::holder(workspace) + "; close it before rebuilding the database.");
    const fs::path file = databaseFile(workspace);
    ReindexResult result;
    std::optional<SQLite::Database> database = openWhole(file, result.damage);
    if (!database) {
        if (isOfNewerVersion(file))
            throw Error(ErrorCode::BadFile, "The database \"" + file.string() + "\" was written by a newer version; use that version to rebuild it.");
        database.emplace(replaceDamaged(workspace, result));
    }
    return onDatabase(file, [&] {
        Ingestor ingestor(*database, workspace);
        const std::vector<std::string> runs = runFolders(workspace);
        for (const std::string &run : runs)
            rebuildRun(*database, ingestor, run, result);
        noteWithoutFolder(*database, runs, result);
        rebuildStages(*database, workspace);
        markInterruptedRuns(*database);
        result.numUnreadableLines = ingestor.numUnreadable();
        return result;
    });
}

}  // namespace stillroom::store
