// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/salvage.h"

#include "experiment/jsontext.h"
#include "store/binding.h"
#include "store/database.h"

#include <cstdint>

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
    SQLite::Statement computed(database, "SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0");
    return !bound(computed, name).executeStep();
}

/// The first version had no locks.
bool hasLocks(SQLite::Database &database)
{
    SQLite::Statement find(database, "SELECT 1 FROM pragma_table_xinfo('runs') WHERE name = 'locked'");
    return find.executeStep();
}

std::optional<std::string> textIn(const SQLite::Column &column)
{
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
        note("names, notes, pins and the trash", readRows(m_database, "SELECT id, uuid, name, notes, pinned, trashed FROM runs NOT INDEXED", "id", [&](SQLite::Statement &row) { takeRun(row); }));
        // Apart: behind the result in its row, which may lie on other pages.
        if (hasLocks(m_database))
            note("locks", readRows(m_database, "SELECT uuid, locked FROM runs NOT INDEXED", "id", [&](SQLite::Statement &row) { sayings(row.getColumn(0)).locked = row.getColumn(1).getInt() != 0; }));
        note("tags", isPlainTable(m_database, "tags") && readRows(m_database, "SELECT run, tag FROM tags", "run", [&](SQLite::Statement &row) { takeTag(row); }));
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
        m_uuids[row.getColumn(0).getInt64()] = row.getColumn(1).getString();
        Sayings &run = sayings(row.getColumn(1));
        run.name = textIn(row.getColumn(2));
        run.notes = textIn(row.getColumn(3));
        run.pinned = row.getColumn(4).getInt() != 0;
        run.trashed = row.getColumn(5).isNull() ? std::nullopt : std::optional(row.getColumn(5).getDouble());
    }
    void takeTag(SQLite::Statement &row)
    {
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

struct Counts {
    int names = 0, notes = 0, tags = 0, pins = 0, locks = 0, trashed = 0;

    void add(const Sayings &run)
    {
        names += run.name ? 1 : 0;
        notes += run.notes ? 1 : 0;
        tags += static_cast<int>(run.tags.size());
        pins += run.pinned ? 1 : 0;
        locks += run.locked ? 1 : 0;
        trashed += run.trashed ? 1 : 0;
    }
    [[nodiscard]] std::string text() const
    {
        return "names: " + std::to_string(names) + ", notes: " + std::to_string(notes) + ", tags: " + std::to_string(tags) + ", pins: " + std::to_string(pins) + ", locks: " + std::to_string(locks) +
               ", runs in the trash: " + std::to_string(trashed);
    }
};

std::string sentenceOf(const Salvage &found, const Counts &counts, const fs::path &kept)
{
    const std::string place = "the old file is kept at \"" + kept.string() + "\".";
    if (found.runs.empty() && !found.cut.empty())
        return "Nothing could be read of the damaged database: names, notes, tags, pins, locks and the trash that were set by hand are gone; " + place;
    std::string cut;
    for (const std::string &what : found.cut)
        cut += (cut.empty() ? "" : "; ") + what;
    return "Brought over from the damaged database (" + counts.text() + ")" + (cut.empty() ? "; " : ", but some may be lost, since these could not be read to their end: " + cut + "; ") + place;
}

}  // namespace

Salvage salvage(const fs::path &damaged)
{
    try {
        SQLite::Database database = openUnchecked(damaged);
        return Reading(database).all();
    } catch (const SQLite::Exception &) {
        return nothing();
    }
}

std::string bringOver(const Salvage &salvage, const std::vector<std::string> &runs, const fs::path &kept, SQLite::Database &database)
{
    Counts counts;
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
        counts.add(run);
    }
    transaction.commit();
    return sentenceOf(salvage, counts, kept);
}

}  // namespace stillroom::store
