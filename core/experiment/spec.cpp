// SPDX-License-Identifier: GPL-3.0-or-later
// What a whole spec must obey beyond its single fields.
#include "experiment/spec.h"

#include "error.h"
#include "experiment/completion.h"
#include "experiment/jsontext.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace stillroom::experiment {

namespace {

using nlohmann::json;

constexpr double mostTokensAtOnce = 268435456.0;       // 2 GiB of token ids
constexpr double mostTrainingTokens = 1e14;            // of one training: counts of all students together stay whole numbers of 64 bits

[[noreturn]] void refuseSpec(const std::string &message)
{
    throw Error(ErrorCode::Usage, message);
}

bool has(const json &object, const std::string &name)
{
    const auto found = object.find(name);
    return found != object.end() && !found->is_null();
}

std::string joinedChoices(const std::string &kind, const std::string &name)
{
    std::string text;
    for (const Field &field : kindSchema(kind).fields)
        if (field.name == name)
            for (const std::string &choice : field.choices)
                text += (text.empty() ? "" : ", ") + choice;
    return text;
}

/// `tokens` becomes `steps`. `given` is what the person wrote, `completed` has the defaults.
void stepsFromTokens(const json &given, json &completed, std::int64_t sequenceLength, const std::string &path)
{
    if (!has(completed, "tokens"))
        return;
    if (has(given, "steps"))
        refuseSpec("The fields \"" + path + "steps\" and \"" + path + "tokens\" say the same thing twice; give one of them.");
    const auto tokensPerStep = completed.at("batch_sequences").get<std::int64_t>() * sequenceLength;
    const auto tokens = completed.at("tokens").get<std::int64_t>();
    if (tokens < tokensPerStep)
        refuseSpec("The field \"" + path + "tokens\" is " + std::to_string(tokens) + " but one step takes " + std::to_string(tokensPerStep) + " tokens.");
    completed["steps"] = tokens / tokensPerStep;
    completed.erase("tokens");
}

/// When the held-out set is measured is said once: with token counts, a number of evaluations says nothing and is left out. `given` is what the person wrote.
void completeEvaluations(const json &given, json &completed, const std::string &path)
{
    if (!has(completed, "evaluate_at_tokens") || completed.at("evaluate_at_tokens").empty())
        return;
    if (has(given, "evaluations"))
        refuseSpec("The fields \"" + path + "evaluations\" and \"" + path + "evaluate_at_tokens\" both say when the held-out set is measured; give one of them.");
    completed.erase("evaluations");
}

/// A score or distill spec starts from `init` or from its own stage 1, never from both.
void completeStart(const json &given, json &completed)
{
    if (has(completed, "init")) {
        if (has(completed, "alignment"))
            refuseSpec("The fields \"init\" and \"alignment\" both say where to start; give one of them.");
        return;
    }
    const KindSchema &schema = kindSchema(completed.at("kind").get<std::string>());
    const auto field = std::find_if(schema.fields.begin(), schema.fields.end(), [](const Field &candidate) { return candidate.name == "alignment"; });
    if (!has(completed, "alignment"))
        completed["alignment"] = completeFields(json::object(), field->fields, "alignment.");
    json &alignment = completed["alignment"];
    const json &data = has(alignment, "data") ? alignment.at("data") : completed.at("data");
    stepsFromTokens(has(given, "alignment") ? given.at("alignment") : json::object(), alignment, data.at("sequence_length").get<std::int64_t>(), "alignment.");
}

void checkKeep(const json &spec)
{
    const int numGiven = int{has(spec, "keep")} + int{has(spec, "keep_count")} + int{has(spec, "keep_percent")};
    if (numGiven != 1)
        refuseSpec("Give exactly one of the fields \"keep\", \"keep_count\" and \"keep_percent\" (" + std::to_string(numGiven) + " are given).");
    if (has(spec, "keep") && has(spec, "scores"))
        refuseSpec("The fields \"keep\" and \"scores\" both say which layers to keep; give one of them, and with scores keep_count or keep_percent.");
    if (!has(spec, "keep") && !has(spec, "scores"))
        refuseSpec("The field \"scores\" is missing; keep_count and keep_percent choose the best layers of scores.");
}

void checkCurriculumAndModel(const json &spec)
{
    const json &model = spec.at("model");
    if (model.at("num_heads").get<std::int64_t>() % model.at("num_kv_heads").get<std::int64_t>() != 0)
        refuseSpec("The field \"model.num_kv_heads\" is " + shown(model.at("num_kv_heads")) + " but must divide model.num_heads, which is " + shown(model.at("num_heads")) + ".");
    if (model.at("retrieval_layer") >= model.at("num_layers"))
        refuseSpec("The field \"model.retrieval_layer\" is " + shown(model.at("retrieval_layer")) + " but must be below model.num_layers, which is " + shown(model.at("num_layers")) + ".");
}

double tokensOf(const json &sequences, const json &data)
{
    return sequences.get<double>() * data.at("sequence_length").get<double>();
}

void checkData(const json &data, const std::string &path)
{
    const json &recall = data.at("recall");
    if (recall.at("filler_run_minimum") > recall.at("filler_run_maximum"))
        refuseSpec("The field \"" + path + "recall.filler_run_minimum\" is " + shown(recall.at("filler_run_minimum")) + " but must be at most filler_run_maximum, which is " + shown(recall.at("filler_run_maximum")) + ".");
    if (recall.at("pairs") > recall.at("num_keys"))
        refuseSpec("The field \"" + path + "recall.pairs\" is " + shown(recall.at("pairs")) + " but must be at most num_keys, which is " + shown(recall.at("num_keys")) + ".");
    if (const double tokens = tokensOf(data.at("held_out_sequences"), data); data.at("source") == "recall-task" && tokens > mostTokensAtOnce)
        refuseSpec("The fields \"" + path + "held_out_sequences\" and \"" + path + "sequence_length\" ask for " + shown(json(tokens)) + " held-out tokens but at most " + shown(json(mostTokensAtOnce)) + " are held in memory; make one of them smaller.");
    for (const char *list : {"files", "held_out_files"})
        if (data.at("source") == "recall-task" && !data.at(list).empty())
            refuseSpec("The field \"" + path + list + "\" names files but the source \"recall-task\" reads none: set " + path + "source to \"text\" or \"tokens\", or leave the files out.");
    if (data.at("source") != "recall-task" && data.at("files").empty())
        refuseSpec("The field \"" + path + "files\" is empty but the source " + shown(data.at("source")) + " needs files.");
}

/// Of training, with `data` as what it trains on.
void checkTrainingTokens(const json &training, const json &data, const std::string &path)
{
    if (!has(training, "steps"))
        return;
    const double perStep = tokensOf(training.at("batch_sequences"), data), tokens = perStep * training.at("steps").get<double>();
    if (perStep > mostTokensAtOnce)
        refuseSpec("The field \"" + path + "batch_sequences\" asks for steps of " + shown(json(perStep)) + " tokens but at most " + shown(json(mostTokensAtOnce)) + " are held in memory; make it or the sequence_length smaller.");
    if (tokens > mostTrainingTokens)
        refuseSpec("The field \"" + path + "steps\" asks for " + shown(json(tokens)) + " training tokens but at most " + shown(json(mostTrainingTokens)) + " are trained on; make it smaller.");
}

/// A kind's usual warm-up is for its usual steps: of fewer it takes the first tenth, where nobody said otherwise.
void shortenWarmup(const json &given, json &completed)
{
    if (has(given, "warmup_steps") || !has(completed, "warmup_steps") || !has(completed, "steps"))
        return;
    if (const auto steps = completed.at("steps").get<std::int64_t>(); completed.at("warmup_steps") > steps)
        completed["warmup_steps"] = steps / 10;
}

/// A learning rate that was asked for and is never reached.
void checkWarmup(const json &training, const std::string &path)
{
    if (has(training, "steps") && training.at("warmup_steps") > training.at("steps"))
        refuseSpec("The field \"" + path + "warmup_steps\" is " + shown(training.at("warmup_steps")) + " but must be at most the field \"" + path + "steps\", which is " + shown(training.at("steps")) + "; 0 means no warm-up.");
}

void checkWindows(const json &spec)
{
    const json &window = spec.at("window"), &stride = spec.at("stride");
    if (window == 1)
        refuseSpec("The field \"window\" is 1 but must be at least 2, since the first token of a window is not predicted; 0 means the model's context.");
    if (window > 0 && stride > window)
        refuseSpec("The field \"stride\" is " + shown(stride) + " but must be at most the field \"window\", which is " + shown(window) + ", so that no token is left out; 0 means the window.");
}

void checkGenerate(const json &spec)
{
    if (has(spec, "prompt") == has(spec, "tokens_file"))
        refuseSpec("Give exactly one of the fields \"prompt\" and \"tokens_file\".");
}

void checkInspect(const json &spec)
{
    if (has(spec, "text") && has(spec, "tokens_file"))
        refuseSpec("Give only one of the fields \"text\" and \"tokens_file\".");
}

/// An evaluation that measures nothing would end as if it had worked.
void checkEvaluate(const json &spec)
{
    checkWindows(spec);
    const json &measures = spec.at("measures");
    if (measures.empty())
        refuseSpec("The field \"measures\" is empty; name at least one measure: " + joinedChoices("evaluate", "measures") + ".");
    const bool isKlAlone = std::all_of(measures.begin(), measures.end(), [](const json &one) { return one == "kl"; });
    if (isKlAlone && !has(spec, "teacher"))
        refuseSpec("The field \"measures\" names kl alone, which compares with a teacher; name one in the field \"teacher\", or another measure.");
}

void checkEarlyStop(const json &spec)
{
    if (!has(spec, "early_stop"))
        return;
    const json &early = spec.at("early_stop");
    if (early.at("enabled").get<bool>() && early.at("keep").empty())
        refuseSpec("The field \"early_stop.keep\" is empty but early stopping needs the values of K whose sets must be stable.");
}

void completeStages(json &pipeline);

/// Rules between fields of one kind. \param path  of the spec within its pipeline, which ends with a dot; or empty
void completeKind(const json &given, json &spec, const std::string &path)
{
    const auto kind = spec.at("kind").get<std::string>();
    completeEvaluations(given, spec, path);
    if (spec.contains("data")) {
        checkData(spec.at("data"), "data.");
        stepsFromTokens(given, spec, spec.at("data").at("sequence_length").get<std::int64_t>(), "");
        checkTrainingTokens(spec, spec.at("data"), "");
        shortenWarmup(given, spec);
        checkWarmup(spec, "");
    }
    if (kind == "score" || kind == "distill") {
        completeStart(given, spec);
        if (has(spec, "alignment")) {
            const json &alignment = spec.at("alignment"), &data = has(alignment, "data") ? alignment.at("data") : spec.at("data");
            checkData(data, "alignment.data.");
            checkTrainingTokens(alignment, data, "alignment.");
            checkWarmup(alignment, "alignment.");
        }
    }
    if (kind == "score")
        checkEarlyStop(spec);
    else if (kind == "distill")
        checkKeep(spec);
    else if (kind == "train-teacher")
        checkCurriculumAndModel(spec);
    else if (kind == "evaluate")
        checkEvaluate(spec);
    else if (kind == "generate")
        checkGenerate(spec);
    else if (kind == "inspect")
        checkInspect(spec);
    else if (kind == "pipeline")
        completeStages(spec);
}

void checkHeader(const json &spec)
{
    if (!spec.is_object())
        refuseSpec("A spec must be a JSON object, not " + shown(spec) + ".");
    if (jsonDepth(spec) > maximumJsonDepth)
        refuseSpec("The spec nests deeper than " + std::to_string(maximumJsonDepth) + " levels.");
    if (!has(spec, "kind"))
        refuseSpec("The field \"kind\" is missing; give the kind of experiment that the spec asks for.");
    if (!spec.at("kind").is_string())
        refuseSpec("The field \"kind\" is not a text; give the kind of experiment that the spec asks for.");
    if (!has(spec, "schema"))
        return;
    const json &schema = spec.at("schema");
    if (!schema.is_number_integer() || schema < 1)
        refuseSpec("The field \"schema\" is " + shown(schema) + " but must be " + std::to_string(specSchema) + ".");
    if (schema > specSchema)
        refuseSpec("The spec was written for schema " + shown(schema) + " but this program knows schema " + std::to_string(specSchema) + "; use a newer version.");
}

json complete(const json &spec, const std::string &path)
{
    const std::vector<std::string> header{"kind", "schema"};
    json given = unpackSelection(spec);
    given.erase("schema");
    json completed = completeFields(given, kindSchema(spec.at("kind").get<std::string>()).fields, path, header);
    completed["schema"] = specSchema;
    completeKind(given, completed, path);
    return completed;
}

/// A "stage:TASK" in a field that takes an artifact must name one of `tasks`.
void checkReferences(const json &spec, const std::vector<std::string> &tasks)
{
    for (const char *name : {"teacher", "model", "init", "scores"}) {
        if (!has(spec, name) || !spec.at(name).is_string())
            continue;
        const std::string task = stageReference(spec.at(name).get<std::string>());
        if (task.empty() || std::find(tasks.begin(), tasks.end(), task) != tasks.end())
            continue;
        const std::string nearest = nearestName(task, tasks);
        refuseSpec("The field \"" + std::string(name) + "\" is " + shown(spec.at(name)) + " but names no earlier stage of a pipeline" +
               (nearest.empty() ? "." : "; did you mean \"stage:" + nearest + "\"?"));
    }
}

void completeStages(json &pipeline)
{
    static const std::array<const char *, 5> inherited{"seed", "device", "compute_type", "threads", "checkpoint_interval_seconds"};
    if (pipeline.at("stages").empty())
        refuseSpec("The field \"stages\" is empty but a pipeline needs at least one stage.");
    std::vector<std::string> tasks;
    for (std::size_t i = 0; i < pipeline.at("stages").size(); ++i) {
        json &stage = pipeline["stages"][i];
        const std::string path = "stages[" + std::to_string(i) + "].";
        const auto task = stage.at("task").get<std::string>();
        if (task.empty() || task.size() > 100 || std::find(tasks.begin(), tasks.end(), task) != tasks.end())
            refuseSpec("The field \"" + path + "task\" is " + shown(stage.at("task")) + " but must be a name of 1 to 100 bytes that no other stage has.");
        json spec = stage.at("spec");
        for (const char *name : inherited) {
            if (!has(spec, name))
                spec[name] = pipeline.at(name);
        }
        checkHeader(spec);
        if (spec.at("kind") == "pipeline")
            refuseSpec("The field \"" + path + "spec.kind\" is \"pipeline\" but pipelines do not nest.");
        stage["spec"] = complete(spec, path + "spec.");
        checkReferences(stage.at("spec"), tasks);
        tasks.push_back(task);
    }
}

}  // namespace

json unpackSelection(json spec)
{
    if (spec.value("kind", json()) != json("distill") || !has(spec, "keep") || !spec.at("keep").is_object())
        return spec;
    const json selection = spec.at("keep");
    const std::array<std::string, 3> names{"keep", "mixer", "options"};
    for (const auto &[name, value] : selection.items()) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            const std::string nearest = nearestName(name, {names.begin(), names.end()});
            refuseSpec("There is no field " + shown(json("keep." + name)) + (nearest.empty() ? "; the fields here are keep, mixer, options: choose one." : "; did you mean \"keep." + nearest + "\"?"));
        }
    }
    if (!has(selection, "keep"))
        refuseSpec("The field \"keep.keep\" is missing; give a list of different whole numbers.");
    spec["keep"] = selection.at("keep");
    if (!has(selection, "mixer") && !has(selection, "options"))
        return spec;
    if (has(spec, "mixer"))
        refuseSpec("The fields \"keep.mixer\" and \"mixer\" both name a mixer; give one of them.");
    spec["mixer"] = json::object();
    if (has(selection, "mixer"))
        spec["mixer"]["kind"] = selection.at("mixer");
    if (has(selection, "options"))
        spec["mixer"]["options"] = selection.at("options");
    return spec;
}

json completeSpec(const json &spec)
{
    checkHeader(spec);
    json completed = complete(spec, "");
    checkReferences(completed, {});
    static_cast<void>(canonicalJson(completed));       // refuses what JSON cannot hold: texts that are not UTF-8, numbers that are not finite
    return completed;
}

json readSpec(const std::string &path)
{
    const std::string what = "The spec \"" + path + "\"";
    const json spec = parseJson(readTextFile(path, maximumSpecBytes, what), what);
    try {
        return completeSpec(spec);
    } catch (const Error &error) {
        throw Error(error.code(), what + " is wrong: " + error.what(), error.detail());
    }
}

json alignmentSpec(const json &completedSpec)
{
    if (!has(completedSpec, "alignment"))
        refuseSpec("The spec holds no stage 1 of its own: it starts from \"init\".");
    json spec = completedSpec.at("alignment");
    for (const char *name : {"teacher", "mixer", "seed", "device", "compute_type", "threads", "checkpoint_interval_seconds"})
        spec[name] = completedSpec.at(name);
    if (!has(spec, "data"))
        spec["data"] = completedSpec.at("data");
    spec["kind"] = "align";
    return completeSpec(spec);
}

void leaveOutSwitchedOff(json &spec)
{
    const std::string kind = textIn(spec, "kind");
    const auto schema = std::find_if(kinds().begin(), kinds().end(), [&](const KindSchema &one) { return one.kind == kind; });
    if (schema == kinds().end())
        return;
    for (const Field &field : schema->fields)
        if (field.optional && field.type == FieldType::Object && has(spec, field.name) && spec.at(field.name).is_object() && spec.at(field.name).value("enabled", json()) == json(false))
            spec.erase(field.name);
    if (spec.contains("stages") && spec.at("stages").is_array())
        for (json &stage : spec.at("stages"))
            if (stage.is_object() && stage.contains("spec"))
                leaveOutSwitchedOff(stage.at("spec"));
}

std::string stageReference(const std::string &value)
{
    const std::string prefix = "stage:";
    return value.compare(0, prefix.size(), prefix) == 0 ? value.substr(prefix.size()) : std::string();
}

}  // namespace stillroom::experiment
