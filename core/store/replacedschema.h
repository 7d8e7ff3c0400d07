// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

/// Reading a database whose schema is lost: used inside this room only.
namespace stillroom::store {

/// A copy of a damaged database beside it, gone with this object, in which the first page, header and schema, is that of a new database which knows of the tables
/// `runs` and `tags` alone. Where tables begin is the same in every database of ours: those numbers are given out as the tables are made, and stay. A copy made by
/// VACUUM has others; the pages themselves tell which of the two it is.
class ReplacedSchema final {
public:
    /// \throws Error(Io) where there is no room for the copy
    explicit ReplacedSchema(const std::filesystem::path &damaged);
    ~ReplacedSchema();
    ReplacedSchema(const ReplacedSchema &) = delete;
    ReplacedSchema &operator=(const ReplacedSchema &) = delete;

    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

}  // namespace stillroom::store
