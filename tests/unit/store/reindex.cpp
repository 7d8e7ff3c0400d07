// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/digest.h"
#include "lines.h"
#include "refusal.h"
#include "store/database.h"
#include "store/recorder.h"
#include "store/reindex.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <fstream>
#include <functional>
#include <set>
#include <vector>

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

bool isAllThatWasSpoken(const BroughtOver &over)
{
    return over.names == 5 && over.notes == 1 && over.tags == 2 && over.pins == 1 && over.locks == 1 && over.trashed == 1 && over.cut.empty() && !over.isNothing;
}

/// So many that their table has many pages, each with a name, a note, a lock and a tag.
void writeNotedRuns(const std::filesystem::path &folder, int numRuns)
{
    for (int i = 1; i <= numRuns; ++i) {
        LineWriter writer(folder, runName(i));
        writer.start();
        writer.say(experiment::Finished{});
    }
    { const Workspace workspace(folder); }
    SQLite::Database database = openDatabase(databaseFile(folder));
    database.exec("UPDATE runs SET name = 'by hand', locked = 1, notes = printf('note of %s %.900c', uuid, 'x')");
    database.exec("INSERT INTO tags (run, tag) SELECT id, 'paper' FROM runs");
    database.exec("VACUUM");      // no page keeps bytes of what was moved to another
}

/// With the database's bytes in place of its own; they stay, and nothing else is left behind.
BroughtOver reindexed(const std::filesystem::path &folder, const std::string &bytes)
{
    writeBytes(databaseFile(folder), bytes);
    (void)refusal(ErrorCode::BadFile, [&] { const Workspace workspace(folder); });
    const ReindexResult result = reindex(folder);
    CHECK(bytesOf(result.damagedDatabase) == bytes);
    for (const auto &entry : std::filesystem::directory_iterator(folder))
        CHECK_FALSE(holds(entry.path().filename().string(), "reading"));
    Workspace(folder).checkIntegrity();
    return result.broughtOver;
}

/// Bytes of a database about which speak() spoke.
std::string spokenDatabase(const std::filesystem::path &folder)
{
    writeRuns(folder);
    speak(folder);
    return bytesOf(databaseFile(folder));
}

std::string overwritten(std::string bytes, std::size_t begin, std::size_t length, char with)
{
    return bytes.replace(begin, length, std::string(length, with));
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

TEST_CASE("a run whose lines are lost keeps its rows, and the others are rebuilt")
{
    const std::string measured = "SELECT group_concat(score) || ' ' || (SELECT count(*) FROM metrics) || ' ' || (SELECT group_concat(status) FROM runs) FROM layer_scores";
    const auto cut = [](std::string bytes) { return bytes.substr(0, bytes.size() / 2); };
    const auto emptied = [](const std::string &) { return std::string(); };
    const auto zeroed = [](const std::string &bytes) { return std::string(bytes.size(), '\0'); };
    const auto garbled = [](std::string bytes) { return bytes.replace(bytes.size() / 2, 40, std::string(40, '#')); };
    for (const std::function<std::string(std::string)> &damage : std::vector<std::function<std::string(std::string)>>{cut, emptied, zeroed, garbled}) {
        const TemporaryFolder folder;
        writeRuns(folder.path());
        { const Workspace workspace(folder.path()); }
        const std::string before = textIn(folder.path(), measured);
        writeBytes(eventsFile(folder.path(), runName(2)), damage(bytesOf(eventsFile(folder.path(), runName(2)))));
        std::filesystem::remove(eventsFile(folder.path(), runName(3)));
        { const Workspace workspace(folder.path()); }      // takes a shorter file in from its beginning
        const ReindexResult result = reindex(folder.path());
        CHECK(result.numRuns == 3);
        CHECK(std::set<std::string>(result.kept.begin(), result.kept.end()) == std::set<std::string>{runName(2), runName(3)});
        CHECK(textIn(folder.path(), measured) == before);
        CHECK(reindex(folder.path()).kept.size() == 2);
        CHECK(textIn(folder.path(), measured) == before);
    }
}

TEST_CASE("runs whose folder is gone are named: by a whole database they are kept, of a damaged one nothing of them comes over")
{
    const TemporaryFolder folder;
    writeRuns(folder.path());
    speak(folder.path());
    std::filesystem::remove_all(runFolder(folder.path(), runName(2)));
    const ReindexResult whole = reindex(folder.path());
    CHECK(whole.numRuns == 4);
    CHECK(whole.kept == std::vector<std::string>{runName(2)});
    CHECK(Workspace(folder.path()).lastScores(runName(2)).size() == 4);

    const std::size_t metrics = static_cast<std::size_t>(rootPage(folder.path(), "metrics") - 1) * pageBytes;
    writeBytes(databaseFile(folder.path()), overwritten(bytesOf(databaseFile(folder.path())), metrics, pageBytes, '\xff'));
    const ReindexResult damaged = reindex(folder.path());
    CHECK(damaged.numRuns == 4);
    CHECK(damaged.kept.empty());
    CHECK(damaged.broughtOver.gone == std::vector<std::string>{runName(2)});
    CHECK(damaged.broughtOver.names == 4);
    CHECK(reindex(folder.path()).broughtOver.gone.empty());
}

TEST_CASE("a damaged database keeps its place until there is a new one")
{
    const TemporaryFolder folder;
    const std::string whole = spokenDatabase(folder.path()), damaged = whole.substr(0, whole.size() - pageBytes - 100);
    writeBytes(databaseFile(folder.path()), damaged);
    const std::filesystem::path draft = databaseFile(folder.path()).string() + ".rebuilt";
    std::filesystem::create_directories(draft / "in the way");
    (void)refusal(ErrorCode::BadFile, [&] { reindex(folder.path()); });
    CHECK(bytesOf(databaseFile(folder.path())) == damaged);
    CHECK_FALSE(std::filesystem::exists(databaseFile(folder.path()).string() + ".damaged-1"));
    std::filesystem::remove_all(draft);
    writeBytes(draft, "of a process that was killed");
    const ReindexResult result = reindex(folder.path());
    CHECK(isAllThatWasSpoken(result.broughtOver));
    CHECK(bytesOf(result.damagedDatabase) == damaged);
    CHECK_FALSE(std::filesystem::exists(draft));
    CHECK(Workspace(folder.path()).run(runName(2))->name == "renamed");
}

TEST_CASE("what stands in the log of a damaged database alone is brought over, and the log is kept as it was")
{
    const TemporaryFolder folder;
    const std::string file = databaseFile(folder.path()).string();
    writeRuns(folder.path());
    { const Workspace workspace(folder.path()); }
    const std::size_t metrics = static_cast<std::size_t>(rootPage(folder.path(), "metrics") - 1) * pageBytes;
    std::string whole, log;
    {
        Workspace workspace(folder.path());
        workspace.setName(runName(2), "in the log");
        whole = bytesOf(file);
        log = bytesOf(file + "-wal");
    }
    REQUIRE_FALSE(log.empty());
    writeBytes(file, overwritten(whole, metrics, pageBytes, '\xff'));
    writeBytes(file + "-wal", log);
    const ReindexResult result = reindex(folder.path());
    CHECK(bytesOf(result.damagedDatabase) == overwritten(whole, metrics, pageBytes, '\xff'));
    CHECK(bytesOf(result.damagedDatabase.string() + "-wal") == log);
    CHECK(Workspace(folder.path()).run(runName(2))->name == "in the log");
}

TEST_CASE("a damaged database takes its side files along, and no file that was kept before is overwritten")
{
    const TemporaryFolder folder;
    const std::string damaged = overwritten(spokenDatabase(folder.path()), 0, 16, 'x'), file = databaseFile(folder.path()).string();
    const std::string journal = std::string(100, '\0') + "of a file system without shared memory";
    writeBytes(file, damaged);
    writeBytes(file + "-journal", journal);
    writeBytes(file + ".damaged-1-wal", "left of a move that was cut short");
    const ReindexResult result = reindex(folder.path());
    CHECK(result.damagedDatabase == file + ".damaged-2");
    CHECK(bytesOf(result.damagedDatabase.string() + "-journal") == journal);
    CHECK_FALSE(std::filesystem::exists(file + "-journal"));
    CHECK(bytesOf(file + ".damaged-1-wal") == "left of a move that was cut short");
    CHECK(isAllThatWasSpoken(result.broughtOver));
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
    CHECK(holds(result.damage, "damaged at its beginning"));
    CHECK(result.broughtOver.isNothing);
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
    CHECK(isAllThatWasSpoken(result.broughtOver));
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
    CHECK(result.broughtOver.tags == 0);
    CHECK(result.broughtOver.cut == std::vector<std::string>{"tags"});
    const Workspace workspace(folder.path());
    CHECK(workspace.run(runName(2))->name == "renamed");
    CHECK(workspace.run(runName(2))->locked);
    CHECK(workspace.run(runName(2))->tags.empty());
}

TEST_CASE("a page of runs that is damaged loses those that are on it")
{
    constexpr int numRuns = 60;
    const TemporaryFolder folder;
    writeNotedRuns(folder.path(), numRuns);
    // Taken in by ascending order of what the folder lists: the run in the middle of the table is asked for.
    const std::string middle = textIn(folder.path(), "SELECT uuid FROM runs WHERE id = 30"), first = textIn(folder.path(), "SELECT uuid FROM runs WHERE id = 1"),
                      last = textIn(folder.path(), "SELECT uuid FROM runs WHERE id = 60");
    damagePage(folder.path(), 1 + static_cast<int>(bytesOf(databaseFile(folder.path())).find("note of " + middle) / pageBytes));
    const ReindexResult result = reindex(folder.path());
    CHECK(result.numRuns == numRuns);
    CHECK(result.broughtOver.cut == std::vector<std::string>{"names, notes, pins and the trash", "locks"});
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

TEST_CASE("a database that was cut keeps what people said on the pages that are left")
{
    const TemporaryFolder folder;
    const std::string whole = spokenDatabase(folder.path());
    for (const std::size_t cut : {pageBytes, 2 * pageBytes, 5 * pageBytes, pageBytes + 100})
        CHECK(isAllThatWasSpoken(reindexed(folder.path(), whole.substr(0, whole.size() - cut))));
}

TEST_CASE("a long table that was cut keeps the runs before the cut")
{
    constexpr int numRuns = 60;
    const TemporaryFolder folder;
    writeNotedRuns(folder.path(), numRuns);
    const std::string whole = bytesOf(databaseFile(folder.path()));
    const std::size_t numPages = whole.size() / pageBytes;
    for (const std::size_t left : {numPages - 1, numPages - 5, numPages - 10}) {
        const std::string bytes = whole.substr(0, left * pageBytes);
        int numLeft = 0;
        for (int i = 1; i <= numRuns; ++i)
            numLeft += holds(bytes, "note of " + runName(i)) ? 1 : 0;
        const BroughtOver over = reindexed(folder.path(), bytes);
        CHECK(numLeft > 0);
        CHECK(over.notes == numLeft);
        CHECK(over.locks == numLeft);
        CHECK(over.tags == numRuns);
        CHECK(over.cut.empty() == (numLeft == numRuns));
    }
}

TEST_CASE("a damaged statement in the schema loses nothing, of whatever table it is")
{
    const TemporaryFolder folder;
    const std::string whole = spokenDatabase(folder.path());
    for (const char *table : {"experiments", "runs", "tags", "metrics", "texts", "stages"}) {
        CAPTURE(table);
        const std::string statement = std::string("CREATE TABLE ") + table + " (";
        std::string bytes = whole;
        for (std::size_t at = bytes.find(statement); at != std::string::npos; at = bytes.find(statement, at))
            bytes[at + 7] = 'X';
        CHECK(bytes != whole);
        CHECK(isAllThatWasSpoken(reindexed(folder.path(), bytes)));
    }
}

TEST_CASE("a damaged header or schema page loses nothing where the tables lie on other pages")
{
    const TemporaryFolder folder;
    const std::string whole = spokenDatabase(folder.path());
    writeBytes(databaseFile(folder.path()).string() + ".reading-wal", "of a process that was killed");
    for (const char with : {'\0', '\xff', 'x'})
        for (const std::size_t length : {std::size_t{16}, std::size_t{100}, std::size_t{108}, pageBytes}) {
            CAPTURE(length);
            CHECK(isAllThatWasSpoken(reindexed(folder.path(), overwritten(whole, 0, length, with))));
        }
    const std::size_t schemaPage = whole.find("CREATE TABLE tasks (") / pageBytes;
    CHECK(isAllThatWasSpoken(reindexed(folder.path(), overwritten(whole, schemaPage * pageBytes, pageBytes, '\0'))));
    CHECK(isAllThatWasSpoken(reindexed(folder.path(), overwritten(whole.substr(0, whole.size() - pageBytes), 0, pageBytes, '\0'))));
}

TEST_CASE("a database that lost its schema is read also where it was vacuumed, and tags that are no tags are not taken")
{
    constexpr int numRuns = 60;
    const TemporaryFolder folder;
    writeNotedRuns(folder.path(), numRuns);
    const BroughtOver over = reindexed(folder.path(), overwritten(bytesOf(databaseFile(folder.path())), 0, pageBytes, '\0'));
    CHECK(over.notes == numRuns);
    CHECK(over.tags == numRuns);
    CHECK(over.cut.empty());
    const TemporaryFolder other;
    const std::string whole = spokenDatabase(other.path());
    const std::size_t tags = static_cast<std::size_t>(rootPage(other.path(), "tags") - 1) * pageBytes;
    const BroughtOver withoutTags = reindexed(other.path(), overwritten(overwritten(whole, 0, pageBytes, '\0'), tags, pageBytes, '\0'));
    CHECK(withoutTags.names == 5);
    CHECK(withoutTags.tags == 0);
    CHECK(withoutTags.cut == std::vector<std::string>{"tags"});
}

TEST_CASE("a view in place of a table is not asked, but the table's own rows are read")
{
    const TemporaryFolder folder;
    writeRuns(folder.path());
    { const Workspace workspace(folder.path()); }
    openDatabase(databaseFile(folder.path())).exec("PRAGMA foreign_keys = OFF; ALTER TABLE runs RENAME TO other; CREATE VIEW runs AS SELECT id, uuid, 'of the view' AS name, notes, pinned, trashed, locked FROM other");
    const ReindexResult result = reindex(folder.path());
    CHECK(result.numRuns == 5);
    CHECK(result.broughtOver.names == 5);
    CHECK(Workspace(folder.path()).run(runName(1))->name == "first");
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
