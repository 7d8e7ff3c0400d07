// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/digest.h"
#include "lines.h"
#include "refusal.h"
#include "store/database.h"
#include "store/recorder.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

namespace reindex_tests {

using namespace stillroom;
using namespace stillroom::store;
using nlohmann::json;

namespace {

void writeRuns(const std::filesystem::path &folder)
{
    for (int i = 1; i <= 5; ++i) {
        LineWriter writer(folder, runName(i));
        writer.start();
        for (int step = 1; step <= 50; ++step)
            writer.say(experiment::Metric{.series = "loss", .step = step, .value = static_cast<double>(step * i), .unit = ""});
        for (int layer = 0; layer < 4; ++layer)
            writer.say(scoreOf(layer, static_cast<double>(layer * i), 100));
        writer.say(experiment::Finished{});
    }
}

/// Every row of every table, ordered, without the numbers that SQLite gave.
std::string dump(const std::filesystem::path &folder)
{
    SQLite::Database database = openDatabase(databaseFile(folder));
    std::string text;
    for (const char *query : {"SELECT uuid, name, notes, kind, key, status, started, finished, heartbeat, device, result, phase, ingested_bytes, ingested_lines FROM runs ORDER BY uuid",
                              "SELECT r.uuid, t.name, t.last_seq, t.kind FROM tasks t JOIN runs r ON r.id = t.run ORDER BY 1, 2",
                              "SELECT r.uuid, s.task, s.name, m.step, m.value FROM metrics m JOIN runs r ON r.id = m.run JOIN series s ON s.id = m.series ORDER BY 1, 2, 3, 4",
                              "SELECT r.uuid, s.name, m.step, m.value FROM latest_metrics m JOIN runs r ON r.id = m.run JOIN series s ON s.id = m.series ORDER BY 1, 2",
                              "SELECT r.uuid, l.layer, l.score, l.tokens FROM layer_scores l JOIN runs r ON r.id = l.run ORDER BY 1, 2", "SELECT key, path, info FROM stages ORDER BY 1"}) {
        SQLite::Statement rows(database, query);
        while (rows.executeStep()) {
            for (int column = 0; column < rows.getColumnCount(); ++column)
                text += rows.getColumn(column).getString() + "|";
            text += "\n";
        }
    }
    return text;
}

}  // namespace

TEST_CASE("reindexing gives the same rows and keeps what people said")
{
    const TemporaryFolder folder;
    writeRuns(folder.path());
    {
        Workspace workspace(folder.path());
        workspace.setName(runName(2), "renamed");
        workspace.addTag(runName(2), "paper");
        const std::string key = experiment::sha256Hex("stage");
        workspace.stages().commitStage(workspace.stages().beginStage(key), json{{"kind", "align"}});
    }
    reindex(folder.path());
    const std::string before = dump(folder.path());
    {
        SQLite::Database database = openDatabase(databaseFile(folder.path()));
        database.exec("DELETE FROM metrics WHERE step > 10");
        database.exec("UPDATE layer_scores SET score = 99");
        database.exec("DELETE FROM stages");
    }
    CHECK(dump(folder.path()) != before);
    const ReindexResult result = reindex(folder.path());
    CHECK(result.numRuns == 5);
    CHECK(result.numUnreadableLines == 0);
    CHECK(result.damagedDatabase.empty());
    CHECK(dump(folder.path()) == before);
    const Workspace workspace(folder.path());
    CHECK(workspace.run(runName(2))->name == "renamed");
    CHECK(workspace.run(runName(2))->tags == std::vector<std::string>{"paper"});
    CHECK(holds(before, "align"));
}

TEST_CASE("a lost database comes back from the lines")
{
    const TemporaryFolder folder;
    writeRuns(folder.path());
    { const Workspace workspace(folder.path()); }
    const std::string before = dump(folder.path());
    for (const char *suffix : {"", "-wal", "-shm"})
        std::filesystem::remove(databaseFile(folder.path()).string() + suffix);
    reindex(folder.path());
    CHECK(dump(folder.path()) == before);
}

TEST_CASE("a damaged database is moved aside, not overwritten")
{
    const TemporaryFolder folder;
    writeRuns(folder.path());
    { const Workspace workspace(folder.path()); }
    std::ofstream(databaseFile(folder.path()), std::ios::binary) << "this is no database, whatever its name says, and it is longer than a hundred bytes, so that its header can be read.";
    (void)refusal(ErrorCode::BadFile, [&] { const Workspace workspace(folder.path()); });
    const ReindexResult result = reindex(folder.path());
    CHECK(result.numRuns == 5);
    CHECK(result.damagedDatabase.filename() == "stillroom.db.damaged-1");
    CHECK(std::filesystem::exists(result.damagedDatabase));
    CHECK(Workspace(folder.path()).runs().size() == 5);
}

TEST_CASE("reindexing waits for nobody: it names the process that records")
{
    const TemporaryFolder folder;
    const Recorder recorder(folder.path());
    CHECK(holds(refusal(ErrorCode::Failed, [&] { reindex(folder.path()); }), "process " + std::to_string(thisProcess().pid)));
}

TEST_CASE("a newer database is not taken for a damaged one")
{
    const TemporaryFolder folder;
    { const Workspace workspace(folder.path()); }
    openDatabase(databaseFile(folder.path())).exec("PRAGMA user_version = 99");
    CHECK(holds(refusal(ErrorCode::BadFile, [&] { reindex(folder.path()); }), "newer version"));
    CHECK(std::filesystem::exists(databaseFile(folder.path())));
}

}  // namespace reindex_tests
