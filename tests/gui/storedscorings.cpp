// SPDX-License-Identifier: GPL-3.0-or-later
#include "storedscorings.h"

#include "experiment/jsontext.h"
#include "store/lines.h"

#include <cmath>

namespace stillroom::test {

void writeScoring(const std::filesystem::path &workspace, int number, const std::vector<experiment::LayerScore> &evaluations, std::int64_t seed,
                  const nlohmann::json &more, const std::string &result, const std::filesystem::path &curves)
{
    nlohmann::json spec{{"kind", "score"}, {"teacher", "demo"}, {"seed", seed}, {"selector", evaluations.front().selector}};
    if (!more.empty())
        spec.update(more);
    LineWriter writer(workspace, runName(number), goneProcess(), 1764480000.0 + 1000.0 * number);
    const std::string key = curves.empty() ? std::string() : "key-" + std::to_string(number);
    writer.say(experiment::Started{.kind = "score", .key = key, .specJson = spec.dump(), .device = "auto", .computeType = "auto", .version = "0.1.0"});
    for (const experiment::LayerScore &score : evaluations)
        writer.say(score);
    if (!curves.empty()) {
        std::filesystem::create_directories(workspace / "artifacts" / key);
        std::filesystem::copy_file(curves, workspace / "artifacts" / key / "curves.json");
        writer.say(experiment::Artifact{.role = "score", .hash = key, .path = "artifacts/" + key});
    }
    writer.say(experiment::Finished{.resultJson = result, .seconds = 1.0});
}

experiment::LayerScore klScore(const std::string &selector, int layer, double kl, double se, std::int64_t tokens)
{
    return {.selector = selector, .mixer = "gdn", .layer = layer, .score = kl, .klNats = kl, .se = se, .numSequences = 48, .tokens = tokens};
}

std::vector<experiment::LayerScore> measuredEvaluations(const std::filesystem::path &file, const std::string &selector)
{
    const auto json = experiment::parseJson(experiment::readTextFile(file.string(), std::size_t{16} << 20U, "The curves"), "The curves");
    std::vector<experiment::LayerScore> all;
    for (const nlohmann::json &curve : json.at("curves"))
        for (std::size_t evaluation = 0; evaluation < curve.at("tokens").size(); ++evaluation) {
            const auto values = curve.at("kl_nats").at(evaluation).get<std::vector<double>>();
            const auto count = static_cast<double>(values.size());
            double sum = 0.0, squares = 0.0;
            for (const double value : values)
                sum += value;
            for (const double value : values)
                squares += (value - sum / count) * (value - sum / count);
            all.push_back(klScore(selector, curve.at("layer").get<int>(), sum / count, std::sqrt(squares / (count - 1.0) / count), curve.at("tokens").at(evaluation).get<std::int64_t>()));
        }
    return all;
}

}  // namespace stillroom::test
