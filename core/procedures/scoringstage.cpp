// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/scoringstage.h"

#include "error.h"
#include "experiment/score.h"
#include "procedures/selectors.h"

#include <numeric>
#include <string>

namespace stillroom::procedures {
namespace {

std::vector<int> scoredLayers(const nlohmann::json &spec, int numLayers)
{
    const auto given = spec.at("layers").get<std::vector<int>>();
    if (!given.empty())
        return experiment::validLayerSet(given, numLayers);
    std::vector<int> all(static_cast<std::size_t>(numLayers));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace

ScoringPlan scoringPlan(const nlohmann::json &spec, const LoadedModel &teacher)
{
    const nlohmann::json &data = spec.at("data");
    nlohmann::json full = withSelectorFields(spec);
    if (const int skipped = full.value("skip_first", 0); skipped > teacher.files.config.numLayers)
        throw Error(ErrorCode::Usage, "The field \"skip_first\" is " + std::to_string(skipped) + " but the teacher has " + std::to_string(teacher.files.config.numLayers) + " layers.");
    return {std::move(full), teacher, scoredLayers(spec, teacher.files.config.numLayers),
            data.at("held_out_sequences").get<std::int64_t>() * data.at("sequence_length").get<std::int64_t>()};
}

distillation::HeldOutOptions heldOutOptions(const ScoringStage &stage, const StageRun &run)
{
    distillation::HeldOutOptions options;
    options.computeType = stage.settings.computeType;
    options.headBudgetBytes = stage.spec.at("kl_budget_mb").get<std::int64_t>() * 1024 * 1024;
    options.stop = run.stop;
    return options;
}

}  // namespace stillroom::procedures
