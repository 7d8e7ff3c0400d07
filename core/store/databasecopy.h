// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>

/// Reading a workspace that cannot be written (a read-only disk, another person's folder): used inside this room only.
namespace stillroom::store {

/// Whether the folder is there and this process may not make files in it, or not write those that SQLite and the recorder write.
[[nodiscard]] bool cannotBeWritten(const std::filesystem::path &workspace);

/// A copy of a workspace's database in a temporary folder, gone with this object. SQLite cannot read a database with a write-ahead log where it may not make
/// files; in the copy it can, an older one is migrated, and lines that the database does not hold yet are taken in.
class DatabaseCopy final {
public:
    /// Where the workspace has no database, an empty one is made by open(). \throws Error(BadFile | Io)
    explicit DatabaseCopy(std::filesystem::path workspace);

    /// As openDatabase; what it refuses is said of the workspace's own file.
    [[nodiscard]] SQLite::Database open() const;

private:
    /// Goes with the copy, also where it could not be made whole.
    class Folder final {
    public:
        explicit Folder(const std::filesystem::path &workspace);
        ~Folder();
        Folder(const Folder &) = delete;
        Folder &operator=(const Folder &) = delete;
        [[nodiscard]] const std::filesystem::path &path() const { return m_path; }

    private:
        std::filesystem::path m_path;
    };

    std::filesystem::path m_workspace;
    Folder m_folder;
};

}  // namespace stillroom::store
