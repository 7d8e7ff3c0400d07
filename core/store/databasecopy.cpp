// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/databasecopy.h"

#include "error.h"
#include "store/database.h"
#include "store/layout.h"

#include <SQLiteCpp/Backup.h>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sqlite3.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;

bool may(const fs::path &path, int how)
{
    return faccessat(AT_FDCWD, path.c_str(), how, AT_EACCESS) == 0;
}

/// Of a folder that cannot be searched nobody could tell whether it holds a database.
void requireReadable(const fs::path &workspace)
{
    if (!may(workspace, X_OK))
        throw Error(ErrorCode::BadFile, "The workspace \"" + workspace.string() + "\" cannot be read; check its folder's permissions.");
    for (const char *suffix : {"", "-wal"})
        if (const fs::path file = databaseFile(workspace).string() + suffix; !may(file, R_OK) && errno != ENOENT)
            throw Error(ErrorCode::BadFile, "The database file \"" + file.string() + "\" cannot be read; check its permissions.", std::strerror(errno));
}

/// As one moment left it, also while another process writes; false where SQLite cannot read the file in its place.
/// \throws Error(Io) while somebody holds it for longer than a few seconds.
bool backedUp(const fs::path &from, const fs::path &to)
{
    constexpr int mostTries = 50;
    try {
        SQLite::Database source(from.string(), SQLite::OPEN_READONLY), target(to.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        SQLite::Backup backup(target, source);
        int outcome = backup.executeStep();
        for (int tries = 1; tries < mostTries && (outcome == SQLITE_BUSY || outcome == SQLITE_LOCKED); ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            outcome = backup.executeStep();
        }
        if (outcome != SQLITE_DONE)      // not to be copied as it lies: somebody may be writing
            throw Error(ErrorCode::Io, "The database \"" + from.string() + "\" is held by another program; try again when that has ended.");
        return true;
    } catch (const SQLite::Exception &) {
        return false;
    }
}

}  // namespace

bool cannotBeWritten(const fs::path &workspace)
{
    std::error_code error;
    if (!fs::is_directory(workspace, error))
        return false;
    if (!may(workspace, W_OK | X_OK))
        return true;
    const std::string database = databaseFile(workspace).string();
    for (const fs::path &file : {fs::path(database), fs::path(database + "-wal"), fs::path(database + "-shm"), workspace / "recorder.lock"})
        if (fs::exists(file, error) && !may(file, W_OK))
            return true;
    return false;
}

DatabaseCopy::Folder::Folder(const fs::path &workspace)
{
    std::string pattern = (fs::temp_directory_path() / "stillroom-database-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
        throw Error(ErrorCode::Io, "The workspace \"" + workspace.string() + "\" cannot be written, and no copy of its database can be made in \"" + fs::temp_directory_path().string() + "\"; check its permissions.",
                    std::strerror(errno));
    m_path = pattern;
}

DatabaseCopy::Folder::~Folder()
{
    std::error_code none;
    fs::remove_all(m_path, none);
}

DatabaseCopy::DatabaseCopy(fs::path workspace) : m_workspace(std::move(workspace)), m_folder(m_workspace)
{
    requireReadable(m_workspace);
    const fs::path from = databaseFile(m_workspace), to = databaseFile(m_folder.path());
    requireFileIfThere(from);
    std::error_code error;
    if (!fs::exists(from, error))
        return;
    if (backedUp(from, to))
        return;
    removeDatabase(to);
    // Without the log's index nobody can be writing, so the files belong together.
    for (const char *suffix : {"", "-wal"}) {
        const fs::path file = from.string() + suffix, copy = to.string() + suffix;
        if (!fs::is_regular_file(file, error))
            continue;
        if (!fs::copy_file(file, copy, error))
            throw Error(ErrorCode::Io, "The workspace \"" + m_workspace.string() + "\" cannot be written, and its database cannot be copied to be read elsewhere: " + error.message() +
                                           "; check its permissions and the room in \"" + m_folder.path().parent_path().string() + "\".");
        fs::permissions(copy, fs::perms::owner_read | fs::perms::owner_write, error);
    }
}

SQLite::Database DatabaseCopy::open() const
{
    const std::string copy = databaseFile(m_folder.path()).string();
    try {
        return openDatabase(copy);
    } catch (const Error &failure) {
        std::string message = failure.what();
        if (const std::size_t at = message.find(copy); at != std::string::npos)
            message.replace(at, copy.size(), databaseFile(m_workspace).string());
        throw Error(failure.code(), message, failure.detail());
    }
}

}  // namespace stillroom::store
