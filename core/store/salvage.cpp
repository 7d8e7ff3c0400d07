// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/salvage.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "folders.h"
#include "store/binding.h"
#include "store/database.h"
#include "store/layout.h"
#include "store/replacedschema.h"

#include <cstdint>
#include <sqlite3.h>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;

/// Rows of a query by ascending `order`, and where damage ends them, by descending `order` up to the damage from the other side: some may come twice.
/// \returns whether all could be read
template <typename Take>
bool readRows(SQLite::Database &database, const std::string &query, const std::string &order, const Take &take)
{
    for (const char *direction : {" ASC", " DESC"}) {
        try {
            SQLite::Statement rows(database, query + " ORDER BY " + order + direction);
            while (rows.executeStep())
                take(rows);
            return std::string(direction) == " ASC";
        } catch (const SQLite::Exception &) {
            continue;
        }
    }
    return false;
}

/// A damaged file may be anybody's: a view, a virtual table or a computed column would run what its SQL says.
bool isPlainTable(SQLite::Database &database, const std::string &name)
{
    SQLite::Statement find(database, "SELECT 1 FROM sqlite_schema WHERE name = ? AND type = 'table' AND rootpage > 0");
    if (!bound(find, name).executeStep())
        return false;
    SQLite::Statement columns(database, "SELECT count(*) > 0 AND sum(hidden <> 0) = 0 FROM pragma_table_xinfo(?)");      // none: SQLite cannot understand what makes it
    return bound(columns, name).executeStep() && columns.getColumn(0).getInt() != 0;
}

const std::string ofRuns = "SELECT id, uuid, name, notes, pinned, trashed FROM runs NOT INDEXED", ofTags = "SELECT run, tag FROM tags";

/// Whether the schema still says what is needed of both tables.
bool hasSchema(SQLite::Database &database)
{
    try {
        if (!isPlainTable(database, "runs") || !isPlainTable(database, "tags"))
            return false;
        const SQLite::Statement runs(database, ofRuns), tags(database, ofTags);
        return true;
    } catch (const SQLite::Exception &) {
        return false;
    }
}

/// The first version had no locks.
bool hasLocks(SQLite::Database &database)
{
    SQLite::Statement find(database, "SELECT 1 FROM pragma_table_xinfo('runs') WHERE name = 'locked'");
    return find.executeStep();
}

/// Of another table's page than the one that is read, the values are of other types. \throws SQLite::Exception
void requireTypes(bool areRight)
{
    if (!areRight)
        throw SQLite::Exception("a row of another table", SQLITE_CORRUPT);
}

std::optional<std::string> textIn(const SQLite::Column &column)
{
    requireTypes(column.isNull() || column.isText());
    return column.isNull() ? std::nullopt : std::optional(experiment::inUtf8(column.getString()));
}

/// Of a file that cannot be read at all, unlike one that holds no runs.
Salvage nothing()
{
    return {.runs = {}, .cut = {"everything"}};
}

class Reading final {
public:
    explicit Reading(SQLite::Database &database) : m_database(database) {}

    [[nodiscard]] Salvage all()
    {
        if (!isPlainTable(m_database, "runs"))
            return nothing();
        readNumbers();
        note("names, notes, pins and the trash", readRows(m_database, ofRuns, "id", [&](SQLite::Statement &row) { takeRun(row); }));
        // Apart: behind the result in its row, which may lie on other pages.
        if (hasLocks(m_database))
            note("locks", readRows(m_database, "SELECT uuid, locked FROM runs NOT INDEXED", "id", [&](SQLite::Statement &row) { sayings(row.getColumn(0)).locked = row.getColumn(1).getInt() != 0; }));
        note("tags", isPlainTable(m_database, "tags") && readRows(m_database, ofTags, "run", [&](SQLite::Statement &row) { takeTag(row); }));
        return std::move(m_found);
    }

private:
    /// Out of the index of UUIDs, which may be whole where the table is not: tags name their run by its number.
    void readNumbers()
    {
        (void)readRows(m_database, "SELECT id, uuid FROM runs", "uuid", [&](SQLite::Statement &row) { m_uuids[row.getColumn(0).getInt64()] = row.getColumn(1).getString(); });
    }
    void takeRun(SQLite::Statement &row)
    {
        requireTypes(row.getColumn(1).isText());
        m_uuids[row.getColumn(0).getInt64()] = row.getColumn(1).getString();
        Sayings &run = sayings(row.getColumn(1));
        run.name = textIn(row.getColumn(2));
        run.notes = textIn(row.getColumn(3));
        run.pinned = row.getColumn(4).getInt() != 0;
        run.trashed = row.getColumn(5).isNull() ? std::nullopt : std::optional(row.getColumn(5).getDouble());
    }
    void takeTag(SQLite::Statement &row)
    {
        requireTypes(row.getColumn(0).isInteger() && row.getColumn(1).isText());
        const auto run = m_uuids.find(row.getColumn(0).getInt64());
        if (run != m_uuids.end())
            m_found.runs[run->second].tags.insert(experiment::inUtf8(row.getColumn(1).getString()));
    }
    Sayings &sayings(const SQLite::Column &uuid) { return m_found.runs[uuid.getString()]; }
    void note(const char *what, bool isWhole)
    {
        if (!isWhole)
            m_found.cut.emplace_back(what);
    }

    SQLite::Database &m_database;
    std::map<std::int64_t, std::string> m_uuids;
    Salvage m_found;
};

/// Of one file as it lies. \returns nothing where it is no database
Salvage readFrom(const fs::path &file, bool &isSchemaThere)
{
    try {
        SQLite::Database database = openUnchecked(file);
        isSchemaThere = hasSchema(database);
        return Reading(database).all();
    } catch (const SQLite::Exception &) {
        return nothing();
    }
}

void count(BroughtOver &counts, const Sayings &run)
{
    counts.names += run.name ? 1 : 0;
    counts.notes += run.notes ? 1 : 0;
    counts.tags += static_cast<int>(run.tags.size());
    counts.pins += run.pinned ? 1 : 0;
    counts.locks += run.locked ? 1 : 0;
    counts.trashed += run.trashed ? 1 : 0;
}

bool isRunName(const std::string &text)
{
    try {
        static_cast<void>(runFolder({}, text));
        return true;
    } catch (const Error &) {
        return false;      // of a damaged page
    }
}

std::vector<std::string> withoutFolder(const Salvage &salvage, const std::vector<std::string> &folders)
{
    const std::set<std::string> there(folders.begin(), folders.end());
    std::vector<std::string> gone;
    for (const auto &[run, said] : salvage.runs)
        if (!there.contains(run) && isRunName(run))
            gone.push_back(run);
    return gone;
}

}  // namespace

Salvage salvage(const fs::path &damaged)
{
    bool isSchemaThere = false;
    Salvage found = readFrom(damaged, isSchemaThere);
    if (isSchemaThere || !isFileThere(damaged))
        return found;
    const ReplacedSchema copy(damaged);
    Salvage other = readFrom(copy.path(), isSchemaThere);
    return other.runs.size() < found.runs.size() ? found : other;
}

BroughtOver bringOver(const Salvage &salvage, const std::vector<std::string> &runs, SQLite::Database &database)
{
    BroughtOver counts{.cut = salvage.cut, .gone = withoutFolder(salvage, runs), .isNothing = salvage.runs.empty() && !salvage.cut.empty()};
    WriteTransaction transaction(database);
    SQLite::Statement addRun(database, "INSERT INTO runs (uuid, name, notes, pinned, locked, trashed) VALUES (?, ?, ?, ?, ?, ?)");
    SQLite::Statement addTag(database, "INSERT INTO tags (run, tag) SELECT id, ? FROM runs WHERE uuid = ?");
    for (const std::string &uuid : runs) {
        const auto said = salvage.runs.find(uuid);
        if (said == salvage.runs.end())
            continue;
        const Sayings &run = said->second;
        bound(addRun, uuid, run.name, run.notes, run.pinned, run.locked, run.trashed).exec();
        for (const std::string &tag : run.tags)
            bound(addTag, tag, uuid).exec();
        count(counts, run);
    }
    transaction.commit();
    return counts;
}

}  // namespace stillroom::store
