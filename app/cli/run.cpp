// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/spec.h"
#include "folders.h"
#include "formatted.h"
#include "jobs/run.h"
#include "procedures/estimate.h"
#include "procedures/initreference.h"
#include "procedures/modelargument.h"
#include "procedures/procedures.h"
#include "procedures/selectors.h"
#include "progressline.h"
#include "resulttable.h"
#include "runname.h"
#include "shownname.h"
#include "store/recorder.h"
#include "store/workspace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <optional>

namespace stillroom::cli {
namespace {

int statusOf(const experiment::Event &last)
{
    if (std::holds_alternative<experiment::Cancelled>(last.body))
        return exitStatus(ErrorCode::Cancelled);
    if (const auto *failed = std::get_if<experiment::Failed>(&last.body))
        return exitStatus(codeFromName(failed->code));
    return 0;
}

int sayCost(const nlohmann::json &spec, const std::filesystem::path &workspace, bool json, const std::stop_token &stop)
{
    const procedures::CostEstimate cost = procedures::estimateCost(spec, workspace, stop);
    if (json) {
        std::cout << documentText({{"training_tokens", cost.trainingTokens}, {"forward_tokens", cost.forwardTokens}, {"seconds", cost.seconds}, {"memory_bytes", cost.memoryBytes}, {"disk_bytes", cost.diskBytes}, {"group_size", cost.groupSize}}) << '\n';
        return 0;
    }
    std::cout << "about " << shortCount(static_cast<double>(cost.trainingTokens)) << " training tokens, " << shortDuration(cost.seconds) << " on this machine, "
              << shortCount(static_cast<double>(cost.memoryBytes)) << "B of memory, " << shortCount(static_cast<double>(cost.diskBytes)) << "B of disk";
    if (cost.groupSize > 0)
        std::cout << ", " << cost.groupSize << (cost.groupSize == 1 ? " student" : " students") << " at a time";
    std::cout << '\n';
    if (!cost.selectorText.empty())
        std::cout << cost.selectorText << '\n';
    return 0;
}

/// What --print-spec, --dry-run or neither of them asks for.
int runCompleted(const nlohmann::json &spec, const RunCommand &options, std::stop_token stop)
{
    if (options.runId.empty())
        procedures::checkSelectors(spec);
    if (options.printSpec) {
        std::cout << documentText(spec) << '\n';
        return 0;
    }
    const std::filesystem::path workspace = workspaceOr(options.workspace);
    if (options.dryRun)
        return sayCost(spec, workspace, options.json, stop);
    // A run that its parent has begun already keeps why it was refused: the procedure says the same, as the run's last word. Of another one nothing is kept.
    const bool isBegun = !options.runId.empty();
    if (!isBegun)
        procedures::checkScorings(spec, workspace);
    const nlohmann::json stored = isBegun ? spec : procedures::withInitKeys(spec, workspace);
    store::Recorder recorder(workspace);
    if (!isBegun && stored.contains("name"))
        sayIfNamedBefore(store::Workspace(workspace), stored.at("name").get<std::string>());
    ProgressLine progress;
    jobs::RunContext context;
    context.workspace = workspace;
    context.run = options.runId.empty() ? jobs::newUuid() : options.runId;
    context.stop = stop;
    context.resume = options.resume;
    context.fresh = options.fresh;
    const experiment::Event last = jobs::run(stored, context, procedures::allProcedures(), [&](const experiment::Event &event) {
        if (options.events)
            std::cout << experiment::toLine(event) << std::endl;   // a parent process reads along
        progress.show(event);
        recorder.notice(event.run);
    });
    recorder.flush();
    if (const auto *finished = std::get_if<experiment::Finished>(&last.body)) {
        const nlohmann::json result = nlohmann::json::parse(finished->resultJson);
        if (options.json)
            std::cout << documentText(result) << '\n';
        else if (!options.events)
            printResult(result, std::cout);
        const std::string key = result.is_object() ? result.value("key", std::string()) : std::string();
        std::cerr << "Run " << last.run << " is kept in " << shownLine(workspace.string()) << (key.empty() ? std::string() : "; what it made is " + key) << '\n';
    }
    return statusOf(last);
}

/// The shortest context of the models that a spec names; nothing where none is there, or none says how long it is. \throws Error(BadFile) for one that cannot be read
std::optional<std::int64_t> shortestContext(const nlohmann::json &completed, const std::filesystem::path &workspace)
{
    std::optional<std::int64_t> shortest;
    for (const char *field : {"teacher", "model"}) {
        if (!completed.contains(field) || !completed.at(field).is_string())
            continue;
        const auto name = completed.at(field).get<std::string>();
        if (!procedures::isModelThere(name, workspace))        // said where the model is needed
            continue;
        if (const std::int64_t context = procedures::openModelArgument(name, workspace).config.maxPositions; context > 0)
            shortest = std::min(context, shortest.value_or(context));
    }
    return shortest;
}

/// The field data.sequence_length of a kind; null where it has none.
const experiment::Field *sequenceLengthField(const std::string &kind)
{
    for (const experiment::Field &field : experiment::kindSchema(kind).fields)
        if (field.name == "data")
            for (const experiment::Field &one : field.fields)
                if (one.name == "sequence_length")
                    return &one;
    return nullptr;
}

/// The spec with the shortest sequences there are and without tokens to be counted in them: what of it may be judged before the length is known.
nlohmann::json withoutLength(nlohmann::json spec, std::int64_t shortest)
{
    spec["data"]["sequence_length"] = shortest;
    spec.erase("tokens");
    if (spec.contains("alignment") && spec.at("alignment").is_object())
        spec["alignment"].erase("tokens");
    return spec;
}

/// How long sequences are where nobody said so: as long as the models were made for, if that is shorter than the usual length. It is said in the spec as
/// it was given, because steps are counted in such sequences, and before anything is judged that depends on it.
void fitContext(nlohmann::json &spec, const std::filesystem::path &workspace)
{
    const experiment::Field *field = sequenceLengthField(spec.at("kind").get<std::string>());
    if (!field)
        return;
    const auto shortest = static_cast<std::int64_t>(field->minimum), usual = nlohmann::json::parse(field->defaultJson).get<std::int64_t>();
    const auto context = shortestContext(experiment::completeSpec(withoutLength(spec, shortest)), workspace);
    if (!context || *context >= usual)
        return;
    const std::int64_t length = std::max(*context, shortest);
    spec["data"]["sequence_length"] = length;
    std::cerr << "Sequences have " << length << " tokens instead of " << usual << ": the model was made for no more; --data.sequence-length says another length.\n";
}

}  // namespace

int runSpec(const std::string &specJson, const RunCommand &options, std::stop_token stop)
{
    nlohmann::json spec = nlohmann::json::parse(specJson);
    if (!spec.contains("data") || !spec.at("data").contains("sequence_length"))
        fitContext(spec, workspaceOr(options.workspace));
    return runCompleted(experiment::completeSpec(spec), options, std::move(stop));
}

int runSpecText(const std::string &text, const RunCommand &options, std::stop_token stop)
{
    return runCompleted(experiment::completeSpec(experiment::parseJson(text, "The spec")), options, std::move(stop));
}

int runSpecFile(const std::filesystem::path &file, const RunCommand &options, std::stop_token stop)
{
    return runCompleted(experiment::readSpec(file.string()), options, std::move(stop));
}

}  // namespace stillroom::cli
