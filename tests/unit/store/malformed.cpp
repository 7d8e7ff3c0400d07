// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged databases, at least 30 of every kind of damage, fixed seed: one sentence and an untouched file, or a database that works.
#include "lines.h"
#include "refusal.h"
#include "store/database.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <random>

namespace malformed_tests {

using namespace stillroom;
using namespace stillroom::store;

namespace {

std::string bytesOf(const std::filesystem::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A database with rows in it, as bytes.
std::string goodDatabase()
{
    const TemporaryFolder folder;
    for (int i = 1; i <= 3; ++i) {
        LineWriter writer(folder.path(), runName(i));
        writer.start();
        for (int step = 1; step <= 200; ++step)
            writer.say(experiment::Metric{.series = "loss", .step = step, .value = static_cast<double>(step), .unit = ""});
        writer.say(experiment::Finished{});
    }
    { const Workspace workspace(folder.path()); }
    return bytesOf(databaseFile(folder.path()));
}

/// Opens a workspace with these bytes as its database and uses it. True: refused as the contract says.
bool refuses(const std::string &bytes)
{
    const TemporaryFolder folder;
    const auto file = databaseFile(folder.path());
    std::ofstream(file, std::ios::binary) << bytes;
    bool isOpen = false;
    try {
        const Workspace workspace(folder.path());
        isOpen = true;
        for (const Run &run : workspace.runs()) {
            (void)workspace.metric(run.uuid, "score", "loss");
            (void)workspace.series(run.uuid);
        }
        workspace.checkIntegrity();
        return false;
    } catch (const Error &error) {
        const std::string message = error.what();
        CHECK_MESSAGE(error.code() == ErrorCode::BadFile, message, " ", error.detail());
        CHECK(message.find('\n') == std::string::npos);
        CHECK(message.size() < 400);
        if (!isOpen)
            CHECK(bytesOf(file) == bytes);
        return true;
    }
}

}  // namespace

TEST_CASE("truncated databases")
{
    const std::string good = goodDatabase();
    REQUIRE_FALSE(refuses(good));
    std::mt19937 generator(1);
    for (int i = 0; i < 40; ++i)
        CHECK(refuses(good.substr(0, generator() % good.size())));
    for (std::size_t pages = 0; pages * 4096 < good.size(); ++pages)
        CHECK(refuses(good.substr(0, pages * 4096)));
}

TEST_CASE("flipped headers")
{
    const std::string good = goodDatabase();
    std::mt19937 generator(2);
    int refused = 0;
    for (int i = 0; i < 200; ++i) {
        std::string bytes = good;
        const std::size_t place = generator() % 100;
        bytes[place] ^= static_cast<char>(1U << (generator() % 8U));
        refused += refuses(bytes) ? 1 : 0;
        if (place < 16)
            CHECK(refuses(bytes));
    }
    CHECK(refused >= 60);         // many bytes of a header are counters and sizes that SQLite does not need
}

TEST_CASE("flipped and overwritten pages")
{
    const std::string good = goodDatabase();
    std::mt19937 generator(3);
    int refused = 0;
    for (int i = 0; i < 60; ++i) {
        std::string bytes = good;
        for (int flips = 0; flips < 20; ++flips)
            bytes[100 + generator() % (bytes.size() - 100)] ^= static_cast<char>(1U << (generator() % 8U));
        refused += refuses(bytes) ? 1 : 0;
    }
    for (int i = 0; i < 40; ++i) {
        std::string bytes = good;
        const std::size_t start = 100 + generator() % (bytes.size() - 100);
        for (std::size_t place = start; place < std::min(bytes.size(), start + 300); ++place)
            bytes[place] = static_cast<char>(generator() % 256U);
        refused += refuses(bytes) ? 1 : 0;
    }
    CHECK(refused >= 50);         // the others hit free space or a number in a row
}

TEST_CASE("other programs' files, newer versions and wrong tables")
{
    const TemporaryFolder folder;
    const auto changed = [&](const std::string &sql) {
        const auto file = folder.path() / "changed.db";
        std::filesystem::remove(file);
        std::ofstream(file, std::ios::binary) << goodDatabase();
        {
            SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
            database.exec("PRAGMA foreign_keys = OFF");
            database.exec(sql);
            database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        }
        return bytesOf(file);
    };
    for (int i = 0; i < 30; ++i) {
        CHECK(refuses(changed("PRAGMA application_id = " + std::to_string(i))));
        CHECK(refuses(changed("PRAGMA user_version = " + std::to_string(currentSchema().version + 1 + i * i * 1000))));
        CHECK(refuses(changed("PRAGMA user_version = " + std::to_string(-i))));
    }
    int numTables = 0;
    for (const char *table : {"experiments", "runs", "tags", "tasks", "series", "metrics", "latest_metrics", "layer_scores", "tables", "artifacts", "texts", "warnings", "checkpoints", "stages"}) {
        CHECK(refuses(changed(std::string("DROP TABLE ") + table)));
        CHECK(refuses(changed(std::string("ALTER TABLE ") + table + " RENAME TO other")));
        ++numTables;
    }
    CHECK(numTables * 2 >= 28);
    CHECK(refuses(changed("DROP INDEX runs_by_key")));
    CHECK(refuses(changed("ALTER TABLE runs RENAME COLUMN notes TO remarks")));
    CHECK(refuses(changed("CREATE TRIGGER evil AFTER INSERT ON tags BEGIN DELETE FROM runs; END")));
    CHECK(refuses(changed("CREATE VIEW evil AS SELECT * FROM runs")));
    CHECK_FALSE(refuses(changed("CREATE TABLE somebodys (own INTEGER)")));
}

TEST_CASE("files that are no databases")
{
    std::mt19937 generator(4);
    for (int i = 0; i < 30; ++i) {
        std::string bytes(generator() % 20'000, '\0');
        for (char &byte : bytes)
            byte = static_cast<char>(generator() % 256U);
        CHECK(refuses(bytes));
        CHECK(refuses(std::string(bytes.size(), '\0')));
        CHECK(refuses("SQLite format 3" + std::string(1, '\0') + bytes));
    }
    CHECK(refuses(""));
    const TemporaryFolder folder;
    std::filesystem::create_directories(databaseFile(folder.path()));
    (void)refusal(ErrorCode::BadFile, [&] { const Workspace workspace(folder.path()); });
}

}  // namespace malformed_tests
