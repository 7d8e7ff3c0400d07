// SPDX-License-Identifier: GPL-3.0-or-later
// bench_draggingk: what a window computes when K is dragged, on 48 layers, 64 sequences and 2000 bootstrap draws. Once per data: the draws, the curve of
// agreement with another ranking, the elbow. For every K: each layer's chance, the margin, the tie band, the chance of the set. Milliseconds of
// processor time, medians, JSON on standard output; a frame is 16 ms.
#include "analysis/agreementcurve.h"
#include "analysis/bootstrapranks.h"
#include "analysis/klcurve.h"
#include "analysis/margin.h"
#include "randomstream.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <iostream>

namespace {

using namespace stillroom;
using namespace stillroom::analysis;

struct Setting {
    int layers = 48, sequences = 64, draws = 2000, rounds = 15;
};

double processorMs()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

template <typename Work>
double medianMs(int rounds, Work &&work)
{
    std::vector<double> times;
    for (int round = 0; round <= rounds; ++round) {
        const double start = processorMs();
        work();
        if (round > 0)              // the first is a warm-up
            times.push_back(processorMs() - start);
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    return times[times.size() / 2];
}

LayerSamples madeUp(const Setting &setting, std::uint64_t seed)
{
    RandomStream random(seed);
    std::vector<std::vector<double>> values_LS;
    for (int layer = 0; layer < setting.layers; ++layer) {
        values_LS.emplace_back();
        for (int s = 0; s < setting.sequences; ++s)
            values_LS.back().push_back(0.3 + 0.01 * layer + 0.2 * random.uniform());
    }
    return LayerSamples(std::move(values_LS));
}

/// All that changes with K; the sum keeps the compiler from leaving it out.
double everythingAt(int keep, const LayerSamples &samples, const experiment::Ranking &ranking, const BootstrapRanks &ranks)
{
    const experiment::LayerSet set = experiment::topLayers(ranking, keep);
    double sum = boundaryMargin(samples, ranking, keep).inStandardErrors + static_cast<double>(tieBand(samples, ranking, keep).size()) + ranks.chanceOfSet(set) + ranks.meanJaccard(set);
    for (int layer = 0; layer < samples.numLayers(); ++layer)
        sum += ranks.chanceOfTop(layer, keep);
    return sum;
}

}  // namespace

int main(int argc, char **argv)
{
    Setting setting;
    CLI::App app{"What a window computes when K is dragged"};
    app.add_option("--layers", setting.layers, "L")->check(CLI::Range(3, 10000))->capture_default_str();
    app.add_option("--sequences", setting.sequences, "Held-out sequences")->check(CLI::Range(2, 100000))->capture_default_str();
    app.add_option("--draws", setting.draws, "Of the bootstrap")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--rounds", setting.rounds, "Each time is the median of so many")->check(CLI::PositiveNumber)->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    const LayerSamples samples = madeUp(setting, 1), others = madeUp(setting, 2);
    const experiment::Ranking ranking = samples.ranking();
    const BootstrapRanks ranks(samples, setting.draws), otherRanks(others, setting.draws);
    double sum = 0.0, slowest = 0.0;
    for (int keep = 1; keep < setting.layers; ++keep)
        slowest = std::max(slowest, medianMs(setting.rounds, [&] { sum += everythingAt(keep, samples, ranking, ranks); }));
    const double draws = medianMs(setting.rounds, [&] { sum += BootstrapRanks(samples, setting.draws).chanceOfTop(0, 1); });
    const double curve = medianMs(setting.rounds, [&] { sum += agreementCurve(ranking, others.ranking(), ranks, otherRanks).front().jaccard; });
    const double bend = medianMs(setting.rounds, [&] { sum += elbow(additivePrediction(samples, samples.values(0), ranking), setting.draws).has_value() ? 1.0 : 0.0; });
    std::cout << nlohmann::json{{"benchmark", "draggingk"}, {"layers", setting.layers}, {"sequences", setting.sequences}, {"draws", setting.draws}, {"slowest_k_ms", slowest},
                                {"once_ms", {{"bootstrap", draws}, {"agreement_curve", curve}, {"elbow", bend}}}, {"checksum", sum}}.dump(1)
              << '\n';
    return 0;
}
