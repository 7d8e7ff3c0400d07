// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"
#include "process.h"
#include "store/layout.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

/// Writes a run's file as the room `jobs` does, without linking it.
class LineWriter final {
public:
    LineWriter(std::filesystem::path workspace, std::string run, stillroom::ProcessIdentity process = stillroom::thisProcess(), double time = 1764480000.0)
        : m_workspace(std::move(workspace)), m_run(std::move(run)), m_time(time)
    {
        const auto folder = stillroom::store::runFolder(m_workspace, m_run);
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "process.json") << stillroom::toJson(process).dump();
    }
    /// Appends one event; returns its number.
    std::int64_t say(stillroom::experiment::EventBody body, const std::string &task = "score")
    {
        const std::int64_t seq = ++m_seq[task];
        append(stillroom::experiment::toLine({.run = m_run, .task = task, .seq = seq, .timeSeconds = m_time += 0.5, .body = std::move(body)}) + "\n");
        return seq;
    }
    void start(const std::string &specJson = R"({"kind":"score","name":"first","teacher":"demo"})")
    {
        say(stillroom::experiment::Started{.kind = "score", .key = {}, .specJson = specJson, .device = "auto", .computeType = "auto", .version = "0.1.0"});
    }
    void wait(double seconds) { m_time += seconds; }
    void append(const std::string &text) const { std::ofstream(stillroom::store::eventsFile(m_workspace, m_run), std::ios::binary | std::ios::app) << text; }
    [[nodiscard]] const std::string &run() const { return m_run; }

private:
    std::filesystem::path m_workspace;
    std::string m_run;
    std::map<std::string, std::int64_t> m_seq;
    double m_time;
};

/// A UUID of the right form for test number `number`.
inline std::string runName(int number)
{
    const std::string digits = std::to_string(100000000000 + number);
    return "aaaabbbb-cccc-4ddd-8eee-" + digits;
}

/// A process that has ended.
inline stillroom::ProcessIdentity goneProcess()
{
    auto process = stillroom::thisProcess();
    process.startTicks += 12345;
    return process;
}

inline stillroom::experiment::LayerScore scoreOf(int layer, double value, std::int64_t tokens)
{
    return {.selector = "ga-s2", .mixer = "gdn", .layer = layer, .score = value, .klNats = value, .se = 0.01, .numSequences = 64, .tokens = tokens};
}
