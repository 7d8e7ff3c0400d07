// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>

namespace stillroom::store {

/// SHA-256 of files, to tell damage: a large file is read once per process, however many stages use it, while its device, inode, size and time of change stay.
/// Nothing is kept on disk, unlike what checkpoint::fileHash knows of models: what a disk lost since is to be seen by the next process. Thread safe.
class FileHashes final {
public:
    using Clock = std::function<std::int64_t()>;      ///< nanoseconds of Unix time
    explicit FileHashes(Clock now = systemClock);

    /// \throws Error(BadFile) where it cannot be read, Error(Cancelled) once a stop is requested while it is read
    [[nodiscard]] std::string of(const std::filesystem::path &file, const std::stop_token &stop = {});

    [[nodiscard]] static std::int64_t systemClock();

private:
    /// What tells that a file is still the one that was hashed. Its time of change, unlike that of writing, is not set back by who restores it.
    struct State {
        std::uintmax_t device = 0, inode = 0, bytes = 0;
        std::int64_t changedNs = 0;
        auto operator<=>(const State &) const = default;
    };
    [[nodiscard]] static State stateOf(const std::filesystem::path &file);

    Clock m_now;
    std::mutex m_mutex;
    std::map<State, std::string> m_hashes;
};

}  // namespace stillroom::store
