// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

/// Values into statements: used inside this room only.
namespace stillroom::store {

inline void bindOne(SQLite::Statement &statement, int index, const std::string &value) { statement.bind(index, value); }
inline void bindOne(SQLite::Statement &statement, int index, std::int64_t value) { statement.bind(index, value); }
inline void bindOne(SQLite::Statement &statement, int index, int value) { statement.bind(index, value); }
inline void bindOne(SQLite::Statement &statement, int index, bool value) { statement.bind(index, value ? 1 : 0); }
inline void bindOne(SQLite::Statement &statement, int index, double value)
{
    if (std::isnan(value))
        statement.bind(index);
    else
        statement.bind(index, value);
}
template <typename Value>
void bindOne(SQLite::Statement &statement, int index, const std::optional<Value> &value)
{
    if (value)
        bindOne(statement, index, *value);
    else
        statement.bind(index);
}

/// The statement, reset, with its parameters bound in order; an empty optional and NaN become NULL.
template <typename... Values>
SQLite::Statement &bound(SQLite::Statement &statement, const Values &...values)
{
    statement.reset();
    statement.clearBindings();
    int index = 0;
    (bindOne(statement, ++index, values), ...);
    return statement;
}

}  // namespace stillroom::store
