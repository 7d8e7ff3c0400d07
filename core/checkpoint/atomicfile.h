// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

/// Files that are complete or absent: written beside their final name, flushed to the disk, then renamed.
namespace stillroom::checkpoint {

/// A file being written. Until `commit` returns, a reader of the final name sees the old file or none;
/// an object that dies uncommitted leaves nothing behind (after a crash at most a hidden `.NAME.XXXXXX` remains).
class AtomicFile {
public:
    /// \throws Error(Io) when the folder does not exist or is not writable.
    explicit AtomicFile(std::filesystem::path target);
    ~AtomicFile();
    AtomicFile(const AtomicFile &) = delete;
    AtomicFile &operator=(const AtomicFile &) = delete;

    /// Appends. \throws Error(Io) when the disk is full or fails.
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    /// Flushes the file, gives it its name, flushes the folder. \throws Error(Io)
    void commit();

private:
    [[noreturn]] void fail(const char *doing) const;
    std::filesystem::path m_target;
    std::filesystem::path m_temporary;
    int m_descriptor = -1;
};

/// Replaces or creates `path` in one step. \throws Error(Io); the old file, if any, is then still whole.
void writeFileAtomically(const std::filesystem::path &path, std::span<const std::byte> bytes);
void writeFileAtomically(const std::filesystem::path &path, std::string_view text);

}  // namespace stillroom::checkpoint
