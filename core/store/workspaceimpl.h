// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/binding.h"
#include "store/database.h"
#include "store/databasecopy.h"
#include "store/layout.h"
#include "store/workspace.h"

#include <optional>

namespace stillroom::store {

struct Workspace::Impl {
    explicit Impl(std::filesystem::path path);

    [[nodiscard]] std::filesystem::path file() const { return databaseFile(folder); }
    /// Runs `read` for every row of a query.
    template <typename Read, typename... Values>
    void forEach(const std::string &sql, const Read &read, const Values &...values)
    {
        onDatabase(file(), [&] {
            SQLite::Statement query(database, sql);
            bound(query, values...);
            while (query.executeStep())
                read(query);
        });
    }
    /// One statement in a transaction of its own, after `require`, so that nobody changes in between what it asks for. \throws Error(Usage) when it names no run.
    template <typename Require, typename... Values>
    void editIf(const Require &require, const std::string &uuid, const std::string &sql, const Values &...values)
    {
        requireWritable();
        onDatabase(file(), [&] {
            WriteTransaction transaction(database);
            requireRun(uuid);
            require();
            SQLite::Statement statement(database, sql);
            bound(statement, values...).exec();
            transaction.commit();
        });
    }
    template <typename... Values>
    void edit(const std::string &uuid, const std::string &sql, const Values &...values)
    {
        editIf([] {}, uuid, sql, values...);
    }
    void requireRun(const std::string &uuid);
    /// \param deed  "put into the trash". \throws Error(Usage) which says how to unlock it
    void requireUnlocked(const std::string &uuid, const std::string &deed);
    [[nodiscard]] bool holds(const std::string &uuid, const std::string &condition);      ///< of a run, in SQL
    void requireWritable() const;

    std::filesystem::path folder;
    std::optional<DatabaseCopy> copy;              ///< where the folder cannot be written
    mutable SQLite::Database database;
};

[[nodiscard]] std::optional<double> optionalNumber(const SQLite::Column &column);
/// A finite number, or what stands for one that is not.
[[nodiscard]] double numberFrom(const SQLite::Column &value, const SQLite::Column &notFinite);

}  // namespace stillroom::store
