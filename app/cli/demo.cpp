// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/demo.h"

#include "analysis/intervals.h"
#include "commands.h"
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

#include <cstdio>
#include <iostream>
#include <map>

namespace stillroom::cli {
namespace {

/// What one seed gave: the scores, and the measures of each set.
struct SeedResult {
    nlohmann::json score;
    std::vector<nlohmann::json> finals;      ///< in the order of demoSets
};

SeedResult fromPipeline(const nlohmann::json &result, const std::vector<procedures::DemoSet> &sets)
{
    SeedResult seed;
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
        json["seeds"].push_back({{"ranking", seed.score.at("ranking")}, {"finals", seed.finals}});
    json["comparisons"] = nlohmann::json::array();
    for (std::size_t other = 1; other < first.finals.size(); ++other)
        json["comparisons"].push_back(comparison(seeds, other));
    return json;
}

void printTable(const std::vector<SeedResult> &seeds, const nlohmann::json &total)
{
    std::printf("\nKL of the student that keeps one layer (first seed, nats/token)\n");
    for (const nlohmann::json &score : total.at("scores"))
        std::printf("  layer %d  %.4f ± %s\n", score.at("layer").get<int>(), score.at("kl_nats").get<double>(), numberText(score.at("se_nats")).c_str());
    std::printf("\n%-14s  %-8s  %7s  %7s  %9s\n", "chosen by", "layers", "recall", "filler", "KL/nats");
    for (std::size_t i = 0; i < seeds.front().finals.size(); ++i)
        for (const SeedResult &seed : seeds) {
            const nlohmann::json &final = seed.finals[i], &measures = final.at("measures");
            std::printf("%-14s  %-8s  %7.3f  %7.3f  %9.4f\n", final.at("name").get<std::string>().c_str(), final.at("selected").dump().c_str(), recallOf(final),
                        measures.at("filler_accuracy").get<double>(), measures.at("kl_nats").get<double>());
        }
    if (seeds.size() < 2)
        return;
    std::printf("\nrecall of GA-S2 minus …  (mean over %zu seeds, 95 %% t-interval)\n", seeds.size());
    for (const nlohmann::json &one : total.at("comparisons"))
        std::printf("%-14s  %+.3f  [%+.3f, %+.3f]\n", one.at("set").get<std::string>().c_str(), one.at("recall_difference").get<double>(),
                    one.at("interval_95")[0].get<double>(), one.at("interval_95")[1].get<double>());
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
    }
    recorder.flush();
    const nlohmann::json total = summary(seeds);
    if (command.json)
        std::cout << documentText(total) << '\n';
    else
        printTable(seeds, total);
    return 0;
}

}  // namespace stillroom::cli
