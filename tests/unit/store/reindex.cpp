// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/digest.h"
#include "lines.h"
#include "refusal.h"
#include "store/database.h"
#include "store/recorder.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <fstream>

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

constexpr std::size_t pageBytes = 4096;

std::string bytesOf(const std::filesystem::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void writeBytes(const std::filesystem::path &file, const std::string &bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

std::string textIn(const std::filesystem::path &folder, const std::string &query)
{
    return openDatabase(databaseFile(folder)).execAndGet(query).getString();
}

int rootPage(const std::filesystem::path &folder, const std::string &table)
{
    return std::stoi(textIn(folder, "SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'"));
}

/// Overwrites one page, counted from 1; returns the file's bytes then.
std::string damagePage(const std::filesystem::path &folder, int page)
{
    std::string bytes = bytesOf(databaseFile(folder));
    const std::size_t start = static_cast<std::size_t>(page - 1) * pageBytes;
    REQUIRE(start + pageBytes <= bytes.size());
    bytes.replace(start, pageBytes, std::string(pageBytes, '\xff'));
    writeBytes(databaseFile(folder), bytes);
    return bytes;
}

/// Whatever a person can say of a run.
void speak(const std::filesystem::path &folder)
{
    Workspace workspace(folder);
    workspace.setName(runName(2), "renamed");
    workspace.setNotes(runName(2), "worth a look");
    workspace.addTag(runName(2), "paper");
    workspace.addTag(runName(2), "final");
    workspace.setLocked(runName(2), true);
    workspace.setPinned(runName(3), true);
    workspace.setTrashed(runName(4), true);
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
    CHECK(holds(result.savedByHand, "names, notes, tags, pins, locks and the trash that were set by hand are gone"));
    CHECK(holds(result.savedByHand, result.damagedDatabase.string()));
}

TEST_CASE("a database that is none any more says how it comes back")
{
    const TemporaryFolder folder;
    writeRuns(folder.path());
    { const Workspace workspace(folder.path()); }
    const std::string whole = bytesOf(databaseFile(folder.path()));
    for (const std::string &bytes : {std::string(16, 'x') + whole.substr(16), std::string(whole.size(), '\0'), std::string()}) {
        writeBytes(databaseFile(folder.path()), bytes);
        CHECK(holds(refusal(ErrorCode::BadFile, [&] { const Workspace workspace(folder.path()); }), "`stillroom-cli reindex` rebuilds"));
    }
}

TEST_CASE("what a person said comes out of a database of which other tables are damaged")
{
    const TemporaryFolder folder;
    writeRuns(folder.path());
    speak(folder.path());
    const std::string damaged = damagePage(folder.path(), rootPage(folder.path(), "metrics"));
    const ReindexResult result = reindex(folder.path());
    CHECK(result.numRuns == 5);
    CHECK(bytesOf(result.damagedDatabase) == damaged);
    CHECK(holds(result.savedByHand, "names: 5, notes: 1, tags: 2, pins: 1, locks: 1, runs in the trash: 1"));
    CHECK_FALSE(holds(result.savedByHand, "lost"));
    const Workspace workspace(folder.path());
    const Run second = *workspace.run(runName(2));
    CHECK(second.name == "renamed");
    CHECK(second.notes == "worth a look");
    CHECK(second.tags == std::vector<std::string>{"final", "paper"});
    CHECK(second.locked);
    CHECK(second.status == RunStatus::Finished);
    CHECK(workspace.run(runName(3))->pinned);
    CHECK(workspace.run(runName(4))->trashed);
    CHECK(workspace.run(runName(1))->name == "first");          // of its spec
    workspace.checkIntegrity();
}

TEST_CASE("tags that are damaged are said to be lost, the rest is brought over")
{
    const TemporaryFolder folder;
    writeRuns(folder.path());
    speak(folder.path());
    damagePage(folder.path(), rootPage(folder.path(), "tags"));
    const ReindexResult result = reindex(folder.path());
    CHECK(holds(result.savedByHand, "tags: 0"));
    CHECK(holds(result.savedByHand, "could not be read to their end: tags"));
    CHECK(holds(result.savedByHand, result.damagedDatabase.string()));
    const Workspace workspace(folder.path());
    CHECK(workspace.run(runName(2))->name == "renamed");
    CHECK(workspace.run(runName(2))->locked);
    CHECK(workspace.run(runName(2))->tags.empty());
}

TEST_CASE("a page of runs that is damaged loses those that are on it")
{
    constexpr int numRuns = 60;
    const TemporaryFolder folder;
    for (int i = 1; i <= numRuns; ++i) {
        LineWriter writer(folder.path(), runName(i));
        writer.start();
        writer.say(experiment::Finished{});
    }
    { const Workspace workspace(folder.path()); }
    {
        SQLite::Database database = openDatabase(databaseFile(folder.path()));
        database.exec("UPDATE runs SET name = 'by hand', locked = 1, notes = printf('note of %s %.900c', uuid, 'x')");
        database.exec("INSERT INTO tags (run, tag) SELECT id, 'paper' FROM runs");
        database.exec("VACUUM");      // no page keeps bytes of what was moved to another
    }
    // Taken in by ascending order of what the folder lists: the run in the middle of the table is asked for.
    const std::string middle = textIn(folder.path(), "SELECT uuid FROM runs WHERE id = 30"), first = textIn(folder.path(), "SELECT uuid FROM runs WHERE id = 1"),
                      last = textIn(folder.path(), "SELECT uuid FROM runs WHERE id = 60");
    damagePage(folder.path(), 1 + static_cast<int>(bytesOf(databaseFile(folder.path())).find("note of " + middle) / pageBytes));
    const ReindexResult result = reindex(folder.path());
    CHECK(result.numRuns == numRuns);
    CHECK(holds(result.savedByHand, "could not be read to their end: names, notes, pins and the trash; locks;"));
    const Workspace workspace(folder.path());
    int numKept = 0;
    for (const Run &run : workspace.runs())
        numKept += run.name == "by hand" && run.locked ? 1 : 0;
    CHECK(numKept >= numRuns - 8);
    CHECK(numKept < numRuns);
    CHECK(workspace.run(first)->name == "by hand");
    CHECK(workspace.run(last)->name == "by hand");
    CHECK(workspace.run(middle)->name == "first");
    CHECK(workspace.run(middle)->tags == std::vector<std::string>{"paper"});      // its number is in the index
}

TEST_CASE("reindexing a database that holds views in place of tables takes nothing out of it")
{
    const TemporaryFolder folder;
    writeRuns(folder.path());
    { const Workspace workspace(folder.path()); }
    openDatabase(databaseFile(folder.path())).exec("PRAGMA foreign_keys = OFF; ALTER TABLE runs RENAME TO other; CREATE VIEW runs AS SELECT * FROM other");
    const ReindexResult result = reindex(folder.path());
    CHECK(result.numRuns == 5);
    CHECK(holds(result.savedByHand, "Nothing could be read"));
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
