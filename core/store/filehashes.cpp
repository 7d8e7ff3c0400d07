// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/filehashes.h"

#include "error.h"
#include "experiment/digest.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <sys/stat.h>
#include <utility>

namespace stillroom::store {

FileHashes::FileHashes(Clock now) : m_now(std::move(now)) {}

std::int64_t FileHashes::systemClock()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

FileHashes::State FileHashes::stateOf(const std::filesystem::path &file)
{
    struct stat now {};
    if (stat(file.c_str(), &now) != 0)
        throw Error(ErrorCode::BadFile, "Cannot open \"" + file.string() + "\"; check its permissions.", std::strerror(errno));
    return {.device = now.st_dev, .inode = now.st_ino, .bytes = static_cast<std::uintmax_t>(now.st_size),
            .changedNs = static_cast<std::int64_t>(now.st_ctim.tv_sec) * 1'000'000'000 + now.st_ctim.tv_nsec};
}

std::string FileHashes::of(const std::filesystem::path &file, const std::stop_token &stop)
{
    constexpr std::int64_t coarsestNs = 2'000'000'000;      // file times are coarse: one that has just changed may change again and look the same
    const State state = stateOf(file);
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_hashes.find(state); known != m_hashes.end())
            return known->second;
    }
    const bool settled = m_now() - state.changedNs > coarsestNs;      // asked before the long reading: what changes during it is not taken for what was read
    std::string hash = experiment::sha256OfFile(file, stop);
    const std::lock_guard lock(m_mutex);
    if (settled)
        m_hashes[state] = hash;
    return hash;
}

}  // namespace stillroom::store
