// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/replacedschema.h"

#include "error.h"
#include "store/database.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <fstream>
#include <memory>
#include <sqlite3.h>
#include <string>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t pageBytes = 4096;      // SQLite's own choice, which we leave it
constexpr std::size_t numBeginnings = 9;     // pages up to the one where `tags` begins in a database that was never vacuumed
constexpr const char *asMade = "rootpage", *asVacuumed = "type = 'index', rootpage";

/// The bytes of an empty database with these of our tables and indexes, made in this order.
std::string emptyDatabase(const std::string &which, const std::string &order)
{
    SQLite::Database all(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE), some(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    all.exec(currentSchema().sql);
    SQLite::Statement each(all, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND " + which + " ORDER BY " + order);
    while (each.executeStep())
        some.exec(each.getColumn(0).getString());
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(sqlite3_serialize(some.getHandle(), "main", &size, 0), sqlite3_free);
    return {reinterpret_cast<const char *>(bytes.get()), static_cast<std::size_t>(size)};
}

/// \returns of how many of the first pages the kind, rows of a table or entries of an index, is that of the model
std::size_t numAlike(const std::string &pages, const std::string &model)
{
    constexpr unsigned kindBits = 7;         // the fourth says whether the page is a leaf
    std::size_t count = 0;
    for (std::size_t at = pageBytes; at < std::min({pages.size(), model.size(), numBeginnings * pageBytes}); at += pageBytes)
        count += (static_cast<unsigned char>(pages[at]) & kindBits) == (static_cast<unsigned char>(model[at]) & kindBits) ? 1U : 0U;
    return count;
}

std::string firstPages(const fs::path &file)
{
    std::string pages(numBeginnings * pageBytes, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(pages.data(), static_cast<std::streamsize>(pages.size()));
    pages.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
    return pages;
}

/// Its schema fits on the page itself, so that no other page of the damaged file is taken for a part of it.
std::string firstPage(const std::string &order)
{
    constexpr std::size_t pageCount = 28;
    std::string page = emptyDatabase("tbl_name IN ('experiments', 'runs', 'tags')", order).substr(0, pageBytes);
    std::fill_n(page.begin() + pageCount, 4, '\0');      // not known: as many as the file has
    return page;
}

void copyWithLog(const fs::path &from, const fs::path &to)
{
    std::error_code error;
    for (const char *suffix : {"", "-wal"})
        if (fs::is_regular_file(from.string() + suffix, error) && !fs::copy_file(from.string() + suffix, to.string() + suffix, fs::copy_options::overwrite_existing, error))
            throw Error(ErrorCode::Io, "Cannot copy the damaged database \"" + from.string() + "\" to read what is left of it; check its folder's permissions and the room on its disk.", error.message());
    fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, error);
}

}  // namespace

ReplacedSchema::ReplacedSchema(const fs::path &damaged) : m_path(damaged.string() + ".reading")
{
    removeDatabase(m_path);      // of a process that was killed here: its log would be read into this one
    const std::string pages = firstPages(damaged);
    const bool isVacuumed = numAlike(pages, emptyDatabase("true", asVacuumed)) > numAlike(pages, emptyDatabase("true", asMade));
    try {
        copyWithLog(damaged, m_path);
        std::fstream stream(m_path, std::ios::binary | std::ios::in | std::ios::out);
        stream << firstPage(isVacuumed ? asVacuumed : asMade);
        stream.close();
        if (!stream)
            throw Error(ErrorCode::Io, "Cannot write \"" + m_path.string() + "\", which is needed to read what is left of the damaged database; check its folder's permissions and the room on its disk.");
    } catch (const Error &) {
        removeDatabase(m_path);
        throw;
    }
}

ReplacedSchema::~ReplacedSchema()
{
    removeDatabase(m_path);
}

}  // namespace stillroom::store
