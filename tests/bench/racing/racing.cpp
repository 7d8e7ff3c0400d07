// SPDX-License-Identifier: GPL-3.0-or-later
// bench_racing: how often stopping early chooses the layers that the full run chooses, and what it saves. Streams of normal noise with known gaps at the
// K boundary, and streams resampled from a stored scoring run. Deterministic; JSON on standard output.
#include "analysis/margin.h"
#include "error.h"
#include "streams.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>

namespace {

using namespace stillroom;
using namespace stillroom::racing;
using nlohmann::json;
using Layout = GaussianSetting::Layout;

struct Setting {
    int runs = 400;
    std::uint64_t seed = 1;
    double error = 0.05;
    std::vector<std::string> stored;
    std::vector<int> every{1};
    bool onlyStored = false;
};

constexpr Rule rules[] = {Rule::Stable, Rule::StableApart, Rule::Race, Rule::RaceWithoutDrift};

/// Means over runs; SE of the agreement is that of a share.
struct Tally {
    int runs = 0, agreements = 0, settled = 0;
    double tokens = 0.0;
    void add(const Outcome &outcome)
    {
        ++runs;
        agreements += outcome.agrees ? 1 : 0;
        settled += outcome.claimsSettled ? 1 : 0;
        tokens += outcome.tokenShare;
    }
    [[nodiscard]] json report() const
    {
        const double agreement = static_cast<double>(agreements) / runs;
        return {{"runs", runs}, {"agreement", agreement}, {"agreement_se", std::sqrt(agreement * (1.0 - agreement) / runs)}, {"token_share", tokens / runs}, {"said_settled", static_cast<double>(settled) / runs}};
    }
};

template <typename MakeStream>
json simulate(const json &what, const Setting &setting, const std::string &purpose, MakeStream &&makeStream)
{
    Tally tallies[std::size(rules)];
    for (int run = 0; run < setting.runs; ++run) {
        RandomStream random(seedFor(setting.seed, purpose, 0, run));
        const Stream stream = makeStream(random);
        for (std::size_t i = 0; i < std::size(rules); ++i)
            tallies[i].add(follow(stream, rules[i], setting.error));
    }
    json report = what;
    for (std::size_t i = 0; i < std::size(rules); ++i)
        report["rules"][ruleName(rules[i])] = tallies[i].report();
    return report;
}

json gaussian(const Setting &setting)
{
    json reports = json::array();
    for (const auto &[layout, name] : {std::pair{Layout::Ladder, "ladder"}, std::pair{Layout::Spread, "spread"}, std::pair{Layout::Block, "block"}})
        for (const double gap : {0.5, 1.0, 2.0, 4.0})
            for (const auto &[persistence, growing, drift] : {std::tuple{0.0, false, 0.0}, std::tuple{0.0, true, 0.0}, std::tuple{0.9, false, 0.0}, std::tuple{0.9, true, 0.0}, std::tuple{0.9, true, 1.0}}) {
                    GaussianSetting one;
                    one.layout = layout;
                    one.gap = gap;
                    one.persistence = persistence;
                    one.growing = growing;
                    one.drift = drift;
                    reports.push_back(simulate({{"layout", name}, {"gap_se", gap}, {"persistence", persistence}, {"growing", growing}, {"drift_se", drift}, {"layers", one.numLayers}, {"keep", one.keep},
                                                {"evaluations", one.numEvaluations}, {"sequences", one.numSequences}},
                                               setting, "racing", [&](RandomStream &random) { return gaussianStream(one, random); }));
                }
    return reports;
}

json storedRun(const Setting &setting, const Stream &stored)
{
    json reports = json::array();
    for (int keep = 1; keep < stored.numLayers(); ++keep) {
        const analysis::LayerSamples last(stored.kl_ELS.back());
        const double gap = analysis::boundaryMargin(last, last.ranking(), keep).inStandardErrors;
        reports.push_back(simulate({{"keep", keep}, {"gap_se", gap}, {"layers", stored.numLayers()}, {"evaluations", stored.numEvaluations()}}, setting, "racing stored",
                                   [&](RandomStream &random) { return resampled(stored, keep, random); }));
    }
    return reports;
}

}  // namespace

int main(int argc, char **argv)
{
    Setting setting;
    CLI::App app{"Racing and stopping rules on simulated and resampled scoring runs"};
    app.add_option("--runs", setting.runs, "Streams for each setting")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--seed", setting.seed, "Of the streams")->capture_default_str();
    app.add_option("--error", setting.error, "Of the race")->check(CLI::Range(1e-6, 0.5))->capture_default_str();
    app.add_option("--stored", setting.stored, "curves.json of score stages");
    app.add_option("--every", setting.every, "Race on every n-th of their evaluations")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_flag("--only-stored", setting.onlyStored, "Leave out the streams of normal noise");
    CLI11_PARSE(app, argc, argv);
    try {
        json report = {{"benchmark", "racing"}, {"seed", setting.seed}, {"error", setting.error}, {"gaussian", setting.onlyStored ? json() : gaussian(setting)}};
        for (const std::string &file : setting.stored)
            for (const int every : setting.every)
                if (const Stream stored = storedStream(file); every <= stored.numEvaluations())
                    report["stored"][file + (every > 1 ? ", every " + std::to_string(every) : "")] = storedRun(setting, thinned(stored, every));
        std::cout << report.dump(1) << '\n';
        return 0;
    } catch (const Error &error) {
        std::cerr << "bench_racing: " << error.what() << '\n';
        return exitStatus(error.code());
    }
}
