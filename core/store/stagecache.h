// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>

namespace stillroom::store {

/// Whether `text` can be a stage's key: 64 hexadecimal digits, small letters.
[[nodiscard]] bool isStageKey(const std::string &text);

/// A finished stage's outputs.
struct Stage {
    std::string key;                      ///< experiment::stageKey
    std::filesystem::path folder;         ///< artifacts/<key>/
    std::string infoJson = "{}";          ///< what commitStage was given: kind, run, …; and "files": {path: {"bytes", "sha256"}}, in older ones {path: bytes}
};

/// A stage's outputs while they are made: a folder beside artifacts/<key>/ that nobody takes for a result.
struct StageDraft {
    std::string key;
    std::filesystem::path folder;
};

/// The stages of a workspace by their keys. Works on files alone, so workers without the database share it; a stage is complete or absent.
class StageCache final {
public:
    explicit StageCache(std::filesystem::path workspace);

    /// The stage with this key, if it was committed and every file of it is there in its whole length; reads no file but the mark, and a mark that cannot be read
    /// marks nothing. \throws Error(Usage) for what is not a key.
    [[nodiscard]] std::optional<Stage> findStage(const std::string &key) const;
    /// The same for who computes with its files: their contents are as they were committed, too. Reads them all (about 1 GB/s), each once per process while its
    /// inode, size and time of change stay. A stage of which a file changed counts as absent, and the log names the file. \throws Error(Usage), Error(Cancelled)
    [[nodiscard]] std::optional<Stage> openStage(const std::string &key, const std::stop_token &stop = {}) const;
    /// A new empty folder to write the outputs into.
    [[nodiscard]] StageDraft beginStage(const std::string &key) const;
    /// Marks the files with their sizes and SHA-256, flushes them to disk and renames the folder in one step. When another process committed an equal stage
    /// meanwhile, and it is as it was committed, that one is returned and the draft removed; with `replace`, the draft takes its place (a stage made
    /// afresh). \throws Error(Io)
    Stage commitStage(const StageDraft &draft, const nlohmann::json &info, bool replace = false) const;
    /// What cannot be removed stays until it is stale.
    void dropStage(const StageDraft &draft) const;

    /// checkpoints/<key>/: where an unfinished stage keeps what it needs to resume; made when absent.
    [[nodiscard]] std::filesystem::path checkpointFolder(const std::string &key) const;
    /// Removes checkpoints/<key>/ once the stage is committed.
    void dropCheckpoints(const std::string &key) const;
    /// Removes drafts whose process is gone, as far as they can be removed. Returns how many.
    int removeStaleDrafts() const;

private:
    std::filesystem::path m_workspace;
};

/// For what is read as an input: where `path` is, or lies in, a committed stage's folder artifacts/<key>/ of any workspace, it and all below it are as they were
/// committed (contents are read as openStage does). A folder without a mark, which never was a result, is another question.
/// \throws Error(BadFile) naming the first that is gone, cut or changed, or the mark where that is damaged; Error(Cancelled)
void requireUnchanged(const std::filesystem::path &path, const std::stop_token &stop = {});

}  // namespace stillroom::store
