// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged specs: what is no JSON is refused with status 4, what says something wrong with 2.
#include "damagedjson.h"
#include "wholefiles.h"

#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

namespace fs = std::filesystem;

json trainingSpec(const char *kind)
{
    return {{"kind", kind}, {"schema", 1}, {"name", "a spec"}, {"teacher", "model"}, {"mixer", {{"kind", "gdn"}, {"options", json::object()}}}, {"steps", 10}, {"batch_sequences", 2}, {"seed", 3},
            {"device", "cpu"}, {"compute_type", "float32"}, {"threads", 1},
            // A task that fits the model, for its cost is refused where the run itself would be.
            {"data", {{"source", "recall-task"}, {"sequence_length", 32}, {"recall", {{"num_keys", 8}, {"num_values", 8}, {"num_fillers", 8}, {"pairs", 3}}}}}};
}

json distillSpec()
{
    json spec = trainingSpec("distill");
    spec["keep"] = {0};
    return spec;
}

json anySpec(Draw &draw)
{
    const json aligned = trainingSpec("align"), scored = trainingSpec("score");
    const json pipeline{{"kind", "pipeline"}, {"stages", {{{"task", "align"}, {"spec", aligned}}, {{"task", "score"}, {"spec", scored}}}}};
    return draw.oneOf(std::vector<json>{aligned, scored, distillSpec(), pipeline, {{"kind", "train-teacher"}, {"steps", 10}}, {{"kind", "evaluate"}, {"model", "model"}, {"seed", 1}},
                                        {{"kind", "generate"}, {"model", "model"}, {"prompt", "hello"}, {"seed", 1}}});
}

void furnishSpec(const fs::path &sandbox, const json &spec)
{
    whole::writeModel(sandbox / "model");
    writePlain(sandbox / "spec.json", spec.dump(1));
}

}  // namespace

TEST_CASE("the program meets damaged specs of every kind")
{
    meetHostileFiles({.name = "spec",
                      .seed = 31,
                      .file = "spec.json",
                      .furnish = [](const fs::path &sandbox) { furnishSpec(sandbox, trainingSpec("align")); },
                      .kinds = damagedJson(anySpec),
                      .calls = {{"run", "@spec.json", "--print-spec"}},
                      .refusals = {2, 4},
                      .isJson = true});
}

TEST_CASE("the program meets damaged specs whose cost it is asked for")
{
    meetHostileFiles({.name = "estimated spec",
                      .seed = 32,
                      .file = "spec.json",
                      .furnish = [](const fs::path &sandbox) { furnishSpec(sandbox, trainingSpec("align")); },
                      .kinds = damagedJson([](Draw &draw) { return draw.oneOf(std::vector<json>{trainingSpec("align"), trainingSpec("score"), distillSpec()}); }),
                      .calls = {{"run", "@spec.json", "--dry-run"}, {"run", "@spec.json", "--dry-run", "--json"}},
                      .refusals = {2, 4},
                      .throughProgram = false,
                      .namesFile = false,
                      .isJson = true});
}

TEST_CASE("the program meets damaged specs that it is asked to run")
{
    meetHostileFiles({.name = "run spec",
                      .seed = 33,
                      .file = "spec.json",
                      .furnish = [](const fs::path &sandbox) { furnishSpec(sandbox, {{"kind", "inspect"}, {"schema", 1}, {"model", "model"}, {"attention", true}, {"text", "hello the"}, {"threads", 1}}); },
                      .kinds = damagedJson([](Draw &) -> json { return {{"kind", "inspect"}, {"schema", 1}, {"model", "model"}, {"attention", true}, {"text", "hello the"}, {"threads", 1}}; }),
                      .calls = {{"run", "@spec.json"}, {"run", "@spec.json", "--events"}},
                      .refusals = {2, 4},
                      .throughProgram = false,
                      .namesFile = false,
                      .isJson = true,
                      .recorded = "workspace"});
}
