// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/database.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace schema_tests {

using namespace stillroom;
using namespace stillroom::store;

namespace {

using Columns = std::vector<std::string>;       // "name TYPE", in order
using Tables = std::map<std::string, Columns>;

/// core/store/SCHEMA.md: a "## `table`" heading, then "| `column` | TYPE | meaning |" rows; and its ```sql blocks.
struct Document {
    std::string text;
    Tables tables;
    std::vector<std::string> queries;
};

Document readDocument()
{
    const std::regex heading("^## `([a-z_]+)`$"), row("^\\| `([a-z_0-9]+)` \\| ([A-Z]+) \\|.*\\|$");
    std::ifstream stream(STILLROOM_SCHEMA_DOCUMENT);
    REQUIRE(stream.good());
    Document document;
    std::string line, table;
    bool inQuery = false;
    for (std::smatch match; std::getline(stream, line);) {
        document.text += line + '\n';
        if (line == "```sql") {
            inQuery = true;
            document.queries.emplace_back();
        } else if (line == "```") {
            inQuery = false;
        } else if (inQuery) {
            document.queries.back() += line + '\n';
        } else if (std::regex_match(line, match, heading)) {
            table = match[1].str();
            document.tables[table];
        } else if (std::regex_match(line, match, row)) {
            REQUIRE_FALSE(table.empty());
            document.tables[table].push_back(match[1].str() + ' ' + match[2].str());
        }
    }
    return document;
}

Tables tablesOf(SQLite::Database &database)
{
    Tables tables;
    SQLite::Statement names(database, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'");
    while (names.executeStep()) {
        const std::string table = names.getColumn(0).getString();
        SQLite::Statement columns(database, "SELECT name, type FROM pragma_table_info(?) ORDER BY cid");
        columns.bind(1, table);
        while (columns.executeStep())
            tables[table].push_back(columns.getColumn(0).getString() + ' ' + columns.getColumn(1).getString());
    }
    return tables;
}

}  // namespace

TEST_CASE("SCHEMA.md names every table and column of the database, with its type and in order, and nothing else")
{
    const TemporaryFolder folder;
    SQLite::Database database = openDatabase(folder.path() / "stillroom.db");
    const Tables real = tablesOf(database), documented = readDocument().tables;
    CHECK(real.size() == 14);
    for (const auto &[table, columns] : real) {
        CAPTURE(table);
        const auto found = documented.find(table);
        REQUIRE(found != documented.end());
        CHECK(found->second == columns);
    }
    for (const auto &[table, columns] : documented) {
        CAPTURE(table);
        CHECK(real.contains(table));
    }
}

TEST_CASE("SCHEMA.md gives the numbers by which the file is known")
{
    const std::string text = readDocument().text;
    CHECK(text.find("`PRAGMA user_version` is the schema's number (" + std::to_string(currentSchema().version) + ")") != std::string::npos);
    CHECK(text.find("is " + std::to_string(applicationId) + " (\"Stil\")") != std::string::npos);
}

TEST_CASE("the queries of SCHEMA.md run")
{
    const TemporaryFolder folder;
    SQLite::Database database = openDatabase(folder.path() / "stillroom.db");
    database.exec("INSERT INTO experiments (id, hash, kind, spec) VALUES (1, 'h', 'score', '{\"seed\": 7}');"
                  "INSERT INTO runs (id, uuid, experiment, status) VALUES (1, 'u', 1, 'finished');"
                  "INSERT INTO series VALUES (1, 'score', 'score/kl/0', 'nats/token'); INSERT INTO latest_metrics VALUES (1, 1, 3, 30, 0.5, NULL, 1.0);"
                  "INSERT INTO layer_scores VALUES (1, 'score', 'ga-s2', 'gdn', 10, 0, 0.9, NULL, 'nats/token', 0, 0.9, 0.1, 8), (1, 'score', 'ga-s2', 'gdn', 20, 0, 0.4, NULL, 'nats/token', 0, 0.4, 0.1, 8)");
    const auto queries = readDocument().queries;
    REQUIRE(queries.size() == 3);
    SQLite::Statement last(database, queries[0]), layers(database, queries[1]), settings(database, queries[2]);
    REQUIRE(last.executeStep());
    CHECK(last.getColumn("value").getDouble() == 0.5);
    REQUIRE(layers.executeStep());
    CHECK(layers.getColumn("kl_nats").getDouble() == 0.4);      // of the last evaluation
    CHECK_FALSE(layers.executeStep());
    REQUIRE(settings.executeStep());
    CHECK(settings.getColumn("seed").getInt() == 7);
}

}  // namespace schema_tests
