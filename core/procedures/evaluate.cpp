// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "experiment/spec.h"
#include "procedures/finiteweights.h"
#include "procedures/measures.h"
#include "procedures/sharedvocabulary.h"
#include "procedures/stages.h"
#include "procedures/teacherstage.h"
#include "procedures/trainedrecall.h"

#include <nlohmann/json.hpp>

namespace stillroom::procedures {

StageResult evaluate(const nlohmann::json &spec, StageRun &run)
{
    const ComputeSettings settings = computeSettings(spec);
    const auto model = run.models->get(spec.at("model").get<std::string>(), run.workspace, settings.device, run.stop);
    requireFiniteWeights(*model, run.stop);
    std::shared_ptr<const LoadedModel> teacher;
    std::vector<std::string> inputs{model->hash};
    if (spec.contains("teacher")) {
        teacher = run.models->get(spec.at("teacher").get<std::string>(), run.workspace, settings.device, run.stop);
        requireFiniteWeights(*teacher, run.stop);
        checkTrainedRecall(spec.at("data"), teacher->files);      // the model's own is seen to where the data is opened
        inputs.push_back(teacher->hash);
    }
    for (const std::string &hash : dataHashes(spec.at("data"), model->files, run.stop))
        inputs.push_back(hash);
    const std::string key = experiment::stageKey(spec, inputs, settings.deviceClass(), settings.typeText());
    checkMeasures(spec, model->files);
    sayStarted(run, spec, key, settings);
    const auto warn = [&] {
        warnOfFiles(run, model->files);
        warnOfContext(run, spec, model->files.config, "model");
        if (!teacher)
            return;
        warnOfFiles(run, teacher->files);
        if (checkpoint::coveredPositions(teacher->files.config) != checkpoint::coveredPositions(model->files.config))
            warnOfContext(run, spec, teacher->files.config, "teacher");
    };
    StageResult made = reuseOrCompute(run, "evaluate", key, [&](const std::filesystem::path &) {
        const TrainingData data = openData(spec.at("data"), model->files, {1, spec.at("seed").get<std::uint64_t>(), model->files.config.vocabSize, {}, run.stop});
        if (teacher)
            checkSharedVocabulary(data.heldOut, model->files, teacher->files);
        warn();      // of what is measured, so after all that may refuse it
        warnOfUnknown(run, data);
        MeasureRequest request;
        request.measures = spec.at("measures").get<std::vector<std::string>>();
        if (!teacher)
            std::erase(request.measures, "kl");
        request.teacher = teacher ? &teacher->model : nullptr;
        request.headBudgetBytes = spec.at("kl_budget_mb").get<std::int64_t>() << 20;
        request.window = spec.at("window").get<std::int64_t>();
        request.stride = spec.at("stride").get<std::int64_t>();
        request.settings = settings;
        request.stop = run.stop;
        request.warn = [&](std::string warning) { run.sink(experiment::Warning{std::move(warning)}); };
        const nlohmann::json measures = measure(model->model, data, request);
        for (const auto &[name, value] : measures.items())
            if (value.is_number())
                run.sink(experiment::Metric{"evaluate/" + name, 0, 0, value.get<double>(), name.ends_with("nats") ? "nats/token" : ""});
        return nlohmann::json{{"kind", "evaluate"}, {"measures", measures}};
    });
    if (made.reused)
        warn();
    return made;
}

}  // namespace stillroom::procedures
