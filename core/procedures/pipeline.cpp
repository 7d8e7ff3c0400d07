// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "experiment/spec.h"
#include "procedures/initreference.h"
#include "procedures/procedures.h"
#include "procedures/selectors.h"
#include "procedures/stages.h"

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <utility>

namespace stillroom::procedures {
namespace {

/// "stage:TASK" anywhere in a spec becomes the key of that task's artifact.
void resolveReferences(nlohmann::json &value, const std::map<std::string, std::string> &keys)
{
    if (value.is_structured()) {
        for (nlohmann::json &inner : value)
            resolveReferences(inner, keys);
        return;
    }
    const std::string task = value.is_string() ? experiment::stageReference(value.get<std::string>()) : std::string();
    if (task.empty())
        return;
    const auto found = keys.find(task);
    if (found == keys.end())
        throw Error(ErrorCode::Usage, "\"stage:" + task + "\" names no earlier stage of this pipeline");
    value = found->second;
}

}  // namespace

StageResult pipeline(const nlohmann::json &spec, StageRun &run)
{
    std::map<std::string, std::string> keys;
    nlohmann::json stages = nlohmann::json::object();
    for (const nlohmann::json &stage : spec.at("stages")) {
        const auto task = stage.at("task").get<std::string>();
        nlohmann::json own = stage.at("spec");
        resolveReferences(own, keys);
        StageRun within = run.forTask(task);
        const StageResult result = runStage(own, within);
        within.sink(experiment::Finished{result.result->dump(), 0.0});
        keys[task] = result.key;
        stages[task] = {{"key", result.key}, {"reused", result.reused}, {"result", *result.result}};
    }
    return {"", {}, std::make_shared<nlohmann::json>(nlohmann::json{{"kind", "pipeline"}, {"stages", std::move(stages)}}), false};
}

StageResult runStage(const nlohmann::json &spec, StageRun &run)
{
    using Stage = StageResult (*)(const nlohmann::json &, StageRun &);
    static const std::map<std::string, Stage> stages = {{"train-teacher", trainTeacher}, {"inspect", inspect}, {"align", align}, {"calibrate", calibrate}, {"score", score},
                                                        {"distill", distill}, {"evaluate", evaluate}, {"generate", generate}, {"pipeline", pipeline}};
    const auto found = stages.find(spec.at("kind").get<std::string>());
    if (found == stages.end())
        throw Error(ErrorCode::Usage, "experiments of the kind " + spec.at("kind").dump() + " cannot be run by this version");
    return found->second(spec, run);
}

jobs::Procedure allProcedures()
{
    return allProcedures(std::make_shared<LoadedModels>());
}

jobs::Procedure allProcedures(std::shared_ptr<LoadedModels> loaded)
{
    return [models = std::move(loaded)](const nlohmann::json &given, jobs::RunContext &context) {
        checkSelectors(given);
        checkScorings(given, context.workspace);
        const nlohmann::json spec = withInitKeys(given, context.workspace);
        StageRun run{context.workspace, context.taskSink, context.sink, context.stop, context.resume, context.fresh, models.get()};
        const StageResult result = runStage(spec, run);
        nlohmann::json answer = *result.result;
        if (!result.key.empty())
            answer["key"] = result.key;
        return answer;
    };
}

}  // namespace stillroom::procedures
