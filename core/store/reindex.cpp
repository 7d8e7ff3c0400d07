// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/recorder.h"

#include "error.h"
#include "store/binding.h"
#include "store/database.h"
#include "store/ingest.h"
#include "store/layout.h"
#include "store/recorderlock.h"
#include "store/salvage.h"
#include "store/scan.h"

#include <optional>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;

/// The database and its side files, out of the way under a new name.
fs::path moveAside(const fs::path &file)
{
    fs::path target;
    for (int number = 1; target.empty() || fs::exists(target); ++number) {
        target = file;
        target += ".damaged-" + std::to_string(number);
    }
    for (const char *suffix : {"", "-wal", "-shm"}) {
        const fs::path from = file.string() + suffix;
        std::error_code error;
        if (!fs::exists(from, error))
            continue;
        fs::rename(from, target.string() + suffix, error);
        if (error)
            throw Error(ErrorCode::Io, "Cannot move the damaged database \"" + from.string() + "\" aside; check its folder's permissions.", error.message());
    }
    return target;
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
        const SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
        SQLite::Statement version(database, "PRAGMA user_version");
        return version.executeStep() && version.getColumn(0).getInt() > currentSchema().version;
    } catch (const SQLite::Exception &) {
        return false;      // damaged
    }
}

/// A new database in place of the damaged one, with what a person said in it.
SQLite::Database replaceDamaged(const fs::path &workspace, ReindexResult &result)
{
    const fs::path file = databaseFile(workspace);
    const Salvage found = salvage(file);                // before it is moved: reading may take long, and until the new one holds what was found, a kill would lose it
    result.damagedDatabase = moveAside(file);
    SQLite::Database database = openDatabase(file);
    result.broughtOver = onDatabase(file, [&] { return bringOver(found, runFolders(workspace), database); });
    return database;
}

}  // namespace

ReindexResult reindex(const fs::path &workspace)
{
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
        for (const std::string &run : runFolders(workspace)) {
            {
                WriteTransaction transaction(*database);
                clearRun(*database, run);
                transaction.commit();
            }
            if (!takeInAll(ingestor, {run}).empty())
                ++result.numRuns;
        }
        rebuildStages(*database, workspace);
        markInterruptedRuns(*database);
        result.numUnreadableLines = ingestor.numUnreadable();
        return result;
    });
}

}  // namespace stillroom::store
