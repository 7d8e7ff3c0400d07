// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/runname.h"
#include "experiment/spec.h"
#include "folders.h"
#include "formatted.h"
#include "jobs/run.h"
#include "procedures/estimate.h"
#include "procedures/initreference.h"
#include "procedures/modelargument.h"
#include "procedures/procedures.h"
#include "procedures/selectors.h"
#include "procedures/stagestart.h"
#include "progressline.h"
#include "resulttable.h"
#include "samename.h"
#include "shownname.h"
#include "store/layout.h"
#include "store/recorder.h"
#include "store/runartifacts.h"
#include "store/workspace.h"
#include "textfile.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

int sayCost(const nlohmann::json &spec, const std::filesystem::path &workspace, const RunCommand &options, const std::string &note, const std::stop_token &stop)
{
    const procedures::CostEstimate cost = procedures::estimateCost(spec, workspace, stop, {.resume = options.resume, .fresh = options.fresh});
    std::cerr << note;
    if (const std::string warning = procedures::memoryWarning(cost, spec.at("kind").get<std::string>()); !warning.empty())
        std::cerr << warning << '\n';
    if (options.json) {
        std::cout << documentText({{"training_tokens", cost.trainingTokens}, {"forward_tokens", cost.forwardTokens}, {"seconds", cost.seconds}, {"memory_bytes", cost.memoryBytes},
                                   {"free_memory_bytes", cost.freeBytes}, {"disk_bytes", cost.diskBytes}, {"group_size", cost.groupSize}, {"reused", cost.reused}}) << '\n';
        return 0;
    }
    const auto kind = spec.at("kind").get<std::string>();
    if (std::find(cost.reused.begin(), cost.reused.end(), kind) != cost.reused.end()) {
        std::cout << "nothing is left to compute: an equal " << kind << " stage is in the workspace already (--fresh makes it anew)\n";
        return 0;
    }
    std::cout << "about " << shortCount(static_cast<double>(cost.trainingTokens)) << " training tokens, " << shortDuration(cost.seconds) << " on this machine, "
              << shortCount(static_cast<double>(cost.memoryBytes)) << "B of memory, " << shortCount(static_cast<double>(cost.diskBytes)) << "B of disk";
    if (cost.groupSize > 0)
        std::cout << ", " << counted(cost.groupSize, "student") << " at a time";
    if (!cost.reused.empty())
        std::cout << ", stage 1 is there already";
    std::cout << '\n';
    if (!cost.selectorText.empty())
        std::cout << cost.selectorText << '\n';
    return 0;
}

/// A pipeline has no key of its own: it is known by what it asks for, whatever it is called.
std::string unnamed(nlohmann::json spec)
{
    for (const char *field : {"name", "notes"})
        spec.erase(field);
    return experiment::canonicalJson(spec);
}

/// The newest run of this experiment that was stopped before its end. One that was refused has nothing to go on with. \param key  of its stage
std::optional<store::Run> stoppedRun(const store::Workspace &workspace, const nlohmann::json &spec, const std::string &key)
{
    const auto kind = spec.at("kind").get<std::string>();
    const auto goesOn = [&](const store::Run &run) {
        const bool isStopped = run.status == store::RunStatus::Interrupted || run.status == store::RunStatus::Cancelled || (run.status == store::RunStatus::Failed && run.failureCode != codeName(ErrorCode::Usage));
        return isStopped && run.kind == kind && (key.empty() ? unnamed(nlohmann::json::parse(run.specJson)) == unnamed(spec) : run.key == key);
    };
    const std::vector<store::Run> runs = key.empty() ? workspace.runs({.kind = kind}) : workspace.resumable(key);
    const auto found = std::find_if(runs.begin(), runs.end(), goesOn);
    return found == runs.end() ? std::nullopt : std::optional(*found);
}

/// A name by which commands would find something else is refused before anything is kept. A dry run does not ask the workspace, for to open it is to write.
void checkName(const nlohmann::json &spec, const std::filesystem::path &workspace, bool dryRun)
{
    if (!spec.contains("name"))
        return;
    const auto name = spec.at("name").get<std::string>();
    if (!dryRun && isFileThere(store::databaseFile(workspace)))
        store::Workspace(workspace).checkName(name);
    else
        experiment::checkRunName(name);
}

/// The UUID that a run goes by: with --resume that of the run which was stopped, so that one experiment stays one run; else a new one.
std::string uuidOf(const nlohmann::json &spec, const std::string &key, const RunCommand &options, store::Recorder &recorder, const std::filesystem::path &folder)
{
    if (options.resume) {
        recorder.flush();      // one that was killed may not be in the database to its end
        if (const auto stopped = stoppedRun(store::Workspace(folder), spec, key)) {
            std::cerr << "This goes on in the run that was stopped: " << (stopped->name.empty() ? std::string() : shownLine(stopped->name) + ", ") << stopped->uuid << ".\n";
            return stopped->uuid;
        }
    }
    if (spec.contains("name"))
        sayIfNamedBefore(store::Workspace(folder), spec.at("name").get<std::string>());
    return jobs::newUuid();
}

/// A hybrid or a scoring that is named as a start gives the mixers that its own stage 1 began with, not those that it trained: that is said.
void sayStarts(const nlohmann::json &given, const nlohmann::json &stored, const std::filesystem::path &workspace)
{
    if (given.at("kind") == "pipeline")
        for (std::size_t i = 0; i < given.at("stages").size(); ++i)
            sayStarts(given.at("stages")[i].at("spec"), stored.at("stages")[i].at("spec"), workspace);
    if (!given.contains("init") || given.at("init") == stored.at("init"))
        return;
    const auto init = given.at("init").get<std::string>(), key = stored.at("init").get<std::string>();
    constexpr std::size_t shownDigits = 12;
    if (const auto run = key.starts_with(init) ? std::nullopt : store::runCalled(init, workspace); run && run->kind != "align" && run->kind != "calibrate")
        std::cerr << "The mixers start as stage 1 of \"" << shownName(init) << "\" left them (" << key.substr(0, shownDigits) << "), not as its " << run->kind << " did: what that trained is not taken.\n";
}

/// What --print-spec, --dry-run or neither of them asks for. \param note  lines on what became of the spec, for standard error once nothing is refused any more
int runCompleted(const nlohmann::json &spec, const RunCommand &options, std::stop_token stop, const std::string &note = {})
{
    if (options.runId.empty())
        procedures::checkSelectors(spec);
    if (options.printSpec) {
        std::cerr << note;
        std::cout << documentText(spec) << '\n';
        return 0;
    }
    const std::filesystem::path workspace = workspaceOr(options.workspace);
    if (options.runId.empty())
        checkName(spec, workspace, options.dryRun);
    if (options.dryRun)
        return sayCost(spec, workspace, options, note, stop);
    // A run that its parent has begun already keeps why it was refused: the procedure says the same, as the run's last word. Of another one nothing is kept.
    const bool isBegun = !options.runId.empty();
    const auto models = std::make_shared<procedures::LoadedModels>();
    std::string key;
    if (!isBegun)
        key = procedures::checkStart(spec, {.workspace = workspace, .taskSink = {}, .sink = {}, .stop = stop, .resume = options.resume, .fresh = options.fresh, .models = models.get()});
    const nlohmann::json stored = isBegun ? spec : procedures::withInitKeys(spec, workspace);
    store::Recorder recorder(workspace);
    std::cerr << note;
    if (!isBegun)
        sayStarts(spec, stored, workspace);
    ProgressLine progress;
    jobs::RunContext context;
    context.workspace = workspace;
    context.run = isBegun ? options.runId : uuidOf(stored, key, options, recorder, workspace);
    context.stop = stop;
    context.resume = options.resume;
    context.fresh = options.fresh;
    const experiment::Event last = jobs::run(stored, context, procedures::allProcedures(models), [&](const experiment::Event &event) {
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
        const std::string made = result.is_object() ? result.value("key", std::string()) : std::string();
        std::cerr << "Run " << last.run << " is kept in " << shownLine(workspace.string()) << (made.empty() ? std::string() : "; what it made is " + made) << '\n';
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
        if (const std::int64_t context = checkpoint::coveredPositions(procedures::openModelArgument(name, workspace).config); context > 0)
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
/// it was given, because steps are counted in such sequences, and before anything is judged that depends on it. Returns what to tell of it: a line, or nothing.
std::string fitContext(nlohmann::json &spec, const std::filesystem::path &workspace)
{
    const experiment::Field *field = sequenceLengthField(spec.at("kind").get<std::string>());
    if (!field)
        return {};
    const auto shortest = static_cast<std::int64_t>(field->minimum), usual = nlohmann::json::parse(field->defaultJson).get<std::int64_t>();
    const auto context = shortestContext(experiment::completeSpec(withoutLength(spec, shortest)), workspace);
    if (!context || *context >= usual)
        return {};
    const std::int64_t length = std::max(*context, shortest);
    spec["data"]["sequence_length"] = length;
    return "Sequences have " + std::to_string(length) + " tokens instead of " + std::to_string(usual) + ": the model was made for no more; --data.sequence-length says another length.\n";
}

}  // namespace

int runSpec(const std::string &specJson, const RunCommand &options, std::stop_token stop)
{
    nlohmann::json spec = nlohmann::json::parse(specJson);
    std::string note;
    if (!spec.contains("data") || !spec.at("data").contains("sequence_length"))
        note = fitContext(spec, workspaceOr(options.workspace));
    return runCompleted(experiment::completeSpec(spec), options, std::move(stop), note);
}

int runSpecText(const std::string &text, const RunCommand &options, std::stop_token stop)
{
    return runCompleted(experiment::completeSpec(experiment::parseJson(text, "The spec", ErrorCode::Usage)), options, std::move(stop));
}

int runSpecFile(const std::filesystem::path &file, const RunCommand &options, std::stop_token stop)
{
    if (file.empty())
        throw Error(ErrorCode::Usage, "the spec is empty: name SPEC.json, - for standard input, or write the spec itself");
    if (isPipe(file))
        return runCompleted(experiment::completeSpec(experiment::parseJson(readText(file, experiment::maximumSpecBytes), "The spec")), options, std::move(stop));
    return runCompleted(experiment::readSpec(file.string()), options, std::move(stop));
}

}  // namespace stillroom::cli
