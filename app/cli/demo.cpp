// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/demo.h"

#include "analysis/intervals.h"
#include "commands.h"
#include "demotable.h"
#include "error.h"
#include "experiment/spec.h"
#include "folders.h"
#include "formatted.h"
#include "jobs/run.h"
#include "procedures/modelargument.h"
#include "procedures/procedures.h"
#include "progressline.h"
#include "store/recorder.h"

#include <nlohmann/json.hpp>

#include <cerrno>      // program_invocation_name
#include <iostream>
#include <map>

namespace stillroom::cli {
namespace {

/// What one seed gave: the scores, and the measures of each set.
struct SeedResult {
    std::uint64_t seed = 0;
    std::string run;                         ///< UUID
    nlohmann::json score;
    std::vector<nlohmann::json> finals;      ///< in the order of demoSets
};

SeedResult fromPipeline(const nlohmann::json &result, const std::vector<procedures::DemoSet> &sets)
{
    SeedResult seed{};
    seed.score = result.at("stages").at("score").at("result");
    for (const procedures::DemoSet &set : sets) {
        const nlohmann::json &stage = result.at("stages").at(set.name).at("result");
        seed.finals.push_back({{"name", set.name}, {"selected", stage.at("selected")}, {"measures", stage.at("measures")}, {"model", stage.at("model")}});
    }
    return seed;
}

experiment::Event runSeed(std::uint64_t seed, int numRandom, const DemoCommand &command, const std::filesystem::path &workspace, store::Recorder &recorder,
                          const jobs::Procedure &procedure, std::stop_token stop)
{
    ProgressLine progress;
    jobs::RunContext context;
    context.workspace = workspace;
    context.run = jobs::newUuid();
    context.stop = std::move(stop);
    context.resume = !command.fresh;
    context.fresh = command.fresh;
    return jobs::run(experiment::completeSpec(procedures::demoPipeline(seed, numRandom)), context, procedure, [&](const experiment::Event &event) {
        if (command.events)
            std::cout << experiment::toLine(event) << std::endl;
        progress.show(event);
        recorder.notice(event.run);
    });
}

double recallOf(const nlohmann::json &final)
{
    return final.at("measures").at("recall").get<double>();
}

/// Recall of GA-S2 minus that of another set, seed by seed.
nlohmann::json comparison(const std::vector<SeedResult> &seeds, std::size_t other)
{
    std::vector<double> chosen, compared;
    for (const SeedResult &seed : seeds) {
        chosen.push_back(recallOf(seed.finals.front()));
        compared.push_back(recallOf(seed.finals[other]));
    }
    nlohmann::json json = {{"set", seeds.front().finals[other].at("name")}, {"n", seeds.size()}};
    const analysis::Interval interval = analysis::pairedInterval(chosen, compared);
    json["recall_difference"] = interval.mean;
    if (interval.n > 1)
        json["interval_95"] = {interval.low, interval.high};
    return json;
}

nlohmann::json summary(const std::vector<SeedResult> &seeds)
{
    const SeedResult &first = seeds.front();
    nlohmann::json json = {{"scores", first.score.at("scores")}, {"ranking", first.score.at("ranking")}, {"selected", first.finals.front().at("selected")}};
    if (first.score.contains("all_linear"))
        json["all_linear"] = first.score.at("all_linear");
    json["seeds"] = nlohmann::json::array();
    for (const SeedResult &seed : seeds)
        json["seeds"].push_back({{"seed", seed.seed}, {"run", seed.run}, {"ranking", seed.score.at("ranking")}, {"finals", seed.finals}});
    json["comparisons"] = nlohmann::json::array();
    for (std::size_t other = 1; other < first.finals.size(); ++other)
        json["comparisons"].push_back(comparison(seeds, other));
    return json;
}

}  // namespace

int demo(const DemoCommand &command, std::stop_token stop)
{
    const std::filesystem::path workspace = workspaceOr(command.workspace);
    (void)procedures::openModelArgument("demo");      // without it no run is to be kept that could only fail
    const int numRandom = command.seeds > 1 ? 5 : 1;
    store::Recorder recorder(workspace);
    const jobs::Procedure procedure = procedures::allProcedures();
    std::vector<SeedResult> seeds;
    for (int i = 1; i <= command.seeds; ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        const experiment::Event last = runSeed(seed, numRandom, command, workspace, recorder, procedure, stop);
        if (const auto *failed = std::get_if<experiment::Failed>(&last.body))
            return exitStatus(codeFromName(failed->code));
        if (std::holds_alternative<experiment::Cancelled>(last.body))
            return exitStatus(ErrorCode::Cancelled);
        seeds.push_back(fromPipeline(nlohmann::json::parse(std::get<experiment::Finished>(last.body).resultJson), procedures::demoSets(seed, numRandom)));
        seeds.back().seed = seed;
        seeds.back().run = last.run;
    }
    recorder.flush();
    const nlohmann::json total = summary(seeds);
    if (command.json)
        std::cout << documentText(total) << '\n';
    else
        printDemo(total, program_invocation_name, command.workspace.string(), std::cout);
    return 0;
}

}  // namespace stillroom::cli
