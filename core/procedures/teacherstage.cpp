// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/teacherstage.h"

#include "error.h"
#include "experiment/spec.h"
#include "folders.h"
#include "mixers/registry.h"
#include "procedures/stages.h"
#include "store/layout.h"
#include "version.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace stillroom::procedures {
namespace {

/// A result must not say one mixer and hold another. Options are compared as completed.
void refuseOtherMixers(const nlohmann::json &spec, const AlignedArtifact &init, const checkpoint::ModelConfig &teacher)
{
    const auto kind = spec.at("mixer").at("kind").get<std::string>();
    if (init.mixerKind != kind)
        throw Error(ErrorCode::Usage, "init holds " + init.mixerKind + " mixers but mixer.kind is " + kind + ": give mixer.kind as it was there");
    const nlohmann::json wanted = nlohmann::json::parse(mixers::completeOptions(kind, mixerOptionsJson(spec), teacher));
    const nlohmann::json held = nlohmann::json::parse(mixers::completeOptions(kind, init.optionsJson, teacher));
    for (const auto &[name, value] : wanted.items())
        if (held.value(name, nlohmann::json()) != value)
            throw Error(ErrorCode::Usage, "init holds mixers whose " + name + " is " + held.value(name, nlohmann::json()).dump() + " but the spec's is " + value.dump() + ": give mixer as it was there");
}

}  // namespace

std::string mixerOptionsJson(const nlohmann::json &spec)
{
    nlohmann::json options = spec.at("mixer").at("options");
    options["expand"] = spec.at("mixer").at("expand");
    return options.dump();
}

nlohmann::json withMixerOptions(const nlohmann::json &spec, const checkpoint::ModelConfig &teacher)
{
    nlohmann::json full = spec;
    nlohmann::json options = nlohmann::json::parse(mixers::completeOptions(spec.at("mixer").at("kind").get<std::string>(), mixerOptionsJson(spec), teacher));
    options.erase("expand");   // stands beside the options in a spec
    full["mixer"]["options"] = std::move(options);
    return full;
}

void sayStarted(const StageRun &run, const nlohmann::json &spec, const std::string &key, const ComputeSettings &settings)
{
    experiment::Started started;
    started.kind = spec.at("kind").get<std::string>();
    started.key = key;
    started.specJson = spec.dump();
    started.device = settings.deviceText();
    started.computeType = settings.typeText();
    started.threads = settings.threads;
    started.resumed = run.resume;
    started.version = versionText;
    run.sink(started);
}

void warnOfFiles(const StageRun &run, const checkpoint::ModelFiles &files)
{
    if (!files.warning.empty())
        run.sink(experiment::Warning{files.warning});
}

void warnOfContext(const StageRun &run, const nlohmann::json &spec, const checkpoint::ModelConfig &config, const std::string &whose)
{
    const auto length = spec.at("data").at("sequence_length").get<std::int64_t>();
    const std::int64_t covered = checkpoint::coveredPositions(config);
    if (covered > 0 && length > covered && !run.dataField.empty())
        run.sink(experiment::Warning{"The sequences of " + std::to_string(length) + " tokens are longer than the " + std::to_string(covered) + " that the " + whose + " was made for: set " + run.dataField +
                                     ".sequence_length to at most that, unless this is what you want to measure."});
}

void warnOfUnknown(const StageRun &run, const TrainingData &data)
{
    constexpr double noticeable = 0.05;
    if (data.unknownShare > noticeable && !run.dataField.empty())
        run.sink(experiment::Warning{"The model's tokenizer cannot spell " + std::to_string(std::lround(100.0 * data.unknownShare)) +
                                     " % of the held-out text: what is measured there says less of the model. Text that it was made for would say more."});
}

std::int64_t tokensPerStep(const nlohmann::json &spec)
{
    return spec.at("batch_sequences").get<std::int64_t>() * spec.at("data").at("sequence_length").get<std::int64_t>();
}

std::string alignKey(const nlohmann::json &spec, const LoadedModel &teacher, const ComputeSettings &settings, const std::stop_token &stop)
{
    std::vector<std::string> inputs{teacher.hash};
    for (const std::string &hash : dataHashes(spec.at("data"), teacher.files, stop))
        inputs.push_back(hash);
    if (spec.contains("init"))
        inputs.push_back("init " + spec.at("init").get<std::string>());
    return experiment::stageKey(withMixerOptions(spec, teacher.files.config), inputs, settings.deviceClass(), settings.typeText());
}

std::string calibrateKey(const nlohmann::json &full, const LoadedModel &teacher, const ComputeSettings &settings, const std::stop_token &stop)
{
    std::vector<std::string> inputs{teacher.hash};
    for (const std::string &hash : dataHashes(full.at("data"), teacher.files, stop))
        inputs.push_back(hash);
    return experiment::stageKey(full, inputs, settings.deviceClass(), settings.typeText());
}

nlohmann::json withKept(const nlohmann::json &spec, const experiment::LayerSet &keep, const checkpoint::ModelConfig &teacher)
{
    nlohmann::json full = withMixerOptions(spec, teacher);
    full["keep"] = keep;
    for (const char *choice : {"keep_count", "keep_percent", "scores"})
        full.erase(choice);
    return full;
}

std::string distillKey(const nlohmann::json &spec, const experiment::LayerSet &keep, const StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings)
{
    std::vector<std::string> inputs{teacher.hash, alignedKey(spec, run, teacher, settings)};
    for (const std::string &hash : dataHashes(spec.at("data"), teacher.files, run.stop))
        inputs.push_back(hash);
    return experiment::stageKey(withKept(spec, keep, teacher.files.config), inputs, settings.deviceClass(), settings.typeText());
}

std::string alignedKey(const nlohmann::json &spec, const StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings)
{
    if (!spec.contains("init"))
        return alignKey(experiment::alignmentSpec(spec), teacher, settings, run.stop);
    const auto init = spec.at("init").get<std::string>();
    if (run.stages().findStage(init))
        return init;
    if (isThere(run.workspace / "artifacts" / init))
        throw Error(ErrorCode::BadFile, "init names the artifact " + init.substr(0, 64) + ", of which files are missing or cut: run its align or calibrate stage again, which makes it anew");
    throw Error(ErrorCode::Usage, "init names the artifact " + init.substr(0, 64) + ", which is not in this workspace: run its align or calibrate stage, or leave init out");
}

AlignedArtifact givenStart(const nlohmann::json &spec, const StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings)
{
    const std::string key = alignedKey(spec, run, teacher, settings);
    const std::filesystem::path folder = store::artifactsFolder(run.workspace) / key;
    store::requireUnchanged(folder, run.stop);
    AlignedArtifact artifact = loadAligned(folder, teacher.files.config, teacher.hash, settings.device);
    refuseOtherMixers(spec, artifact, teacher.files.config);
    return artifact;
}

std::vector<distillation::AlignedLayer> chosenLayers(std::vector<distillation::AlignedLayer> layers, const std::vector<int> &wanted)
{
    if (wanted.empty())
        return layers;
    std::vector<distillation::AlignedLayer> chosen;
    for (const int layer : wanted) {
        const auto found = std::find_if(layers.begin(), layers.end(), [&](const distillation::AlignedLayer &one) { return one.layer == layer; });
        if (found == layers.end())
            throw Error(ErrorCode::Usage, "init holds no layer " + std::to_string(layer) + ": leave it out of layers, or make init with it");
        chosen.push_back(*found);
    }
    return chosen;
}

AlignedStart alignedStart(const nlohmann::json &spec, StageRun &run, const LoadedModel &teacher, const ComputeSettings &settings)
{
    if (spec.contains("init"))
        return {alignedKey(spec, run, teacher, settings), givenStart(spec, run, teacher, settings).layers};
    StageRun own = run.forTask("align");
    const nlohmann::json data = spec.at("alignment").value("data", nlohmann::json());
    own.dataField = data.is_object() && data != spec.at("data") ? "alignment.data" : "";
    const StageResult aligned = align(experiment::alignmentSpec(spec), own);
    return {aligned.key, loadAligned(aligned.folder, teacher.files.config, teacher.hash, settings.device).layers};
}

}  // namespace stillroom::procedures
