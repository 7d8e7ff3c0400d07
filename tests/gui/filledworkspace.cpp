// SPDX-License-Identifier: GPL-3.0-or-later
#include "filledworkspace.h"

#include "storedcalibrations.h"
#include "storedscorings.h"
#include "store/lines.h"

namespace stillroom::test {

void writeDistillation(const std::filesystem::path &workspace, int number, const std::vector<int> &keep, int seed, const std::string &name, double kl)
{
    LineWriter writer(workspace, runName(number), goneProcess(), 1764480000.0 + 1000.0 * number);
    const nlohmann::json spec = {{"kind", "distill"}, {"name", name}, {"teacher", "demo"}, {"mixer", {{"kind", "gdn"}}}, {"keep", keep}, {"seed", seed}};
    writer.say(experiment::Started{.kind = "distill", .key = "k" + std::to_string(number), .specJson = spec.dump(), .device = "cpu", .computeType = "float32", .version = "0.1.0"}, "distill");
    for (int step = 1; step <= 40; ++step)
        for (const char *series : {"distill/kl", "distill/held_out_kl"})
            writer.say(experiment::Metric{series, step, step * 100LL, kl + (series == std::string("distill/kl") ? 2.0 : 1.5) / step, "nats/token"}, "distill");
    const nlohmann::json measures = {{"kl_nats", kl}, {"se_nats", 0.01}, {"n", 64}, {"recall", 1.0 - kl}};
    writer.say(experiment::Finished{.resultJson = nlohmann::json{{"kind", "distill"}, {"selected", keep}, {"mixer", "gdn"}, {"measures", measures}}.dump(), .seconds = 1.0}, "distill");
}

void fillWorkspace(const std::filesystem::path &workspace)
{
    for (int number = 1; number <= 2; ++number) {
        std::vector<experiment::LayerScore> evaluations;
        for (int evaluation = 1; evaluation <= 3; ++evaluation)
            for (int layer = 0; layer < 6; ++layer)
                evaluations.push_back(klScore(number == 1 ? "ga-s2" : "zero-shot-ga", layer, 0.4 + 0.07 * ((layer * (number == 1 ? 5 : 3) + evaluation) % 7), 0.01, 15360LL * evaluation));
        writeScoring(workspace, number, evaluations, number);
    }
    for (int i = 0; i < 4; ++i)
        writeDistillation(workspace, 10 + i, i < 3 ? std::vector<int>{3, 4} : std::vector<int>{0, 1}, i < 3 ? i + 1 : 1, i < 3 ? "kept by GA-S2" : "first two layers", i < 3 ? 0.1 * (i + 1) : 0.3);
    writeCalibration(workspace, 20, commitCalibration(workspace, 20, madeUpReport(6, 2, 2).dump()));
}

}  // namespace stillroom::test
