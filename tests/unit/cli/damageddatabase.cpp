// SPDX-License-Identifier: GPL-3.0-or-later
#include "damageddatabase.h"

#include "store/layout.h"
#include "store/lines.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <iterator>

using namespace stillroom;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t pageBytes = 4096;   // SQLite's own default
constexpr std::size_t fileHeaderBytes = 100;

std::string bytesOf(const fs::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The database after some SQL that SQLite lets everybody do.
std::string afterSql(const std::string &whole, const std::string &sql)
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "changed.db";
    writePlain(file, whole);
    {
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
        database.exec("PRAGMA journal_mode = DELETE; PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON");
        database.exec(sql);
        database.exec("PRAGMA writable_schema = OFF; PRAGMA journal_mode = WAL");
    }
    return bytesOf(file);
}

void putBig(std::string &bytes, std::size_t place, std::uint64_t value, std::size_t width)
{
    for (std::size_t i = 0; i < width; ++i)
        bytes[place + i] = static_cast<char>(value >> (8 * (width - 1 - i)));
}

/// Where the b-tree header of some page of these types begins: 0x02 and 0x05 inner, 0x0A and 0x0D leaves.
std::size_t anyPage(const std::string &bytes, const std::string &types, Draw &draw)
{
    std::vector<std::size_t> places;
    for (std::size_t page = 0; page * pageBytes < bytes.size(); ++page)
        if (const auto place = page == 0 ? fileHeaderBytes : page * pageBytes; types.find(bytes[place]) != std::string::npos)
            places.push_back(place);
    REQUIRE_FALSE(places.empty());
    return draw.oneOf(places);
}

const std::string leafPages("\x0A\x0D"), innerPages("\x02\x05");

/// Where some cell of the page whose header begins at `page` begins.
std::size_t anyCell(const std::string &bytes, std::size_t page, Draw &draw)
{
    const auto big16 = [&](std::size_t place) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[place])) << 8U | static_cast<unsigned char>(bytes[place + 1]); };
    const std::size_t numCells = big16(page + 3), headerSize = innerPages.find(bytes[page]) != std::string::npos ? 12 : 8;
    const std::size_t offset = numCells == 0 ? 0 : big16(page + headerSize + 2 * draw.below(numCells));
    return std::min(page / pageBytes * pageBytes + offset, bytes.size() - 9);
}

std::string otherRecordLength(std::string bytes, Draw &draw)
{
    switch (draw.below(4)) {
    case 0: putBig(bytes, 16, draw.oneOf(std::vector<std::uint64_t>{0, 1, 2, 255, 511, 512, 1024, 2048, 8192, 32768, 65535}), 2); break;
    case 1: bytes[20 + draw.below(4)] = static_cast<char>(draw.bits()); break;   // reserved bytes and fractions of a page
    case 2: bytes.replace(anyCell(bytes, anyPage(bytes, leafPages, draw), draw), 9, std::string(1 + draw.below(8), '\xFF').append(9, '\x7F').substr(0, 9)); break;   // a record's length
    default: bytes[anyCell(bytes, anyPage(bytes, leafPages, draw), draw) + draw.below(6)] = static_cast<char>(draw.bits()); break;
    }
    return bytes;
}

std::string otherPageCount(std::string bytes, Draw &draw)
{
    const auto value = draw.oneOf(std::vector<std::uint64_t>{0, 1, 2, 255, 4095, 65535, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF});
    switch (draw.below(4)) {
    case 0: putBig(bytes, anyPage(bytes, leafPages + innerPages, draw) + 3, value, 2); break;   // cells
    case 1: putBig(bytes, 28, value, 4); break;                                          // pages
    case 2: putBig(bytes, 36, value, 4); break;                                          // free pages
    default: putBig(bytes, anyPage(bytes, leafPages + innerPages, draw) + draw.oneOf(std::vector<std::size_t>{1, 5}), value, 2); break;   // where free blocks and cells begin
    }
    return bytes;
}

std::string otherTableType(const std::string &whole, Draw &draw)
{
    const auto table = draw.oneOf(std::vector<std::string>{"experiments", "runs", "tags", "tasks", "series", "metrics", "latest_metrics", "layer_scores", "tables", "artifacts", "texts", "warnings", "checkpoints", "stages"});
    std::string bytes = whole;
    switch (draw.below(5)) {
    case 0: bytes[anyPage(bytes, leafPages + innerPages, draw)] = static_cast<char>(draw.below(2) == 0 ? draw.oneOf(std::vector<int>{0, 1, 2, 5, 10, 13, 255}) : static_cast<int>(draw.below(256))); return bytes;
    case 1: bytes[draw.oneOf(std::vector<std::size_t>{18, 19, 47, 59})] = static_cast<char>(draw.below(8)); return bytes;   // formats and encoding
    case 2: return afterSql(whole, "UPDATE sqlite_schema SET sql = replace(sql, '" + draw.oneOf(std::vector<std::string>{"INTEGER", "TEXT", "REAL", "STRICT", "NOT NULL"}) + "', '" +
                                    draw.oneOf(std::vector<std::string>{"BLOB", "ANY", "", "text", "(((", "INTEGER"}) + "') WHERE name = '" + table + "'");
    case 3: return afterSql(whole, "UPDATE sqlite_schema SET type = '" + draw.oneOf(std::vector<std::string>{"view", "trigger", "index", "", "other"}) + "' WHERE name = '" + table + "'");
    default: return afterSql(whole, "UPDATE runs SET " + draw.oneOf(std::vector<std::string>{"status = 'asleep'", "status = ''", "result = 'no JSON'", "result = '[1'", "kind = char(0, 10, 27)", "uuid = 'none'", "name = char(10) || 'x'",
                                                                                             "key = '../../..'", "started = 1e999", "name = x'FF' || ''"}) + " WHERE id = 1");
    }
}

std::string nestedDatabase(const std::string &whole, Draw &draw)
{
    std::string bytes = whole;
    const auto page = draw.oneOf(std::vector<std::uint64_t>{0, 1, 2, 3, 0x7FFFFFFF, 0xFFFFFFFF, bytes.size() / pageBytes, bytes.size() / pageBytes + 1});
    switch (draw.below(5)) {
    case 0: putBig(bytes, anyPage(bytes, innerPages, draw) + 8, page, 4); return bytes;                                   // a tree that holds itself
    case 1: putBig(bytes, anyCell(bytes, anyPage(bytes, innerPages, draw), draw), page, 4); return bytes;
    case 2: putBig(bytes, 32, page, 4); putBig(bytes, 36, 1 + draw.below(5), 4); return bytes;                       // free pages in a ring
    case 3: {
        const auto depth = std::to_string(draw.oneOf(std::vector<int>{100, 5'000, 400'000}));
        return afterSql(whole, draw.oneOf(std::vector<std::string>{"UPDATE experiments SET spec = replace(hex(zeroblob(" + depth + ")), '00', '[')", "UPDATE runs SET result = replace(hex(zeroblob(" + depth + ")), '00', '{\"a\":')"}));
    }
    default: {
        std::string sql = "CREATE VIEW deep0 AS SELECT * FROM runs;";
        const auto depth = static_cast<int>(1 + draw.below(60));
        for (int i = 1; i < depth; ++i)
            sql += "CREATE VIEW deep" + std::to_string(i) + " AS SELECT * FROM deep" + std::to_string(i - 1) + " JOIN deep" + std::to_string(i - 1) + ";";
        return afterSql(whole, sql);
    }
    }
}

std::string otherRowNumber(const std::string &whole, Draw &draw)
{
    const auto integer = draw.oneOf(std::vector<std::string>{"-1", "0", "2147483648", "-2147483649", "4611686018427387904", "9223372036854775807", "-9223372036854775808"});
    const auto real = draw.oneOf(std::vector<std::string>{"-1.0", "1e308", "-1e308", "9e999", "-9e999", "1e-310", "1e18", "-1e18"});
    switch (draw.below(6)) {
    case 0: return afterSql(whole, "PRAGMA user_version = " + draw.oneOf(std::vector<std::string>{"-1", "0", "1", "4", "99", "2147483647", "-2147483648"}));
    case 1: return afterSql(whole, "PRAGMA application_id = " + draw.oneOf(std::vector<std::string>{"-1", "0", "1", "2147483647"}));
    case 2:
    case 3: return afterSql(whole, "UPDATE runs SET " + draw.oneOf(std::vector<std::string>{"threads", "done", "total", "tokens", "pid", "process_start", "ingested_bytes", "ingested_lines", "resumed", "pinned", "experiment"}) + " = " + integer);
    case 4: return afterSql(whole, "UPDATE runs SET " + draw.oneOf(std::vector<std::string>{"started", "finished", "heartbeat", "seconds", "eta", "trashed"}) + " = " + real);
    default: return afterSql(whole, draw.below(2) == 0 ? "UPDATE OR IGNORE layer_scores SET layer = " + integer + ", n_sequences = " + integer + ", not_finite = " + integer
                                                     : "UPDATE layer_scores SET score = " + real + ", kl_nats = " + real + ", se = " + real);
    }
}

}  // namespace

std::string wholeDatabase()
{
    const TemporaryFolder folder;
    for (int number = 1; number <= 3; ++number) {
        LineWriter writer(folder.path(), runName(number));
        writer.start();
        for (int step = 1; step <= 400; ++step)
            writer.say(experiment::Metric{.series = "loss", .step = step, .value = static_cast<double>(step), .unit = ""});
        for (int layer = -1; layer < 6; ++layer)
            writer.say(scoreOf(layer, 0.1 * layer, 1000));
        writer.say(experiment::Finished{.resultJson = R"({"scores":[]})", .seconds = 1.0});
    }
    { const store::Workspace workspace(folder.path()); }
    return bytesOf(store::databaseFile(folder.path()));
}

Kinds damagedDatabase(const std::string &whole)
{
    return {
        {"truncations", true, [whole](Draw &draw) { return whole.substr(0, draw.below(3) == 0 ? draw.below(whole.size() / pageBytes) * pageBytes : draw.below(whole.size())); }},
        {"header flips", false, [whole](Draw &draw) { auto bytes = whole; flipBits(bytes, fileHeaderBytes, draw); return bytes; }},
        {"lengths", false, [whole](Draw &draw) { return otherRecordLength(whole, draw); }},
        {"counts", false, [whole](Draw &draw) { return otherPageCount(whole, draw); }},
        {"types", false, [whole](Draw &draw) { return otherTableType(whole, draw); }},
        {"nesting", false, [whole](Draw &draw) { return nestedDatabase(whole, draw); }},
        {"numbers out of range", false, [whole](Draw &draw) { return otherRowNumber(whole, draw); }},
    };
}
