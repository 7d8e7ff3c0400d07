// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace stillroom::checkpoint {

/// A whole regular file, mapped read-only. Pages come in when they are touched and can be given back.
class MappedFile {
public:
    /// \throws Error(BadFile) when it cannot be opened, is not a regular file, or is empty.
    explicit MappedFile(const std::filesystem::path &path);
    ~MappedFile();
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;

    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_data, m_sizeBytes}; }
    /// Gives back the pages under `part` (of `bytes()`), so that a file read once does not stay in the resident set.
    /// Touching them again reads them again; the bytes never change.
    void release(std::span<const std::byte> part) const;

private:
    std::filesystem::path m_path;
    const std::byte *m_data = nullptr;
    std::size_t m_sizeBytes = 0;
};

}  // namespace stillroom::checkpoint
