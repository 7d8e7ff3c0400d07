// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>

/// Running a spec somewhere and streaming its events: on a worker thread of this process or in a child process, by the same spec and the same lines.
namespace stillroom::jobs {

/// What a procedure may use while it runs.
struct RunContext {
    std::filesystem::path workspace;          ///< folder with stillroom.db, artifacts/, runs/
    std::string run;                          ///< UUID
    experiment::EventSink sink;               ///< of the run itself: its events carry the kind as task, and started … finished frame the whole run (filled in by `run`)
    /// The sink of one stage within the run ("align", "distill:uniform"): its events carry that task's name and count their own seq, and the stage says
    /// its own started and finished (filled in by `run`; failed and cancelled are said once, for the run). For the kind itself it is the run's own
    /// sink, whose finished is left to `run`.
    std::function<experiment::EventSink(const std::string &task)> taskSink;
    std::stop_token stop;
    bool resume = false;                      ///< take up the last checkpoint of an equal, interrupted stage
    bool fresh = false;                       ///< recompute even where the stage's key exists
};
/// The door to the compute rooms: handed in by the program, so that jobs links no tensor library. Returns the result that `finished` holds.
using Procedure = std::function<nlohmann::json(const nlohmann::json &completedSpec, RunContext &context)>;

/// Runs `procedure` here and now: numbers the events, appends each line to runs/<uuid>/events.jsonl before handing it to `observer`,
/// and ends with exactly one of finished, failed, cancelled (procedures must send none of them). Never throws for a failed procedure.
/// Sends `started` first, with the spec; a procedure sends its own once it knows the key, the device and the type it computes in.
/// A run that was interrupted goes on in its file: the numbers continue, a torn last line is closed; where the file has lost events that the database holds, the
/// numbers go on behind those, and a warning says so. Returns the last event.
/// \throws Error(Usage) for a run that another process is writing, Error(Io) when the run's folder cannot be made, Error(BadFile) for numbers that no run has.
experiment::Event run(const nlohmann::json &completedSpec, RunContext context, const Procedure &procedure,
                      const std::function<void(const experiment::Event &)> &observer);

enum class Place { WorkerThread, ChildProcess };

/// One job in the background. Destroying it requests a stop and joins.
class Job {
public:
    virtual ~Job() = default;
    [[nodiscard]] virtual const std::string &runId() const = 0;
    virtual void requestStop() = 0;
    [[nodiscard]] virtual bool finished() const = 0;
    virtual void wait() = 0;
};

struct LaunchOptions {
    Place place = Place::WorkerThread;
    std::filesystem::path workspace;
    std::string runId;                        ///< empty: a new UUID
    bool resume = false, fresh = false;
    std::filesystem::path cliProgram;         ///< ChildProcess: stillroom-cli; called as `run SPEC --events --workspace W --run-id UUID [--resume] [--fresh]`
    std::chrono::milliseconds stopGrace{60'000};   ///< ChildProcess: SIGINT, and SIGKILL this much later
    Procedure procedure;                      ///< WorkerThread
    std::function<void(const experiment::Event &)> observer;   ///< called on the job's thread
};
/// A child process cannot outlive this one, and one that ends without a last event gets a `failed` that names the signal or status; its standard
/// error goes to runs/<uuid>/stderr.log. A procedure in a worker thread cannot be killed: only its stop_token tells it to stop.
/// `observer` must not throw.  \throws Error(Usage) for options that do not fit, Error(Failed) when the child cannot be started.
[[nodiscard]] std::unique_ptr<Job> launch(const nlohmann::json &completedSpec, LaunchOptions options);

/// A random UUID (version 4, RFC 9562).
[[nodiscard]] std::string newUuid();

}  // namespace stillroom::jobs
