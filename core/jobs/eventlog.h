// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>

/// A run's file of events: used inside this room only.
namespace stillroom::jobs {

/// Numbers events and appends their lines to runs/<uuid>/events.jsonl, each with one write. Holds the file's lock, so that one process writes a run.
/// The methods may be called from any thread.
class EventLog final {
public:
    using Observer = std::function<void(const experiment::Event &)>;

    /// Makes the run's folder where there is none; an older file goes on: its numbers continue, or those of the database where that holds more (no number is
    /// given twice, also not after a power cut that shortened the file), and its torn last line is closed.
    /// \throws Error(Usage) when another process writes this run; Error(Io); Error(BadFile) for numbers that leave none to go on with
    EventLog(const std::filesystem::path &workspace, std::string run, Observer observer);
    ~EventLog();
    EventLog(const EventLog &) = delete;
    EventLog &operator=(const EventLog &) = delete;

    /// How many events the database holds behind the last ones in the file as it was found.
    [[nodiscard]] std::int64_t numLost() const { return m_numLost; }
    /// Appends, then tells the observer. What must not get lost (ends, checkpoints, artifacts) is flushed to the disk.
    /// \throws Error(Io) when the disk is full or fails; the file then holds whole lines only.
    experiment::Event append(const std::string &task, experiment::EventBody body);
    /// The same, for the last word of a run whose disk has failed: the observer hears it in any case.
    experiment::Event appendLast(const std::string &task, experiment::EventBody body);

private:
    void readExisting();
    void goOnBehind(const std::map<std::string, std::int64_t> &taken);
    void writeLine(const std::string &line, bool flush);
    experiment::Event numbered(const std::string &task, experiment::EventBody body);

    std::string m_run;
    std::filesystem::path m_file;
    Observer m_observer;
    int m_descriptor = -1;
    std::mutex m_mutex;
    std::map<std::string, std::int64_t> m_lastSeq;
    std::int64_t m_numLost = 0;
};

}  // namespace stillroom::jobs
