// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/database.h"

#include "log.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <set>
#include <sqlite3.h>
#include <unistd.h>

namespace stillroom::store {

namespace {

constexpr int busyTimeoutMs = 10'000;
constexpr std::uintmax_t quickCheckAtOpenBytes = std::uintmax_t{16} << 20U;    // larger ones are checked by the recorder's thread

std::string quoted(const std::filesystem::path &file)
{
    return "\"" + file.string() + "\"";
}

[[noreturn]] void refuse(const std::filesystem::path &file, const std::string &why, const std::string &detail = {})
{
    throw Error(ErrorCode::BadFile, "The database " + quoted(file) + " " + why + ".", detail);
}

void refuseUnlessFile(const std::filesystem::path &file, const std::filesystem::file_status &target, bool isLink)
{
    if (std::filesystem::is_regular_file(target))
        return;
    if (isLink && !std::filesystem::exists(target))      // perhaps to a disk that is not connected
        refuse(file, "is a link that leads to no file; put back the file that it led to, or move the link away, and `stillroom-cli reindex` rebuilds it from the runs' lines");
    refuse(file, "is no ordinary file; move it away, and `stillroom-cli reindex` rebuilds it from the runs' lines");
}

void refuseVersion(const std::filesystem::path &file, std::int64_t version, const Schema &schema)
{
    if (version < 1)
        refuse(file, "has the schema version " + std::to_string(version) + ", which no version of Stillroom wrote; move it away, and `stillroom-cli reindex` rebuilds it from the runs' lines");
    if (version > schema.version)
        refuse(file, "was written by a newer version (its schema is " + std::to_string(version) + ", this program knows " + std::to_string(schema.version) + "); use that version");
}

int pragmaInteger(SQLite::Database &database, const std::string &name)
{
    return database.execAndGet("PRAGMA " + name).getInt();
}

/// Tables, columns, keys and indexes as text, whatever their SQL looked like: a migrated database must equal a new one.
std::set<std::string> fingerprint(SQLite::Database &database)
{
    std::set<std::string> lines;
    const auto collect = [&](const std::string &label, const std::string &query) {
        SQLite::Statement rows(database, query);
        while (rows.executeStep()) {
            std::string line = label;
            for (int column = 0; column < rows.getColumnCount(); ++column)
                line += "|" + rows.getColumn(column).getString();
            lines.insert(line);
        }
    };
    collect("table", "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'");
    collect("column", "SELECT t.name, c.cid, c.name, c.type, c.\"notnull\", c.dflt_value, c.pk FROM pragma_table_list t, pragma_table_xinfo(t.name) c "
                      "WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%'");
    collect("reference", "SELECT t.name, f.\"from\", f.\"table\", f.\"to\", f.on_delete FROM pragma_table_list t, pragma_foreign_key_list(t.name) f WHERE t.schema = 'main'");
    collect("index", "SELECT t.name, i.name, i.\"unique\", x.seqno, x.name FROM pragma_table_list t, pragma_index_list(t.name) i, pragma_index_xinfo(i.name) x "
                     "WHERE t.schema = 'main' AND x.key = 1");
    return lines;
}

void checkTables(SQLite::Database &database, const std::filesystem::path &file, const Schema &schema)
{
    SQLite::Database empty(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    empty.exec(schema.sql);
    const auto expected = fingerprint(empty);
    if (database.execAndGet("SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')").getInt() != 0)     // first: asking for the columns of a view expands it
        refuse(file, "holds triggers or views that Stillroom does not make; move it away, and `stillroom-cli reindex` rebuilds it from the runs' lines");
    const auto found = fingerprint(database);
    for (const std::string &line : expected) {
        if (!found.contains(line))
            refuse(file, "lacks tables or columns that its version has; move it away, and `stillroom-cli reindex` rebuilds it from the runs' lines", line);
    }
}

bool hasLog(const std::filesystem::path &file)
{
    std::error_code error;
    const auto sizeBytes = std::filesystem::file_size(file.string() + "-wal", error);
    return !error && sizeBytes > 0;
}

/// Until the file is accepted, closing it must not move the log's content into it. Where there was no log, closing must take away the empty one that opening made.
void keepUntouched(SQLite::Database &database, bool on)
{
    sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 1 : 0, nullptr);
}

void setDefences(SQLite::Database &database)
{
    sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    database.exec("PRAGMA cell_size_check = ON");
}

void setModes(SQLite::Database &database, const std::filesystem::path &file)
{
    if (database.execAndGet("PRAGMA journal_mode = WAL").getString() != "wal")
        log::warning("The database " + file.string() + " cannot use a write-ahead log here; it is slower, and readers wait for writers.");
    database.exec("PRAGMA synchronous = NORMAL");
    database.exec("PRAGMA foreign_keys = ON");
}

SQLite::Database connect(const std::filesystem::path &file, int flags)
{
    return {file.string(), flags, busyTimeoutMs};
}

/// A new database under another name, then linked to its own: it is never seen unfinished.
void create(const std::filesystem::path &file, const Schema &schema)
{
    static std::atomic<int> numCreated{0};
    std::filesystem::path draft = file;
    draft += ".new-" + std::to_string(getpid()) + "-" + std::to_string(numCreated++);
    std::filesystem::remove(draft);
    {
        SQLite::Database database = connect(draft, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        setModes(database, file);
        WriteTransaction transaction(database);
        database.exec("PRAGMA application_id = " + std::to_string(applicationId));
        database.exec(schema.sql);
        database.exec("PRAGMA user_version = " + std::to_string(schema.version));
        transaction.commit();
    }
    const bool isMine = link(draft.c_str(), file.c_str()) == 0;
    const int failure = errno;
    std::filesystem::remove(draft);
    if (!isMine && failure != EEXIST)
        throw Error(ErrorCode::Io, "Cannot make the database " + quoted(file) + ".", std::strerror(failure));
}

void backUp(SQLite::Database &database, const std::filesystem::path &file, int version)
{
    std::filesystem::path copy;
    for (int number = 0; copy.empty() || std::filesystem::exists(copy); ++number) {
        copy = file;
        copy += ".v" + std::to_string(version) + (number == 0 ? "" : "-" + std::to_string(number)) + ".bak";
    }
    SQLite::Statement statement(database, "VACUUM INTO ?");
    statement.bind(1, copy.string());
    statement.exec();
}

/// Tables that a statement of the way up does not fit are not those of the version that the file claims.
void migrateOnce(SQLite::Database &database, const std::filesystem::path &file, const Schema &schema, int version)
{
    try {
        database.exec(schema.migrations[static_cast<std::size_t>(version - 1)]);
        database.exec("PRAGMA user_version = " + std::to_string(version + 1));
    } catch (const SQLite::Exception &failure) {
        if (failure.getErrorCode() == SQLITE_ERROR)
            refuse(file, "does not hold the tables of its version " + std::to_string(version) + "; `stillroom-cli reindex` rebuilds it from the runs' lines", failure.what());
        throw;
    }
}

/// \returns whether there was anything to do.
bool migrate(SQLite::Database &database, const std::filesystem::path &file, const Schema &schema)
{
    const int before = pragmaInteger(database, "user_version");
    if (before == schema.version)
        return false;
    if (schema.migrations.size() + 1 != static_cast<std::size_t>(schema.version))
        throw Error(ErrorCode::Failed, "The schema " + std::to_string(schema.version) + " names " + std::to_string(schema.migrations.size()) + " migrations; it needs one from each older version.");
    backUp(database, file, before);
    for (int version = before; version < schema.version; ++version) {
        WriteTransaction transaction(database);
        if (pragmaInteger(database, "user_version") == version)     // else another process was quicker
            migrateOnce(database, file, schema, version);
        transaction.commit();
    }
    return true;
}

}  // namespace

Error asError(const SQLite::Exception &failure, const std::filesystem::path &file)
{
    const std::string name = "The database " + quoted(file);
    const std::string detail = std::string(failure.what()) + " (SQLite code " + std::to_string(failure.getExtendedErrorCode()) + ")";
    switch (failure.getErrorCode()) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return {ErrorCode::BadFile, name + " is damaged; `stillroom-cli reindex` rebuilds it from the runs' lines.", detail};
    case SQLITE_FULL: return {ErrorCode::Io, name + " cannot grow: the disk is full.", detail};
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return {ErrorCode::Io, name + " is held by another program; close it or try again.", detail};
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY: return {ErrorCode::Io, name + " cannot be opened for writing; check its permissions and its folder's.", detail};
    case SQLITE_IOERR: return {ErrorCode::Io, name + " cannot be read or written: the disk reports an error.", detail};
    default: return {ErrorCode::Failed, name + " refuses a request.", detail};
    }
}

WriteTransaction::WriteTransaction(SQLite::Database &database) : m_database(database)
{
    m_database.exec("BEGIN IMMEDIATE");
}

WriteTransaction::~WriteTransaction()
{
    if (!m_done)
        m_database.tryExec("ROLLBACK");      // fails only where SQLite has rolled back itself
}

void WriteTransaction::commit()
{
    m_database.exec("COMMIT");
    m_done = true;
}

void removeDatabase(const std::filesystem::path &file)
{
    std::error_code none;
    for (const char *suffix : {"", "-wal", "-shm", "-journal"})
        std::filesystem::remove(file.string() + suffix, none);
}

void checkWhole(SQLite::Database &database, const std::filesystem::path &file)
{
    SQLite::Statement check(database, "PRAGMA quick_check(1)");
    const std::string answer = check.executeStep() ? check.getColumn(0).getString() : "no answer";
    if (answer != "ok")
        refuse(file, "is damaged; `stillroom-cli reindex` rebuilds it from the runs' lines", answer);
}

namespace {

/// What a file that is not ours, or not whole, is refused for; nothing is written. Only SQLite may open the file: when a process closes any other
/// descriptor of it, the kernel drops the locks of all its connections (POSIX locks belong to processes).
void checkFile(SQLite::Database &database, const std::filesystem::path &file, const Schema &schema)
{
    try {
        setDefences(database);
        if (std::filesystem::file_size(file) == 0)
            refuse(file, "is empty; `stillroom-cli reindex` rebuilds it from the runs' lines");
        if (pragmaInteger(database, "application_id") != applicationId)
            refuse(file, "belongs to another program; choose another workspace");
        const int version = pragmaInteger(database, "user_version");
        refuseVersion(file, version, schema);
        if (std::filesystem::file_size(file) <= quickCheckAtOpenBytes)
            checkWhole(database, file);
        if (version == schema.version)
            checkTables(database, file, schema);
    } catch (const SQLite::Exception &failure) {
        if (failure.getErrorCode() == SQLITE_NOTADB)
            refuse(file, "is damaged at its beginning, or is no SQLite database; `stillroom-cli reindex` rebuilds it from the runs' lines", failure.what());
        if (failure.getErrorCode() == SQLITE_ERROR)      // a header that asks for what SQLite does not know
            refuse(file, "is damaged; `stillroom-cli reindex` rebuilds it from the runs' lines", failure.what());
        throw;
    }
}

}  // namespace

void requireFileIfThere(const std::filesystem::path &file)
{
    std::error_code error;
    const auto own = std::filesystem::symlink_status(file, error);
    if (std::filesystem::exists(own))
        refuseUnlessFile(file, std::filesystem::status(file, error), std::filesystem::is_symlink(own));
}

SQLite::Database openUnchecked(const std::filesystem::path &file)
{
    const bool hasLogAlready = hasLog(file);
    SQLite::Database database = connect(file, SQLite::OPEN_READWRITE);      // read-only, SQLite could not take away the side files that it makes
    keepUntouched(database, hasLogAlready);
    sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    database.exec("PRAGMA cell_size_check = ON");
    database.exec("PRAGMA query_only = ON");
    // Despite its name: SQLite then passes over what it cannot understand of the schema, and over a header that counts more pages than the file has. Not to be had with all defences.
    database.exec("PRAGMA writable_schema = ON");
    return database;
}

SQLite::Database openDatabase(const std::filesystem::path &file, const Schema &schema)
{
    return onDatabase(file, [&] {
        requireFileIfThere(file);
        std::error_code error;
        if (!std::filesystem::exists(file, error))
            create(file, schema);
        const bool hasLogAlready = hasLog(file);
        SQLite::Database database = connect(file, SQLite::OPEN_READWRITE);
        keepUntouched(database, hasLogAlready);
        checkFile(database, file, schema);
        keepUntouched(database, false);
        if (migrate(database, file, schema))
            checkTables(database, file, schema);
        setModes(database, file);
        return database;
    });
}

}  // namespace stillroom::store
