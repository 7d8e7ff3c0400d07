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

/// How much came out of a damaged database of what a person said of runs, which no line holds.
struct BroughtOver {
    int names = 0, notes = 0, tags = 0, pins = 0, locks = 0, trashed = 0;
    std::vector<std::string> cut = {};           ///< what could not be read to its end, so that some of it may be lost: "tags", "locks", …
    bool isNothing = false;                      ///< no run could be read at all
};

struct ReindexResult {
    int numRuns = 0;                             ///< rebuilt
    std::vector<std::string> kept;               ///< runs of which lines that were taken in are gone or damaged: their rows are as they were
    int numUnreadableLines = 0;
    std::string damage;                          ///< why the database counted as damaged, in a sentence; empty when it was whole, like what follows
    std::filesystem::path damagedDatabase;       ///< where it was moved to
    BroughtOver broughtOver;                     ///< out of it
};
/// Rebuilds the runs of the database from their lines and the stages from their folders. Names, notes, tags, pins, locks and the trash stay; a damaged database
/// is moved aside once there is a new one, and of these what can still be read of it is brought over: also where the file was cut, or its schema or header are
/// damaged. A run whose lines no longer say all that was taken in keeps its rows.
/// \throws Error(Failed) naming the process that records, Error(BadFile) for a newer version's database, Error(Io) where there is no room to read a damaged one
ReindexResult reindex(const std::filesystem::path &workspace);

}  // namespace stillroom::store
