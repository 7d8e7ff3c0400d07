// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/stagecache.h"

#include "error.h"
#include "experiment/digest.h"
#include "experiment/jsontext.h"
#include "experiment/spec.h"
#include "log.h"
#include "process.h"
#include "store/filehashes.h"
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
    if (!isStageKey(key))
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

/// Length in bytes and SHA-256 of every file below a folder, by its path within. Links are passed over: flushTree refuses them.
nlohmann::json fileMarks(const fs::path &folder)
{
    nlohmann::json marks = nlohmann::json::object();
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
        if (!entry.is_symlink() && entry.is_regular_file())
            marks[entry.path().lexically_relative(folder).generic_string()] = {{"bytes", entry.file_size()}, {"sha256", experiment::sha256OfFile(entry.path())}};
    return marks;
}

/// Whether a marked file is what is asked about: itself, or in a folder that is; empty asks about all.
bool isBelow(const fs::path &marked, const fs::path &asked)
{
    const auto [end, own] = std::mismatch(asked.begin(), asked.end(), marked.begin(), marked.end());
    return end == asked.end();
}

/// The first file that is gone or of another length; empty where none is. A mark of before there were hashes has a number for each file, one of before there
/// were sizes says nothing of them.
fs::path cutFile(const fs::path &folder, const nlohmann::json &info, const fs::path &asked = {})
{
    if (!info.contains("files"))
        return {};
    for (const auto &[path, mark] : info.at("files").items()) {
        std::error_code gone;
        const std::uintmax_t size = fs::file_size(folder / path, gone);
        if (isBelow(path, asked) && (gone || (mark.is_object() ? mark.value("bytes", nlohmann::json()) : mark) != size))
            return folder / path;
    }
    return {};
}

/// What the mark of a stage says, whether or not its files are there. What is no mark (empty after a power cut, garbage) marks nothing.
std::optional<nlohmann::json> markIn(const fs::path &folder)
{
    const std::string path = (folder / doneName).string();
    const std::string what = "The stage's mark \"" + path + "\"";
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        return std::nullopt;
    try {
        nlohmann::json info = experiment::parseJson(experiment::readTextFile(path, maximumInfoBytes, what), what);
        const bool isMark = info.is_object() && (!info.contains("files") || info.at("files").is_object());
        return isMark ? std::optional(std::move(info)) : std::nullopt;
    } catch (const Error &failure) {
        if (failure.code() != ErrorCode::BadFile)
            throw;
        return std::nullopt;
    }
}

/// The mark of a stage all of whose files are there in their whole length; none: the stage is made anew.
std::optional<nlohmann::json> wholeMark(const fs::path &folder)
{
    auto info = markIn(folder);
    return info && cutFile(folder, *info).empty() ? std::move(info) : std::nullopt;
}

bool hasHash(const fs::path &file, const nlohmann::json &hash, const std::stop_token &stop)
{
    static FileHashes hashes;
    try {
        return hash == hashes.of(file, stop);
    } catch (const Error &failure) {
        if (failure.code() != ErrorCode::BadFile)
            throw;
        return false;          // gone meanwhile, or a bad sector
    }
}

/// The first file whose content is not as the mark says; empty where all are, or were marked before there were hashes.
fs::path changedFile(const fs::path &folder, const nlohmann::json &info, const std::stop_token &stop, const fs::path &asked = {})
{
    if (!info.contains("files"))
        return {};
    for (const auto &[path, mark] : info.at("files").items())
        if (isBelow(path, asked) && mark.is_object() && !hasHash(folder / path, mark.value("sha256", nlohmann::json()), stop))
            return folder / path;
    return {};
}

/// A draft, or an old result under a draft's name: no result and no workspace is given up for its sake. What cannot be removed now is tried again when it is stale.
bool removeDraft(const fs::path &folder)
{
    std::error_code error;
    fs::remove_all(folder, error);
    return !error;
}

Stage asStage(const std::string &key, const fs::path &folder, const nlohmann::json &info)
{
    return {.key = key, .folder = folder, .infoJson = experiment::compactJson(info)};
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

bool isStageKey(const std::string &text)
{
    return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

StageCache::StageCache(fs::path workspace) : m_workspace(std::move(workspace)) {}

std::optional<Stage> StageCache::findStage(const std::string &key) const
{
    checkKey(key);
    const fs::path folder = artifactsFolder(m_workspace) / key;
    const auto info = wholeMark(folder);
    return info ? std::optional(asStage(key, folder, *info)) : std::nullopt;
}

std::optional<Stage> StageCache::openStage(const std::string &key, const std::stop_token &stop) const
{
    checkKey(key);
    const fs::path folder = artifactsFolder(m_workspace) / key;
    const auto info = wholeMark(folder);
    if (!info)
        return std::nullopt;
    if (const fs::path changed = changedFile(folder, *info, stop); !changed.empty()) {
        log::warning("The content of \"" + changed.string() + "\" changed since its stage wrote it, so the stage is not used.");
        return std::nullopt;
    }
    return asStage(key, folder, *info);
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
        marked["files"] = fileMarks(draft.folder);
        writeFile(draft.folder / doneName, experiment::canonicalJson(marked));
        flushTree(draft.folder);
        std::vector<fs::path> replaced;
        for (int attempt = 0; attempt < 3; ++attempt) {
            if (std::rename(draft.folder.c_str(), folder.c_str()) == 0) {
                flushToDisk(artifacts);
                std::for_each(replaced.begin(), replaced.end(), removeDraft);      // now only: of gigabytes it takes seconds, and a kill meanwhile loses neither result
                return asStage(draft.key, folder, marked);
            }
            if (errno != ENOTEMPTY && errno != EEXIST)
                refuse("rename to", folder, std::strerror(errno));
            if (const auto other = replace ? std::nullopt : openStage(draft.key)) {
                dropStage(draft);
                std::for_each(replaced.begin(), replaced.end(), removeDraft);
                return *other;
            }
            // An older result that is to be replaced, or a folder that is no stage (removed half, damaged): out of the way in one step.
            const fs::path old = nameBeside(artifacts, std::string(draftPrefix) + "old-", draft.key);
            if (std::rename(folder.c_str(), old.c_str()) == 0)
                replaced.push_back(old);
        }
        refuse("rename to", folder, "the folder came back again and again");
    });
}

void StageCache::dropStage(const StageDraft &draft) const
{
    (void)removeDraft(draft.folder);
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
            if (isStale(draft) && removeDraft(draft))
                ++numRemoved;
        }
        return numRemoved;
    });
}

void requireUnchanged(const fs::path &path, const std::stop_token &stop)
{
    std::error_code unknown;
    fs::path whole = fs::weakly_canonical(path, unknown);      // a link into a stage is that stage
    if (unknown)
        whole = fs::absolute(path).lexically_normal();
    for (fs::path folder = whole; folder.has_relative_path(); folder = folder.parent_path()) {
        if (!isStageKey(folder.filename().string()) || artifactsFolder(folder.parent_path().parent_path()) != folder.parent_path())
            continue;
        const auto info = markIn(folder);
        if (!info && fs::exists(folder / doneName, unknown))
            throw Error(ErrorCode::BadFile, "\"" + (folder / doneName).string() + "\" is damaged, so nobody knows whether that stage is whole; replace it from a backup, or run that stage again with --fresh.");
        if (!info)
            continue;
        const fs::path asked = whole == folder ? fs::path() : whole.lexically_relative(folder), cut = cutFile(folder, *info, asked), other = cut.empty() ? changedFile(folder, *info, stop, asked) : cut;
        if (!other.empty())
            throw Error(ErrorCode::BadFile, "\"" + other.string() + "\" is not as its stage wrote it (gone, cut or changed); replace it from a backup, or run that stage again with --fresh.");
    }
}

}  // namespace stillroom::store
