// SPDX-License-Identifier: GPL-3.0-or-later
#include "storedcalibrations.h"

#include "experiment/digest.h"
#include "store/lines.h"
#include "store/stagecache.h"

#include <fstream>
#include <utility>

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
            states.push_back({{"half_life_target_tokens", 8.0}, {"half_life_before_tokens", spread(4.0 + state)}, {"half_life_after_phase_1_tokens", spread(8.0 + 2.0 * state)}, {"half_life_after_phase_2_tokens", spread(9.0 + 3.0 * state)}, {"beta_target", 0.5}, {"beta_before", spread(0.4)},
                              {"beta_after_phase_1", spread(0.5)}, {"beta_after_phase_2", spread(0.45)}, {"sigma_raw", nullptr}, {"sigma", nullptr}, {"context_cosine_before", 0.1}, {"context_cosine_after_phase_1", 0.6}, {"context_cosine_after_phase_2", 0.8}, {"context_rms_before", 0.04},
                              {"context_rms_after_phase_1", 0.03}, {"context_rms_after_phase_2", 0.05}});
        const auto branch = [](double ratio, double error, double cosine, double values) { return nlohmann::json{{"rms_ratio", ratio}, {"relative_mse", error}, {"cosine", cosine}, {"value_rms", values}}; };
        layers.push_back({{"layer", layer}, {"attention", {{"sequences", 8}, {"tokens", 1024}, {"heads", queries}}}, {"heads", states}, {"before", branch(0.3, 1.1, 0.0, 0.5)}, {"after_phase_1", branch(0.5, 0.9, 0.2, 0.4)}, {"after_phase_2", branch(0.9, 0.2, 0.9, 0.6)}, {"gate_alpha", nullptr}, {"teacher_rms", 0.4}, {"floor_share", nullptr}, {"parameter_change_phase_1", {{"dt_bias", 0.25}}}, {"parameter_change_phase_2", {{"dt_bias", 0.1}, {"q_proj.weight", 0.05 * (layer + 1)}}}});
        alignment.push_back({{"layer", layer}, {"relative_mse", 0.2}, {"cosine", 0.9}, {"best_step", 300}});
    }
    alarms.push_back({{"kind", "look-back"}, {"layer", layerCount - 1}, {"heads", {0}}, {"value", 0.5}, {"limit", 1.0}});
    alarms.push_back({{"kind", "write-target"}, {"layer", 1}, {"heads", {0, 1}}, {"value", 1.0}, {"limit", 0.05}});
    nlohmann::json moments = nlohmann::json::array();
    for (const auto &[moment, loss] : {std::pair{"before", 0.1}, {"after_phase_1", 0.08}, {"after_phase_2", 0.02}}) {
        nlohmann::json cosines = nlohmann::json::array();
        for (int layer = 0; layer < layerCount; ++layer)
            cosines.push_back(1.0 - loss * (layer + 1) / layerCount);
        moments.push_back({{"moment", moment}, {"hidden_cosine", 1.0 - loss}, {"hidden_cosine_by_layer", std::move(cosines)}});
    }
    return {{"schema", 2}, {"composed", {{"sequences", 8}, {"tokens", 1024}, {"moments", moments}}}, {"arm", "both"}, {"sequences", 8}, {"sequence_length", 128}, {"layers", layers}, {"alignment", alignment}, {"alarms", alarms}};
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
