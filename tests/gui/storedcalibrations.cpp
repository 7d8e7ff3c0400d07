// SPDX-License-Identifier: GPL-3.0-or-later
#include "storedcalibrations.h"

#include "experiment/digest.h"
#include "store/lines.h"
#include "store/stagecache.h"

#include <fstream>

namespace stillroom::test {

nlohmann::json madeUpReport(int layerCount, int headCount, int stateCount)
{
    nlohmann::json layers = nlohmann::json::array(), alignment = nlohmann::json::array(), alarms = nlohmann::json::array();
    for (int layer = 0; layer < layerCount; ++layer) {
        nlohmann::json queries = nlohmann::json::array(), states = nlohmann::json::array();
        for (int head = 0; head < headCount; ++head)
            queries.push_back({{"mean_distance_tokens", placeValue(layer, head) + 1.0}, {"distance_vs_uniform", 0.5}, {"sink_mass", 0.1}, {"entropy_nats", 1.0 + 0.01 * head}, {"relative_entropy", 0.3},
                               {"concentration", 0.5}, {"context_rms", 0.4}, {"output_rms", 0.2}, {"lag_share", {0.5, 0.25, 0.15, 0.1}}, {"entropy_by_position_nats", {nullptr, 0.0, 0.5, 1.0}}});
        const auto spread = [](double mean) { return nlohmann::json{{"mean", mean}, {"p10", mean / 2}, {"p50", mean}, {"p90", mean * 2}}; };
        for (int state = 0; state < stateCount; ++state)
            states.push_back({{"half_life_target_tokens", 8.0}, {"half_life_before_tokens", spread(4.0 + state)}, {"half_life_after_tokens", spread(8.0 + 2.0 * state)}, {"beta_target", 0.5}, {"beta_before", spread(0.4)},
                              {"beta_after", spread(0.5)}, {"sigma_raw", nullptr}, {"sigma", nullptr}, {"context_cosine_before", 0.1}, {"context_cosine_after", 0.6}, {"context_rms_before", 0.04},
                              {"context_rms_after", 0.03}});
        const nlohmann::json before{{"rms_ratio", 0.3}, {"relative_mse", 1.1}, {"cosine", 0.0}}, after{{"rms_ratio", 0.5}, {"relative_mse", 0.9}, {"cosine", 0.2}};
        layers.push_back({{"layer", layer}, {"attention", {{"sequences", 8}, {"tokens", 1024}, {"heads", queries}}}, {"heads", states}, {"before", before}, {"after", after}, {"gate_alpha", nullptr}});
        alignment.push_back({{"layer", layer}, {"relative_mse", 0.2}, {"cosine", 0.9}, {"best_step", 300}});
    }
    alarms.push_back({{"kind", "look-back"}, {"layer", layerCount - 1}, {"heads", {0}}, {"value", 0.5}, {"limit", 1.0}});
    alarms.push_back({{"kind", "write-target"}, {"layer", 1}, {"heads", {0, 1}}, {"value", 1.0}, {"limit", 0.05}});
    return {{"schema", 1}, {"arm", "both"}, {"sequences", 8}, {"sequence_length", 128}, {"layers", layers}, {"alignment", alignment}, {"alarms", alarms}};
}

std::string commitCalibration(const std::filesystem::path &workspace, int number, const std::string &reportText, const nlohmann::json &maps, int mapsLayer)
{
    const std::string key = experiment::sha256Hex("calibration " + std::to_string(number));
    const store::StageCache stages(workspace);
    const store::StageDraft draft = stages.beginStage(key);
    std::ofstream(draft.folder / "calibration.json") << reportText;
    if (!maps.is_null()) {
        std::filesystem::create_directory(draft.folder / "maps");
        std::ofstream(draft.folder / "maps" / (std::to_string(mapsLayer) + ".json")) << maps.dump();
    }
    (void)stages.commitStage(draft, {{"kind", "calibrate"}});
    return key;
}

void writeCalibration(const std::filesystem::path &workspace, int number, const std::string &key)
{
    LineWriter writer(workspace, runName(number), goneProcess(), 1764480000.0 + 1000.0 * number);
    const nlohmann::json spec{{"kind", "calibrate"}, {"teacher", "demo"}, {"arm", "both"}};
    const auto say = [&](experiment::EventBody body) { writer.say(std::move(body), "calibrate"); };
    say(experiment::Started{.kind = "calibrate", .key = key, .specJson = spec.dump(), .device = "cpu", .computeType = "float32", .version = {}});
    for (const int layer : {0, 1})
        for (int step = 1; step <= 5; ++step) {
            say(experiment::Metric{"calibrate/relative_mse/" + std::to_string(layer), step, step * 100, 1.0 / step, ""});
            say(experiment::Metric{"calibrate/cosine/" + std::to_string(layer), step, step * 100, 1.0 - 1.0 / step, ""});
        }
    say(experiment::Artifact{"calibration", key, "artifacts/" + key});
    say(experiment::Finished{.resultJson = nlohmann::json{{"kind", "calibrate"}, {"arm", "both"}, {"mixer", "gdn"}, {"key", key}}.dump(), .seconds = 1.0});
}

}  // namespace stillroom::test
