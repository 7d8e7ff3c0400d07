// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/database.h"
#include "lines.h"
#include "refusal.h"
#include "store/reindex.h"
#include "store/workspace.h"
#include "temporaryfolder.h"
#include "testdata.h"

#include <chrono>
#include <functional>
#include <future>
#include <sys/stat.h>
#include <vector>

namespace database_tests {

using namespace stillroom;
using namespace stillroom::store;

namespace {

Schema firstSchema()
{
    return {.version = 1, .sql = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;", .migrations = {}};
}

Schema thirdSchema()
{
    return {.version = 3,
            .sql = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL, author TEXT) STRICT; CREATE INDEX notes_by_author ON notes (author);",
            .migrations = {"ALTER TABLE notes ADD COLUMN author TEXT", "CREATE INDEX notes_by_author ON notes (author)"}};
}

std::string bytesOf(const std::filesystem::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("every connection has foreign keys, a write-ahead log and a busy timeout")
{
    const TemporaryFolder folder;
    SQLite::Database database = openDatabase(folder.path() / "stillroom.db");
    CHECK(database.execAndGet("PRAGMA foreign_keys").getInt() == 1);
    CHECK(database.execAndGet("PRAGMA journal_mode").getString() == "wal");
    CHECK(database.execAndGet("PRAGMA synchronous").getInt() == 1);
    CHECK(database.execAndGet("PRAGMA busy_timeout").getInt() == 10'000);
    CHECK(database.execAndGet("PRAGMA application_id").getInt() == applicationId);
    CHECK(database.execAndGet("PRAGMA user_version").getInt() == currentSchema().version);
    CHECK_THROWS_AS(database.exec("INSERT INTO tags (run, tag) VALUES (99, 'x')"), SQLite::Exception);
}

TEST_CASE("an older database is backed up, then migrated to what a new one is")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "stillroom.db";
    openDatabase(file, firstSchema()).exec("INSERT INTO notes (text) VALUES ('kept')");
    SQLite::Database database = openDatabase(file, thirdSchema());
    CHECK(database.execAndGet("PRAGMA user_version").getInt() == 3);
    CHECK(database.execAndGet("SELECT text FROM notes").getString() == "kept");
    SQLite::Database backup((folder.path() / "stillroom.db.v1.bak").string());
    CHECK(backup.execAndGet("PRAGMA user_version").getInt() == 1);
    CHECK(backup.execAndGet("SELECT text FROM notes").getString() == "kept");
}

TEST_CASE("a workspace of version 1 opens with all that a person wrote, and its runs can be locked")
{
    const TemporaryFolder folder;
    std::filesystem::copy_file(test::testData() / "store" / "version1.db", folder.path() / "stillroom.db");
    Workspace workspace(folder.path());
    REQUIRE(workspace.runs().size() == 1);
    const Run run = workspace.runs().front();
    CHECK(run.name == "kept");
    CHECK(run.notes == "for figure 2");
    CHECK(run.tags == std::vector<std::string>{"paper"});
    CHECK(run.pinned);
    CHECK_FALSE(run.locked);
    workspace.setLocked(run.uuid, true);
    CHECK(Workspace(folder.path()).runs().front().locked);
    SQLite::Database backup((folder.path() / "stillroom.db.v1.bak").string());
    CHECK(backup.execAndGet("PRAGMA user_version").getInt() == 1);
}

TEST_CASE("a migration that fails leaves the old version")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "stillroom.db";
    openDatabase(file, firstSchema()).exec("INSERT INTO notes (text) VALUES ('kept')");
    Schema broken = thirdSchema();
    broken.migrations[0] = "ALTER TABLE notes ADD COLUMN author TEXT; INSERT INTO nowhere VALUES (1)";
    CHECK(holds(refusal(ErrorCode::BadFile, [&] { (void)openDatabase(file, broken); }), "reindex"));
    SQLite::Database database = openDatabase(file, firstSchema());
    CHECK(database.execAndGet("PRAGMA user_version").getInt() == 1);
    CHECK(database.execAndGet("SELECT text FROM notes").getString() == "kept");
}

TEST_CASE("a migration that forgets an index is noticed")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "stillroom.db";
    (void)openDatabase(file, firstSchema());
    Schema forgetful = thirdSchema();
    forgetful.migrations[1] = "SELECT 1";
    (void)refusal(ErrorCode::BadFile, [&] { (void)openDatabase(file, forgetful); });
}

TEST_CASE("a newer database is refused politely and left untouched")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "stillroom.db";
    (void)openDatabase(file, thirdSchema());
    const std::string before = bytesOf(file);
    CHECK(holds(refusal(ErrorCode::BadFile, [&] { (void)openDatabase(file, firstSchema()); }), "newer version"));
    CHECK(bytesOf(file) == before);
    CHECK(bytesOf(folder.path() / "stillroom.db-wal").empty());
}

TEST_CASE("what is no file in the database's place is refused with what to do, left as it is, and moved aside by reindexing")
{
    namespace fs = std::filesystem;
    const auto makeFolder = [](const fs::path &place) { fs::create_directories(place / "within"); };
    const auto makeLinkToFolder = [](const fs::path &place) { fs::create_directory_symlink(place.parent_path(), place); };
    const auto makeDeadLink = [](const fs::path &place) { fs::create_symlink("on a disk that is not connected", place); };
    const auto makeLoop = [](const fs::path &place) { fs::create_symlink(place, place); };
    const auto makePipe = [](const fs::path &place) { REQUIRE(mkfifo(place.c_str(), 0666) == 0); };
    for (const std::function<void(const fs::path &)> &make : std::vector<std::function<void(const fs::path &)>>{makeFolder, makeLinkToFolder, makeDeadLink, makeLoop, makePipe}) {
        const TemporaryFolder folder;
        const fs::path place = folder.path() / "stillroom.db";
        make(place);
        const auto type = fs::symlink_status(place).type();
        const std::string message = refusal(ErrorCode::BadFile, [&] { const Workspace workspace(folder.path()); });
        CHECK(holds(message, "\"" + place.string() + "\""));
        CHECK(holds(message, "move"));
        CHECK(holds(message, "`stillroom-cli reindex` rebuilds it"));
        CHECK(fs::symlink_status(place).type() == type);
        for (const char *kept : {"stillroom.db.damaged-1", "stillroom.db.damaged-2"}) {      // the first is not overwritten, whatever it is
            CHECK(reindex(folder.path()).damagedDatabase == folder.path() / kept);
            CHECK(fs::symlink_status(folder.path() / kept).type() == type);
            CHECK(Workspace(folder.path()).runs().empty());
            fs::remove(place);
            make(place);
        }
    }
}

TEST_CASE("an unfinished creation leaves nothing that looks like a database")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "stillroom.db.new-1-0") << "torn";
    const Workspace workspace(folder.path());
    CHECK(workspace.runs().empty());
    for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
        CHECK_MESSAGE((entry.path().filename() == "stillroom.db.new-1-0" || !holds(entry.path().string(), ".new-")), entry.path().string());
}

TEST_CASE("a writer waits for another writer, also after having read")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "stillroom.db";
    SQLite::Database first = openDatabase(file, firstSchema());
    SQLite::Database second = openDatabase(file, firstSchema());
    CHECK(second.execAndGet("SELECT count(*) FROM notes").getInt() == 0);
    auto transaction = std::make_unique<WriteTransaction>(first);
    first.exec("INSERT INTO notes (text) VALUES ('first')");
    auto other = std::async(std::launch::async, [&] {
        WriteTransaction waiting(second);
        const int seen = second.execAndGet("SELECT count(*) FROM notes").getInt();
        second.exec("INSERT INTO notes (text) VALUES ('second')");
        waiting.commit();
        return seen;
    });
    CHECK(other.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout);
    transaction->commit();
    CHECK(other.get() == 1);
}

TEST_CASE("a transaction that is not committed is undone")
{
    const TemporaryFolder folder;
    SQLite::Database database = openDatabase(folder.path() / "stillroom.db", firstSchema());
    {
        const WriteTransaction transaction(database);
        database.exec("INSERT INTO notes (text) VALUES ('gone')");
    }
    CHECK(database.execAndGet("SELECT count(*) FROM notes").getInt() == 0);
}

}  // namespace database_tests
