// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/run.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "jobs/eventlog.h"
#include "jobs/places.h"

#include <chrono>
#include <cstdint>
#include <new>
#include <nlohmann/json.hpp>

namespace stillroom::jobs {

namespace {

using experiment::EventBody;
using nlohmann::json;

experiment::EventSink sinkOf(EventLog &log, const std::string &task, bool isRun)
{
    return [&log, task, isRun](const EventBody &body) {
        if (std::holds_alternative<experiment::Failed>(body) || std::holds_alternative<experiment::Cancelled>(body))
            throw Error(ErrorCode::Failed, "The stage " + experiment::compactJson(task) + " said " + experiment::typeName(body) + " itself; it must throw instead.");
        if (isRun && experiment::isLast(body))
            return;            // the run says it when everything is done
        log.append(task, body);
    };
}

/// What the exception in flight says as a run's last word.
EventBody lastWord()
{
    try {
        throw;
    } catch (const Error &error) {
        if (error.code() == ErrorCode::Cancelled)
            return experiment::Cancelled{.message = error.what()};
        return experiment::Failed{.code = codeName(error.code()), .message = error.what(), .detail = error.detail()};
    } catch (const std::bad_alloc &error) {
        return experiment::Failed{.code = codeName(ErrorCode::OutOfMemory), .message = "The memory did not suffice; choose a smaller batch, sequence length or group.", .detail = error.what()};
    } catch (const std::exception &error) {
        return experiment::Failed{.code = codeName(ErrorCode::Failed), .message = "The work stopped for an unexpected reason; the detail names it.", .detail = error.what()};
    } catch (...) {
        return experiment::Failed{.code = codeName(ErrorCode::Failed), .message = "The work stopped for an unknown reason.", .detail = {}};
    }
}

/// Said in the run itself, since nothing else of it shows that its file no longer holds all of it.
experiment::Warning lostEvents(std::int64_t number)
{
    return {.message = "The run's file events.jsonl has lost its last " + std::string(number == 1 ? "event" : std::to_string(number) + " events") +
                       ", as a power cut can do; the database alone holds what was lost, so keep stillroom.db in your backups."};
}

/// Runs the procedure; what it throws becomes the last event.
EventBody lastEvent(const json &spec, RunContext &context, const Procedure &procedure)
{
    const auto start = std::chrono::steady_clock::now();
    try {
        const json result = procedure(spec, context);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return experiment::Finished{.resultJson = experiment::compactJson(result), .seconds = seconds};
    } catch (...) {
        return lastWord();
    }
}

}  // namespace

experiment::Started startedFrom(const json &spec, bool resumed)
{
    return {.kind = spec.at("kind").get<std::string>(), .key = {}, .specJson = experiment::compactJson(spec), .device = spec.value("device", "auto"),
            .computeType = spec.value("compute_type", "auto"), .threads = spec.value("threads", 1), .resumed = resumed, .version = STILLROOM_VERSION};
}

experiment::Event run(const json &completedSpec, RunContext context, const Procedure &procedure, const std::function<void(const experiment::Event &)> &observer)
{
    if (!completedSpec.is_object() || !completedSpec.contains("kind") || !completedSpec.at("kind").is_string())
        throw Error(ErrorCode::Usage, "A spec without a kind cannot be run; complete it first.");
    const auto kind = completedSpec.at("kind").get<std::string>();
    EventLog log(context.workspace, context.run, observer);
    context.sink = sinkOf(log, kind, true);
    context.taskSink = [&log, kind](const std::string &task) { return sinkOf(log, task, task == kind); };
    EventBody last;
    try {
        log.append(kind, startedFrom(completedSpec, context.resume));
        if (log.numLost() > 0)
            log.append(kind, lostEvents(log.numLost()));
        last = lastEvent(completedSpec, context, procedure);
    } catch (...) {      // its events could not be kept
        last = lastWord();
    }
    return log.appendLast(kind, std::move(last));
}

}  // namespace stillroom::jobs
