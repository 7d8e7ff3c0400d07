// SPDX-License-Identifier: GPL-3.0-or-later
#include "filledmetrics.h"

#include "store/layout.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>

namespace stillroom::bench {
namespace {

constexpr const char *points = "INSERT INTO metrics (run, series, step, tokens, value, not_finite, time) "
                               "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) "
                               "SELECT r.id, (SELECT min(id) FROM series), n.i, n.i * 512, 0.1 + 1.0 / (1.0 + 0.001 * n.i) + 0.00005 * ((n.i * 7919 + r.id) % 1000), NULL, 1764480000.0 + 0.01 * n.i "
                               "FROM runs r CROSS JOIN n WHERE r.id BETWEEN ?2 AND ?3";

void addPoints(SQLite::Database &database, std::int64_t lastStep, std::int64_t firstRun, std::int64_t lastRun)
{
    if (lastStep < 2)
        return;
    SQLite::Statement insert(database, points);
    insert.bind(1, lastStep);
    insert.bind(2, firstRun);
    insert.bind(3, lastRun);
    insert.exec();
}

}  // namespace

void fillMetrics(const std::filesystem::path &workspace, std::int64_t rows, std::int64_t longPoints)
{
    SQLite::Database database(store::databaseFile(workspace).string(), SQLite::OPEN_READWRITE);
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000");      // it is thrown away if this breaks off
    const std::int64_t runs = database.execAndGet("SELECT max(id) FROM runs").getInt64();
    database.exec("BEGIN");
    addPoints(database, longPoints, 1, 1);
    addPoints(database, (rows - longPoints) / std::max<std::int64_t>(1, runs - 1), 2, runs);
    database.exec("COMMIT");
}

std::string longRun(const std::filesystem::path &workspace)
{
    SQLite::Database database(store::databaseFile(workspace).string(), SQLite::OPEN_READONLY);
    return database.execAndGet("SELECT uuid FROM runs WHERE id = 1").getString();
}

std::int64_t databaseBytes(const std::filesystem::path &workspace)
{
    std::int64_t bytes = 0;
    for (const std::filesystem::path &file : {store::databaseFile(workspace), std::filesystem::path(store::databaseFile(workspace).string() + "-wal")})
        if (std::filesystem::exists(file))
            bytes += static_cast<std::int64_t>(std::filesystem::file_size(file));
    return bytes;
}

}  // namespace stillroom::bench
