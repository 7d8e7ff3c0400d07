// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace stillroom::store {

/// Takes the lines of runs/<uuid>/events.jsonl into the database, on a thread of its own, in groups (at most 250 ms or 1000 lines each), each
/// line once by (run, task, seq). The files are the truth: what a killed process appended is taken in by the next recorder, so are the runs of
/// other processes. One recorder per workspace does this (it holds recorder.lock); others stand by, say who holds it, and take over when it goes.
class Recorder final {
public:
    /// Called on the recorder's thread after a commit, with the runs that changed.
    using CommitObserver = std::function<void(const std::vector<std::string> &runs)>;

    /// Opens (and if need be makes) the workspace. \throws Error as Workspace does, and Error(Io) for one that cannot be written
    explicit Recorder(std::filesystem::path workspace, CommitObserver observer = {});
    /// Takes in what is there and stops.
    ~Recorder();
    Recorder(const Recorder &) = delete;
    Recorder &operator=(const Recorder &) = delete;

    /// Says that the run has new lines; never blocks on the disk. Runs of other processes are found without it, within a second.
    /// \throws Error(Usage) for what is not a UUID
    void notice(const std::string &run);
    /// Waits until the lines that are now in the files are committed. \throws Error when recording failed. Returns false when another process records.
    bool flush();
    [[nodiscard]] bool isRecording() const;
    /// Who records instead, in words ("process 4711 on lab3"); empty while this one does.
    [[nodiscard]] std::string holder() const;

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

}  // namespace stillroom::store
