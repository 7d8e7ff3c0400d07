// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "procedures/attentionsummary.h"
#include "procedures/finiteweights.h"
#include "procedures/modelargument.h"
#include "procedures/modeldescription.h"
#include "procedures/stages.h"
#include "procedures/teacherstage.h"

#include <nlohmann/json.hpp>

namespace stillroom::procedures {

StageResult inspect(const nlohmann::json &spec, StageRun &run)
{
    const bool computes = spec.at("attention").get<bool>();      // otherwise it may run beside what does
    const ComputeSettings settings = computes ? computeSettings(spec) : statedSettings(spec);
    const auto name = spec.at("model").get<std::string>();
    const checkpoint::ModelFiles files = openModelArgument(name, run.workspace);
    const std::string text = spec.value("text", std::string()), tokens = spec.value("tokens_file", std::string());
    if (computes)
        checkAttentionInput(text, tokens);
    sayStarted(run, spec, "", settings);
    warnOfFiles(run, files);
    nlohmann::json description = describe(files, [&run, computes](std::int64_t done, std::int64_t total) {
        if (run.stop.stop_requested())
            throw Error(ErrorCode::Cancelled, "opening the model was cancelled");
        if (!computes)      // what the attention is measured on may still be refused, in one sentence
            run.sink(experiment::Progress{"description", done, total, 0, 0.0, {}});
    });
    if (name == "demo")
        description["name"] = "Demo teacher";
    if (computes) {
        const auto model = run.models->get(name, run.workspace, settings.device, run.stop);
        requireFiniteWeights(*model, run.stop);
        description["layers"] = attentionSummary(*model, text, tokens, settings, [&run](std::string warning) { run.sink(experiment::Warning{std::move(warning)}); }, run.stop);
    }
    // A description is quick to make and belongs to no stage: nothing is stored but the run itself.
    return {"", {}, std::make_shared<nlohmann::json>(std::move(description)), false};
}

}  // namespace stillroom::procedures
