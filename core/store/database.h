// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"
#include "store/schema.sql.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>
#include <string>
#include <utility>

/// Opening, checking and migrating the database file: used inside this room only.
namespace stillroom::store {

/// A connection of the calling thread, checked and set up (WAL, NORMAL, foreign keys, busy timeout). Makes the file when there is none, whole or not at all.
/// \throws Error(BadFile) for a file that is no whole database of ours or a newer one, which stays untouched.
[[nodiscard]] SQLite::Database openDatabase(const std::filesystem::path &file, const Schema &schema = currentSchema());

/// A connection to a file that openDatabase refuses, to read what can be read of it, also where pages are missing or a part of the schema is damaged: nothing in it is checked or changed.
/// \throws SQLite::Exception
[[nodiscard]] SQLite::Database openUnchecked(const std::filesystem::path &file);

/// The failure of an SQLite call on `file` as the one error type.
[[nodiscard]] Error asError(const SQLite::Exception &failure, const std::filesystem::path &file);

/// Runs `work` and turns SQLite's exceptions into Error.
template <typename Work>
decltype(auto) onDatabase(const std::filesystem::path &file, Work &&work)
{
    try {
        return std::forward<Work>(work)();
    } catch (const SQLite::Exception &failure) {
        throw asError(failure, file);
    }
}

/// BEGIN IMMEDIATE: waits for other writers at the start, so that it cannot fail in the middle for having read first.
class WriteTransaction final {
public:
    explicit WriteTransaction(SQLite::Database &database);
    ~WriteTransaction();
    WriteTransaction(const WriteTransaction &) = delete;
    WriteTransaction &operator=(const WriteTransaction &) = delete;
    void commit();

private:
    SQLite::Database &m_database;
    bool m_done = false;
};

/// \throws Error(BadFile) where something else than a file lies in a database's place: a folder, a device, a link that leads nowhere
void requireFileIfThere(const std::filesystem::path &file);

/// Removes a database and its side files; what cannot be removed stays.
void removeDatabase(const std::filesystem::path &file);

/// SQLite's quick_check. \throws Error(BadFile)
void checkWhole(SQLite::Database &database, const std::filesystem::path &file);

}  // namespace stillroom::store
