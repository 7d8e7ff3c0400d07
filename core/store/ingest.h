// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"
#include "process.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

/// From event lines to rows: used inside this room only.
namespace stillroom::store {

/// Takes lines of runs into the database. Only who holds the recorder's lock may use it.
class Ingestor final {
public:
    Ingestor(SQLite::Database &database, std::filesystem::path workspace);

    /// Takes in at most `maximumLines` complete new lines of a run, in one transaction; unreadable ones become warnings. Returns how many lines
    /// were taken; 0: there are none.  \throws SQLite::Exception, Error
    int takeIn(const std::string &uuid, int maximumLines);
    /// How many bytes of the run's lines the database holds; 0 for an unknown run.
    [[nodiscard]] std::int64_t ingestedBytes(const std::string &uuid);
    /// Whether lines that were taken in are gone from the run's file or damaged in it, so that its rows alone hold what they said. Reads the whole file.
    [[nodiscard]] bool hasLostLines(const std::string &uuid);
    /// Lines that could not be read since construction.
    [[nodiscard]] int numUnreadable() const { return m_numUnreadable; }

private:
    struct Lines;
    struct RunRow {
        std::int64_t id = 0, bytes = 0, lines = 0;
    };
    struct Place {                 ///< where an event belongs
        std::int64_t run = 0;
        std::string task;
        std::int64_t seq = 0;
        double time = 0.0;
    };

    SQLite::Statement &statement(const std::string &sql);
    RunRow runRow(const std::string &uuid);
    [[nodiscard]] bool isNew(std::int64_t run, const experiment::Event &event);
    [[nodiscard]] bool isOfRun(const Place &place);
    std::int64_t seriesId(const std::string &task, const std::string &name, const std::string &unit);
    void applyAll(std::int64_t run, const std::string &uuid, const Lines &lines);

    void apply(const Place &place, const experiment::Started &body);
    void apply(const Place &place, const experiment::Progress &body);
    void apply(const Place &place, const experiment::Metric &body);
    void apply(const Place &place, const experiment::LayerScore &body);
    void apply(const Place &place, const experiment::Table &body);
    void apply(const Place &place, const experiment::Artifact &body);
    void apply(const Place &place, const experiment::Text &body);
    void apply(const Place &place, const experiment::CheckpointSaved &body);
    void apply(const Place &place, const experiment::Warning &body);
    void apply(const Place &place, const experiment::Finished &body);
    void apply(const Place &place, const experiment::Failed &body);
    void apply(const Place &place, const experiment::Cancelled &body);
    void setEnd(const Place &place, const char *status, const experiment::Failed &failure, const std::string *result);

    SQLite::Database &m_database;
    std::filesystem::path m_workspace;
    std::unordered_map<std::string, std::unique_ptr<SQLite::Statement>> m_statements;
    std::map<std::pair<std::string, std::string>, std::int64_t> m_series;
    int m_numUnreadable = 0;
};

/// Runs with status "running" whose process is gone become interrupted. Call only when their lines have been taken in. Returns how many.
int markInterruptedRuns(SQLite::Database &database);

/// Registers a committed stage's folder. Returns false when there is none.
bool takeInStage(SQLite::Database &database, const std::filesystem::path &workspace, const std::string &key);

}  // namespace stillroom::store
