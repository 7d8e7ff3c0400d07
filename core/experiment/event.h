// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What a running experiment says, one JSON line each: {schema, run, task, seq, time, type, …}.
namespace stillroom::experiment {

inline constexpr int eventSchema = 1;

struct Started { std::string kind, key, specJson, device, computeType; int threads = 1; bool resumed = false; std::string version; };
struct Progress { std::string phase; std::int64_t done = 0, total = 0, tokens = 0; double seconds = 0.0; std::optional<double> etaSeconds; };
struct Metric { std::string series; std::int64_t step = 0, tokens = 0; double value = 0.0; std::string unit; };
struct Table {
    std::string name;
    std::vector<std::string> columns, units;
    std::string rowsJson = "[]";             ///< an array of arrays, at most 1000 rows
};
struct Artifact { std::string role, hash, path; };   ///< path relative to the workspace
struct Text { std::string name, text; };
struct CheckpointSaved { std::int64_t step = 0, tokens = 0; std::string path; };
struct Warning { std::string message; };
struct Finished { std::string resultJson = "{}"; double seconds = 0.0; };
struct Failed { std::string code, message, detail; };
struct Cancelled { std::string message; };

using EventBody = std::variant<Started, Progress, Metric, LayerScore, Table, Artifact, Text, CheckpointSaved, Warning, Finished, Failed, Cancelled>;

struct Event {
    std::string run;             ///< UUID of the run
    std::string task;            ///< stage within the run, e.g. "align", "score", "distill:ga-s2"
    std::int64_t seq = 0;        ///< 1, 2, … within (run, task)
    double timeSeconds = 0.0;    ///< Unix time, UTC
    EventBody body;
};

[[nodiscard]] std::string typeName(const EventBody &body);          ///< "started", "progress", "metric", "layer-score", …
[[nodiscard]] bool isLast(const EventBody &body);                   ///< finished, failed or cancelled
/// One line without the newline; numbers in shortest round-trip form, NaN and infinities as the strings "nan", "inf", "-inf".
[[nodiscard]] std::string toLine(const Event &event);
/// \throws Error(BadFile) for a line that is not an event of a schema we know (a newer schema is refused politely).
[[nodiscard]] Event fromLine(const std::string &line);

/// Where a procedure sends what happens. Called on the computing thread; must not block for long.
using EventSink = std::function<void(const EventBody &body)>;

}  // namespace stillroom::experiment
