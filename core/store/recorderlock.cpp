// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/recorderlock.h"

#include "error.h"
#include "experiment/spec.h"
#include "process.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace stillroom::store {

namespace {

std::filesystem::path lockFile(const std::filesystem::path &workspace)
{
    return workspace / "recorder.lock";
}

}  // namespace

std::optional<RecorderLock> RecorderLock::tryToTake(const std::filesystem::path &workspace)
{
    const std::string path = lockFile(workspace).string();
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        throw Error(ErrorCode::Io, "Cannot make \"" + path + "\"; check the folder's permissions.", std::strerror(errno));
    RecorderLock lock(descriptor);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        return std::nullopt;
    const std::string owner = experiment::canonicalJson(toJson(thisProcess())) + "\n";
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, owner.data(), owner.size(), 0) != static_cast<ssize_t>(owner.size()))
        throw Error(ErrorCode::Io, "Cannot write \"" + path + "\"; check the disk.", std::strerror(errno));
    return lock;
}

std::optional<RecorderLock> RecorderLock::take(const std::filesystem::path &workspace)
{
    for (int attempt = 0; attempt < 15; ++attempt) {
        if (auto lock = tryToTake(workspace))
            return lock;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return std::nullopt;
}

std::string RecorderLock::holder(const std::filesystem::path &workspace)
{
    std::ifstream stream(lockFile(workspace));
    const auto owner = nlohmann::json::parse(stream, nullptr, false);
    const ProcessIdentity process = processFromJson(owner.is_discarded() ? nlohmann::json() : owner);
    return process.pid == 0 ? "another process" : "process " + std::to_string(process.pid) + " on " + process.host;
}

RecorderLock::RecorderLock(RecorderLock &&other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

RecorderLock &RecorderLock::operator=(RecorderLock &&other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

RecorderLock::~RecorderLock()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
}

}  // namespace stillroom::store
