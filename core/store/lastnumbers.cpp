// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/lastnumbers.h"

#include "error.h"
#include "folders.h"
#include "log.h"
#include "store/binding.h"
#include "store/database.h"
#include "store/layout.h"

#include <system_error>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;

std::int64_t bytesInFile(const fs::path &file)
{
    std::error_code error;
    const std::uintmax_t sizeBytes = fs::file_size(file, error);
    return error ? 0 : static_cast<std::int64_t>(sizeBytes);
}

void forgetPlaceBehind(SQLite::Database &database, const std::string &run, std::int64_t sizeBytes)
{
    SQLite::Statement forget(database, "UPDATE runs SET ingested_bytes = 0, ingested_lines = 0 WHERE uuid = ? AND ingested_bytes > ?");
    bound(forget, run, sizeBytes).exec();
}

std::map<std::string, std::int64_t> numbersIn(SQLite::Database &database, const std::string &run)
{
    std::map<std::string, std::int64_t> numbers;
    SQLite::Statement tasks(database, "SELECT t.name, t.last_seq FROM tasks t JOIN runs r ON r.id = t.run WHERE r.uuid = ?");
    bound(tasks, run);
    while (tasks.executeStep())
        numbers.emplace(tasks.getColumn(0).getString(), tasks.getColumn(1).getInt64());
    return numbers;
}

}  // namespace

std::map<std::string, std::int64_t> lastNumbers(const fs::path &workspace, const std::string &run)
{
    const fs::path events = eventsFile(workspace, run), file = databaseFile(workspace);
    if (!isThere(file))
        return {};
    try {
        return onDatabase(file, [&] {
            SQLite::Database database = openDatabase(file);
            forgetPlaceBehind(database, run, bytesInFile(events));
            return numbersIn(database, run);
        });
    } catch (const Error &error) {
        if (error.code() != ErrorCode::BadFile)
            throw;
        log::warning("The run " + run + " is numbered by its lines alone. " + error.what());
        return {};
    }
}

}  // namespace stillroom::store
