// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/scan.h"

#include "error.h"
#include "store/layout.h"

#include <unordered_map>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;

constexpr int linesPerGroup = 1000;

bool differs(const fs::path &workspace, const std::string &uuid, std::int64_t ingestedBytes)
{
    std::error_code error;
    const auto sizeBytes = fs::file_size(eventsFile(workspace, uuid), error);
    return !error && static_cast<std::int64_t>(sizeBytes) != ingestedBytes;
}

}  // namespace

std::vector<std::string> runFolders(const fs::path &workspace)
{
    std::vector<std::string> runs;
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator(runsFolder(workspace), error)) {
        const std::string name = entry.path().filename().string();
        try {
            static_cast<void>(runFolder(workspace, name));
            runs.push_back(name);
        } catch (const Error &) {
            continue;      // not a run: whatever a person put there
        }
    }
    return runs;
}

std::vector<std::string> runsWithNewLines(SQLite::Database &database, const fs::path &workspace)
{
    std::unordered_map<std::string, std::int64_t> ingested;
    SQLite::Statement query(database, "SELECT uuid, ingested_bytes FROM runs");
    while (query.executeStep())
        ingested.emplace(query.getColumn(0).getString(), query.getColumn(1).getInt64());
    std::vector<std::string> runs;
    for (const std::string &run : runFolders(workspace)) {
        const auto found = ingested.find(run);
        if (differs(workspace, run, found == ingested.end() ? 0 : found->second))
            runs.push_back(run);
    }
    return runs;
}

std::vector<std::string> runningRunsWithNewLines(SQLite::Database &database, const fs::path &workspace)
{
    std::vector<std::string> runs;
    SQLite::Statement query(database, "SELECT uuid, ingested_bytes FROM runs WHERE status = 'running'");
    while (query.executeStep()) {
        if (differs(workspace, query.getColumn(0).getString(), query.getColumn(1).getInt64()))
            runs.push_back(query.getColumn(0).getString());
    }
    return runs;
}

std::vector<std::string> takeInAll(Ingestor &ingestor, const std::vector<std::string> &runs)
{
    std::vector<std::string> changed;
    for (const std::string &run : runs) {
        bool took = false;
        while (ingestor.takeIn(run, linesPerGroup) > 0)
            took = true;
        if (took)
            changed.push_back(run);
    }
    return changed;
}

}  // namespace stillroom::store
