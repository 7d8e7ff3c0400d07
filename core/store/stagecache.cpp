// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/stagecache.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/spec.h"
#include "process.h"
#include "store/layout.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>
#include <utility>
#include <vector>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;

constexpr const char *doneName = "DONE";
constexpr const char *draftPrefix = ".draft-";
constexpr std::size_t maximumInfoBytes = std::size_t{16} << 20U;

void checkKey(const std::string &key)
{
    const bool isHex = std::all_of(key.begin(), key.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    if (key.size() != 64 || !isHex)
        throw Error(ErrorCode::Usage, "A stage is named by 64 hexadecimal digits, not by " + experiment::compactJson(key.substr(0, 80)) + ".");
}

[[noreturn]] void refuse(const std::string &what, const fs::path &path, const std::string &detail)
{
    throw Error(ErrorCode::Io, "Cannot " + what + " \"" + path.string() + "\"; check the disk and its permissions.", detail);
}

void flushToDisk(const fs::path &path)
{
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        refuse("open", path, std::strerror(errno));
    const bool failed = fsync(descriptor) != 0;
    const int failure = errno;
    close(descriptor);
    if (failed && failure != EINVAL)       // some file systems cannot flush a folder
        refuse("flush", path, std::strerror(failure));
}

void writeFile(const fs::path &path, const std::string &text)
{
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream)
        refuse("write", path, std::strerror(errno));
}

void flushTree(const fs::path &folder)
{
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_symlink())
            throw Error(ErrorCode::Failed, "A stage's outputs hold the link \"" + entry.path().string() + "\"; write ordinary files.");
        flushToDisk(entry.path());
    }
    flushToDisk(folder);
}

/// …-<boot>-<pid>-<start>-<number>: says whose it is, so that a draft left by a killed process can be told from one at work.
fs::path nameBeside(const fs::path &folder, const std::string &prefix, const std::string &key)
{
    static std::atomic<int> numMade{0};
    const ProcessIdentity process = thisProcess();
    return folder / (prefix + key.substr(0, 16) + "-" + process.boot.substr(0, 8) + "-" + std::to_string(process.pid) + "-" + std::to_string(process.startTicks) + "-" +
                     std::to_string(numMade++));
}

std::int64_t numberOf(const std::string &text)
{
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Made by a process that is gone; one of another machine or an earlier boot counts as gone after a day.
bool isStale(const fs::path &draft)
{
    std::vector<std::string> parts;
    std::istringstream name(draft.filename().string());
    for (std::string part; std::getline(name, part, '-');)
        parts.push_back(part);
    if (parts.size() < 4)
        return false;
    ProcessIdentity owner = thisProcess();
    if (parts[parts.size() - 4] != owner.boot.substr(0, 8)) {
        std::error_code error;
        const auto changed = fs::last_write_time(draft, error);
        return !error && fs::file_time_type::clock::now() - changed > std::chrono::hours(24);
    }
    owner.pid = numberOf(parts[parts.size() - 3]);
    owner.startTicks = numberOf(parts[parts.size() - 2]);
    return livenessOf(owner) == Liveness::Gone;
}

/// Length in bytes of every file below a folder, by its path within.
nlohmann::json fileSizes(const fs::path &folder)
{
    nlohmann::json sizes = nlohmann::json::object();
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            sizes[entry.path().lexically_relative(folder).generic_string()] = entry.file_size();
    return sizes;
}

/// A mark of before there were sizes says nothing of them.
bool isWhole(const fs::path &folder, const nlohmann::json &info)
{
    if (!info.is_object() || !info.contains("files") || !info.at("files").is_object())
        return true;
    for (const auto &[path, bytes] : info.at("files").items()) {
        std::error_code gone;
        const std::uintmax_t size = fs::file_size(folder / path, gone);
        if (gone || bytes != size)
            return false;
    }
    return true;
}

template <typename Work>
decltype(auto) onDisk(const std::string &what, const fs::path &path, Work &&work)
{
    try {
        return work();
    } catch (const fs::filesystem_error &failure) {
        refuse(what, path, failure.what());
    }
}

}  // namespace

StageCache::StageCache(fs::path workspace) : m_workspace(std::move(workspace)) {}

std::optional<Stage> StageCache::findStage(const std::string &key) const
{
    checkKey(key);
    const fs::path folder = artifactsFolder(m_workspace) / key;
    std::error_code error;
    if (!fs::is_regular_file(folder / doneName, error))
        return std::nullopt;
    const std::string path = (folder / doneName).string();
    const std::string what = "The stage's mark \"" + path + "\"";
    const nlohmann::json info = experiment::parseJson(experiment::readTextFile(path, maximumInfoBytes, what), what);
    return isWhole(folder, info) ? std::optional(Stage{.key = key, .folder = folder, .infoJson = experiment::compactJson(info)}) : std::nullopt;
}

StageDraft StageCache::beginStage(const std::string &key) const
{
    checkKey(key);
    const fs::path artifacts = artifactsFolder(m_workspace);
    return onDisk("make a folder in", artifacts, [&] {
        fs::create_directories(artifacts);
        StageDraft draft{.key = key, .folder = nameBeside(artifacts, draftPrefix, key)};
        fs::create_directory(draft.folder);
        return draft;
    });
}

Stage StageCache::commitStage(const StageDraft &draft, const nlohmann::json &info, bool replace) const
{
    const fs::path artifacts = artifactsFolder(m_workspace);
    const fs::path folder = artifacts / draft.key;
    return onDisk("commit the stage", draft.folder, [&] {
        nlohmann::json marked = info;
        marked["files"] = fileSizes(draft.folder);
        writeFile(draft.folder / doneName, experiment::canonicalJson(marked));
        flushTree(draft.folder);
        for (int attempt = 0; attempt < 3; ++attempt) {
            if (std::rename(draft.folder.c_str(), folder.c_str()) == 0) {
                flushToDisk(artifacts);
                return *findStage(draft.key);
            }
            if (errno != ENOTEMPTY && errno != EEXIST)
                refuse("rename to", folder, std::strerror(errno));
            if (const auto other = findStage(draft.key); other && !replace) {
                dropStage(draft);
                return *other;
            }
            // An older result that is to be replaced, or a folder without a mark (someone removed it half): out of the way in one step.
            const fs::path old = nameBeside(artifacts, std::string(draftPrefix) + "old-", draft.key);
            if (std::rename(folder.c_str(), old.c_str()) == 0)
                fs::remove_all(old);
        }
        refuse("rename to", folder, "the folder came back again and again");
    });
}

void StageCache::dropStage(const StageDraft &draft) const
{
    onDisk("remove", draft.folder, [&] { fs::remove_all(draft.folder); });
}

fs::path StageCache::checkpointFolder(const std::string &key) const
{
    checkKey(key);
    const fs::path folder = m_workspace / "checkpoints" / key;
    onDisk("make the folder", folder, [&] { fs::create_directories(folder); });
    return folder;
}

void StageCache::dropCheckpoints(const std::string &key) const
{
    checkKey(key);
    const fs::path folder = m_workspace / "checkpoints" / key;
    onDisk("remove", folder, [&] { fs::remove_all(folder); });
}

int StageCache::removeStaleDrafts() const
{
    const fs::path artifacts = artifactsFolder(m_workspace);
    return onDisk("tidy", artifacts, [&] {
        int numRemoved = 0;
        std::error_code error;
        std::vector<fs::path> drafts;
        for (const fs::directory_entry &entry : fs::directory_iterator(artifacts, error)) {
            if (entry.path().filename().string().rfind(draftPrefix, 0) == 0)
                drafts.push_back(entry.path());
        }
        for (const fs::path &draft : drafts) {
            if (!isStale(draft))
                continue;
            fs::remove_all(draft);
            ++numRemoved;
        }
        return numRemoved;
    });
}

}  // namespace stillroom::store
