// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/modelfiles.h"
#include "error.h"
#include "procedures/alignedlayers.h"
#include "procedures/calibrationoptions.h"
#include "procedures/estimate.h"
#include "procedures/trainingdata.h"
#include "workshop.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace calibrate_tests {

using namespace stillroom;
using test::Workshop;
namespace fs = std::filesystem;

namespace {

nlohmann::json calibration(const Workshop &shop, const std::string &arm, std::int64_t steps = 12)
{
    nlohmann::json spec = shop.spec("align");
    spec["kind"] = "calibrate";
    spec.erase("steps");
    spec.erase("batch_sequences");
    spec["arm"] = arm;
    spec["sequences"] = 4;
    if (arm == "phase-1" || arm == "both")
        spec["phase_1"] = {{"gate_init", "from-values"}, {"set_value_scale", true}};      // everything that there is to set
    if (arm == "phase-2" || arm == "both")
        spec["phase_2"] = {{"steps", steps}};
    return spec;
}

nlohmann::json untrainedHybrid(const Workshop &shop, const nlohmann::json &init)
{
    nlohmann::json spec = shop.spec("distill");
    spec["steps"] = 0;
    spec["keep"] = {0};
    spec["init"] = init["key"];
    return spec;
}

double meanResidual(const nlohmann::json &result)
{
    double sum = 0.0;
    for (const nlohmann::json &one : result["residuals"])
        sum += one["relative_mse"].get<double>();
    return sum / static_cast<double>(result["residuals"].size());
}

nlohmann::json storedReport(const Workshop &shop, const nlohmann::json &result)
{
    return nlohmann::json::parse(std::ifstream(shop.folder / "workspace" / "artifacts" / result["key"].get<std::string>() / "calibration.json"));
}

std::string bytesOf(const fs::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

fs::path layerFile(const Workshop &shop, const nlohmann::json &result)
{
    return shop.folder / "workspace" / "artifacts" / result["key"].get<std::string>() / "layers" / "layer-001.safetensors";
}

}  // namespace

TEST_CASE("every arm of calibration leaves a start that hybrids are made of")
{
    Workshop shop;
    nlohmann::json residual, kl;
    for (const char *arm : {"naive-copy", "zero-gate", "small-gate", "phase-1", "phase-2", "both"}) {
        const nlohmann::json result = shop.result(calibration(shop, arm));
        const nlohmann::json hybrid = shop.result(untrainedHybrid(shop, result));
        residual[arm] = meanResidual(result);
        kl[arm] = hybrid["measures"]["kl_nats"];
        CHECK(result["residuals"].size() == static_cast<std::size_t>(test::tinyConfig().numLayers));
        CHECK(result["calibration_tokens"] == 4 * 24);
        CHECK(kl[arm].get<double>() > 0.0);
    }
    CHECK(residual["zero-gate"].get<double>() == doctest::Approx(1.0).epsilon(1e-6));      // a layer that says nothing
    CHECK(residual["phase-1"].get<double>() == doctest::Approx(1.0).epsilon(0.05));        // Phase 1 alone is all but silent
    CHECK(residual["phase-2"].get<double>() < residual["naive-copy"].get<double>());
    CHECK(residual["both"].get<double>() < residual["phase-1"].get<double>());
    CHECK(kl["phase-1"].get<double>() == doctest::Approx(kl["zero-gate"].get<double>()).epsilon(0.02));
}

TEST_CASE("a calibration keeps what it read off each head and what it set")
{
    Workshop shop;
    nlohmann::json spec = calibration(shop, "both");
    spec["taylor_error"] = true;
    const nlohmann::json result = shop.result(spec), report = storedReport(shop, result);
    const auto numLayers = static_cast<std::size_t>(test::tinyConfig().numLayers), numHeads = static_cast<std::size_t>(test::tinyConfig().numHeads);
    REQUIRE(report["layers"].size() == numLayers);
    REQUIRE(report["taylor"].size() == numLayers);
    REQUIRE(report["alignment"].size() == numLayers);
    for (const nlohmann::json &layer : report["layers"]) {
        REQUIRE(layer["attention"]["heads"].size() == numHeads);
        for (const nlohmann::json &head : layer["attention"]["heads"]) {
            CHECK(head["mean_distance_tokens"].get<double>() >= 0.5);
            CHECK(head["entropy_nats"].get<double>() > 0.0);
            CHECK(head["entropy_se_nats"].get<double>() > 0.0);
        }
        for (const nlohmann::json &head : layer["heads"]) {
            CHECK(head["half_life_target_tokens"].get<double>() > 0.0);
            CHECK(head["beta_after_phase_1"]["mean"].get<double>() == doctest::Approx(head["beta_target"].get<double>()).epsilon(0.05));
        }
        CHECK(layer["after_phase_1"]["rms_ratio"].get<double>() < 0.1);
        CHECK(layer["parameter_change_phase_1"].contains("v_proj.weight"));
        CHECK(!layer["parameter_change_phase_1"].contains("q_proj.weight"));      // copied, and Phase 1 leaves it
        CHECK(layer["parameter_change_phase_2"]["q_proj.weight"].get<double>() > 0.0);
    }
    for (const nlohmann::json &layer : report["alignment"])
        CHECK(layer["cosine"].get<double>() > 0.0);
    REQUIRE(report["composed"]["moments"].size() == 3);
    CHECK(report["composed"]["moments"][2]["hidden_cosine_by_layer"].size() == numLayers);
    CHECK(report["composed"]["moments"][2]["hidden_cosine"] == result["hidden_cosine"]);
    CHECK(result["hidden_cosine_se"].get<double>() > 0.0);
    CHECK(result["hidden_cosine_sequences"] == report["composed"]["sequences"]);
    for (const nlohmann::json &moment : report["composed"]["moments"])
        CHECK(moment["hidden_cosine_sequences"] == report["composed"]["sequences"]);
}

TEST_CASE("every arm reports of every head how it began, and of each phase that it has what that made of it")
{
    Workshop shop;
    std::vector<nlohmann::json> attention;
    for (const char *arm : {"naive-copy", "zero-gate", "small-gate", "phase-1", "phase-2", "both"}) {
        CAPTURE(arm);
        const nlohmann::json report = storedReport(shop, shop.result(calibration(shop, arm)));
        const bool one = std::string(arm) == "phase-1" || std::string(arm) == "both", two = std::string(arm) == "phase-2" || std::string(arm) == "both";
        CHECK(report["schema"] == 2);
        CHECK(report["dropped_keys"] == 1);
        CHECK(report["alarms"].is_array());
        REQUIRE(report["layers"].size() == static_cast<std::size_t>(test::tinyConfig().numLayers));
        REQUIRE(report["composed"]["moments"].size() == 1U + (one ? 1U : 0U) + (two ? 1U : 0U));
        attention.push_back(report["layers"][1]["attention"]);
        for (const nlohmann::json &layer : report["layers"]) {
            CHECK(layer["teacher_rms"].get<double>() > 0.0);
            for (const auto &[moment, there] : {std::pair<std::string, bool>("before", true), {"after_phase_1", one}, {"after_phase_2", two}}) {
                CAPTURE(moment);
                CHECK(layer.contains(moment) == there);
                for (const nlohmann::json &head : layer["heads"]) {
                    CHECK(head.contains("half_life_" + moment + "_tokens") == there);
                    CHECK(head.contains("context_cosine_" + moment) == there);
                    CHECK(head.contains("context_rms_" + moment) == there);
                    if (there)
                        CHECK(head["beta_" + moment]["mean"].get<double>() > 0.0);
                }
            }
            CHECK(layer.contains("parameter_change_phase_1") == one);
            CHECK(layer.contains("parameter_change_phase_2") == two);
        }
        if (two)      // the layers that were saved, which the alignment knows too
            for (std::size_t i = 0; i < report["layers"].size(); ++i) {
                CHECK(report["layers"][i]["after_phase_2"]["relative_mse"].get<double>() == doctest::Approx(report["alignment"][i]["relative_mse"].get<double>()).epsilon(1e-4));
                CHECK(report["layers"][i]["after_phase_2"]["relative_mse"] != report["layers"][i][one ? "after_phase_1" : "before"]["relative_mse"]);
                CHECK(report["layers"][i]["heads"][0]["half_life_after_phase_2_tokens"] != report["layers"][i]["heads"][0][one ? "half_life_after_phase_1_tokens" : "half_life_before_tokens"]);
            }
    }
    for (const nlohmann::json &other : attention)
        CHECK(other == attention.front());      // of the teacher, whatever becomes of the students
}

TEST_CASE("the maps of a calibration are those of the teacher, of the start and of the saved mixers")
{
    Workshop shop;
    nlohmann::json spec = calibration(shop, "both");
    spec["maps_tokens"] = 10;
    const nlohmann::json result = shop.result(spec);
    const fs::path folder = shop.folder / "workspace" / "artifacts" / result["key"].get<std::string>();

    const checkpoint::ModelFiles files = checkpoint::openModel(shop.folder / "teacher");
    const nn::Transformer teacher = nn::loadTransformer(files, at::kCPU);
    const nlohmann::json full = experiment::completeSpec(spec);
    const procedures::TrainingData data = procedures::openData(full.at("data"), files, {4, 1, files.config.vocabSize, {}, {}});
    nn::ForwardOptions keep;
    keep.keepMixerInputs = true;
    const at::Tensor ids = data.training->batch(0).ids_BT.narrow(0, 0, 1).narrow(1, 0, 10);
    const auto inputs = teacher.forward(ids, {}, at::kFloat, keep).mixerInputs_BTD;
    const nn::TokenPlaces places = nn::placesFromMask(ids);
    const auto ended = procedures::loadAligned(folder, files.config, files.contentHash(), at::kCPU);
    const auto begun = procedures::freshMixers(teacher, "gdn", ended.optionsJson, {}, 1);
    const auto isMap = [](const nlohmann::json &rows, const at::Tensor &map_TT) {
        for (std::int64_t t = 0; t < 10; ++t) {
            REQUIRE(rows.at(static_cast<std::size_t>(t)).size() == static_cast<std::size_t>(t + 1));
            for (std::int64_t s = 0; s <= t; ++s)
                CHECK(rows.at(static_cast<std::size_t>(t)).at(static_cast<std::size_t>(s)).get<double>() == doctest::Approx(map_TT[t][s].item<double>()).epsilon(2e-3));
        }
    };
    for (std::size_t layer = 0; layer < inputs.size(); ++layer) {
        const nlohmann::json maps = nlohmann::json::parse(std::ifstream(folder / "maps" / (std::to_string(layer) + ".json")));
        CHECK(maps["tokens"] == 10);
        REQUIRE(maps["heads"].size() == static_cast<std::size_t>(test::tinyConfig().numHeads));
        for (const std::int64_t head : {0, 1}) {
            const nlohmann::json &one = maps["heads"][static_cast<std::size_t>(head)];
            isMap(one["attention"], teacher.blocks[layer].mixer->matrix(inputs[layer], places)[0][head]);
            isMap(one["student_before"], begun[layer].mixer->matrix(inputs[layer], places)[0][head]);
            isMap(one["student_after_phase_2"], ended.layers[layer].mixer->matrix(inputs[layer], places)[0][head]);
            CHECK(one["student_before"] != one["student_after_phase_1"]);
            CHECK(one["student_after_phase_1"] != one["student_after_phase_2"]);
        }
    }
}

TEST_CASE("a calibration without maps writes none, is another stage, and reaches the same bytes")
{
    Workshop shop;
    nlohmann::json spec = calibration(shop, "both"), without = spec;
    without["maps_tokens"] = 0;
    const nlohmann::json a = shop.result(spec), b = shop.result(without);
    const fs::path artifacts = shop.folder / "workspace" / "artifacts";
    CHECK(a["key"] != b["key"]);
    CHECK(fs::exists(artifacts / a["key"].get<std::string>() / "maps" / "0.json"));
    CHECK(!fs::exists(artifacts / b["key"].get<std::string>() / "maps"));
    CHECK(a["residuals"] == b["residuals"]);
    CHECK(bytesOf(layerFile(shop, a)) == bytesOf(layerFile(shop, b)));
    CHECK(!procedures::withCalibrationPhases(experiment::completeSpec(without)).contains("maps_tokens"));
    CHECK(procedures::withCalibrationPhases(experiment::completeSpec(calibration(shop, "both")))["maps_tokens"] == 64);
}

TEST_CASE("the published recipe differs, is another stage, and fields of the spec go before it")
{
    Workshop shop;
    nlohmann::json ours = calibration(shop, "phase-1");
    ours.erase("phase_1");
    nlohmann::json theirs = ours, mixed = ours;
    theirs["recipe"] = "published";
    mixed["recipe"] = "published";
    mixed["phase_1"] = {{"dropped_keys", 1}, {"write_init", "data"}, {"kernel_scale", true}, {"mean_of_rms", false}, {"set_value_scale", false}, {"gate_init", "keep"}};
    const nlohmann::json a = shop.result(ours), b = shop.result(theirs), c = shop.result(mixed);
    CHECK(a["key"] != b["key"]);
    CHECK(a["key"] == c["key"]);
    CHECK(bytesOf(layerFile(shop, a)) != bytesOf(layerFile(shop, b)));
}

TEST_CASE("a calibration that was stopped goes on to the same bytes")
{
    Workshop straight;
    const nlohmann::json whole = straight.result(calibration(straight, "both", 30));
    Workshop shop;
    nlohmann::json spec = calibration(shop, "both", 30);
    spec["checkpoint_interval_seconds"] = 0;
    std::stop_source stop;
    shop.onEvent = [&](const experiment::Event &event) {
        if (const auto *saved = std::get_if<experiment::CheckpointSaved>(&event.body); saved && saved->step >= 7)
            stop.request_stop();
    };
    CHECK(std::holds_alternative<experiment::Cancelled>(shop.run(spec, false, false, stop.get_token()).body));
    shop.onEvent = {};
    const experiment::Event last = shop.run(spec, false, true);
    REQUIRE(std::holds_alternative<experiment::Finished>(last.body));
    const nlohmann::json resumed = nlohmann::json::parse(std::get<experiment::Finished>(last.body).resultJson);
    CHECK(resumed["residuals"] == whole["residuals"]);
    CHECK(bytesOf(layerFile(shop, resumed)) == bytesOf(layerFile(straight, whole)));
}

TEST_CASE("stage 1 goes on from a calibration; other mixers than the start's, and layers that are not there, are refused")
{
    Workshop shop;
    const nlohmann::json start = shop.result(calibration(shop, "both"));
    nlohmann::json align = shop.spec("align");
    align["init"] = start["key"];
    const nlohmann::json aligned = shop.result(align);
    CHECK(meanResidual(aligned) < meanResidual(start));
    CHECK(aligned["key"] != shop.result(shop.spec("align"))["key"]);

    const auto refusal = [&](nlohmann::json spec) {
        const experiment::Event last = shop.run(spec);
        return std::get<experiment::Failed>(last.body).message;
    };
    nlohmann::json other = untrainedHybrid(shop, start);
    other["mixer"] = {{"kind", "gla"}};
    CHECK(refusal(other).find("init holds gdn mixers but mixer.kind is gla") != std::string::npos);
    other["mixer"] = {{"kind", "gdn"}, {"expand", "row"}};
    CHECK(refusal(other).find("expand") != std::string::npos);
    for (const char *kind : {"align", "calibrate"}) {
        nlohmann::json beyond = std::string(kind) == "align" ? shop.spec("align") : calibration(shop, "phase-1");
        beyond["layers"] = {0, test::tinyConfig().numLayers};
        const std::string words = refusal(beyond);
        CAPTURE(words);
        CHECK(words.find("layers") != std::string::npos);
        CHECK(words.find("0 to 1") != std::string::npos);
    }
    const fs::path described = shop.folder / "workspace" / "artifacts" / start["key"].get<std::string>() / "aligned.json";
    nlohmann::json description = nlohmann::json::parse(bytesOf(described));
    for (const auto &[field, value] : {std::pair<const char *, nlohmann::json>("mixer", {{"kind", "gdm"}, {"options", nlohmann::json::object()}}), {"layers", {0, 99}}}) {
        nlohmann::json damaged = description;
        damaged[field] = value;
        std::ofstream(described) << damaged;
        nlohmann::json from = untrainedHybrid(shop, start);
        from["steps"] = 1;
        for (const bool sized : {true, false}) {
            if (!sized)      // a mark of before there were sizes: what is in the file is looked at
                std::ofstream(described.parent_path() / "DONE") << R"({"kind":"calibrate"})";
            const experiment::Event last = shop.run(from);
            CHECK(std::get<experiment::Failed>(last.body).code == codeName(ErrorCode::BadFile));
        }
    }
    nlohmann::json useless = calibration(shop, "naive-copy");
    useless["phase_2"] = {{"steps", 3}};
    CHECK(refusal(useless).find("has no \"phase_2\"") != std::string::npos);
}

TEST_CASE("what a mixer cannot be brought to is refused before any work, by its cost too")
{
    Workshop shop;
    const auto refusedBoth = [&](const nlohmann::json &spec, const std::string &words) {
        CAPTURE(words);
        const experiment::Event last = shop.run(spec);
        REQUIRE(std::holds_alternative<experiment::Failed>(last.body));
        CHECK(std::get<experiment::Failed>(last.body).message.find(words) != std::string::npos);
        for (const experiment::Event &event : shop.events)
            CHECK_FALSE(std::holds_alternative<experiment::Progress>(event.body));
        const nlohmann::json full = experiment::completeSpec(spec);
        CHECK_THROWS_WITH_AS((void)procedures::estimateCost(full, shop.folder / "workspace"), doctest::Contains(words.c_str()), Error);
    };
    nlohmann::json gateless = calibration(shop, "zero-gate");
    gateless["mixer"] = {{"kind", "gdn"}, {"options", {{"output_gate", false}}}};
    refusedBoth(gateless, "has no output gate");
    for (const char *arm : {"phase-1", "phase-2"}) {
        nlohmann::json narrow = calibration(shop, arm);
        narrow["mixer"] = {{"kind", "gdn"}, {"options", {{"init", "random"}, {"num_heads", 3}, {"head_dim", 4}}}};
        refusedBoth(narrow, "A mixer of 3 heads of width");
    }
    nlohmann::json biased = calibration(shop, "phase-1");
    biased["phase_1"]["write_init"] = "bias";
    refusedBoth(biased, "has no write bias");
    nlohmann::json swapped = calibration(shop, "phase-1");
    swapped["phase_1"] = {{"least_beta", 0.8}, {"most_beta", 0.2}};
    refusedBoth(swapped, "phase_1.least_beta and phase_1.most_beta are 0.8 and 0.2");
    nlohmann::json scales = calibration(shop, "phase-1");
    scales["phase_1"] = {{"set_value_scale", true}, {"least_scale", 2.0}, {"most_scale", 1.0}};
    refusedBoth(scales, "phase_1.least_scale");
    nlohmann::json still = calibration(shop, "phase-2");
    still["phase_2"] = {{"steps", 3}, {"learning_rate_copied", 0.0}, {"learning_rate_new", 0.0}};
    refusedBoth(still, "are all 0");
    nlohmann::json beyond = shop.withAlignment("distill");
    beyond["keep"] = {0, 9};
    refusedBoth(beyond, "9");
    nlohmann::json textless = shop.spec("align");
    const fs::path empty = shop.folder / "empty.txt";
    std::ofstream(empty).flush();
    textless["data"] = {{"source", "text"}, {"files", {empty.string()}}};
    CHECK_THROWS_WITH_AS((void)procedures::estimateCost(experiment::completeSpec(textless), shop.folder / "workspace"), doctest::Contains("is empty"), Error);
    textless["data"]["files"] = {(shop.folder / "nowhere.txt").string()};
    CHECK_THROWS_WITH_AS((void)procedures::estimateCost(experiment::completeSpec(textless), shop.folder / "workspace"), doctest::Contains("is not there"), Error);
}

TEST_CASE("the cost of a calibration counts what is measured after it, at every moment that there is")
{
    Workshop shop;
    const auto cost = [&](const std::string &arm, std::int64_t heldOut) {
        nlohmann::json spec = calibration(shop, arm);
        spec["data"]["held_out_sequences"] = heldOut;
        return procedures::estimateCost(experiment::completeSpec(spec), shop.folder / "workspace");
    };
    const nlohmann::json spec = experiment::completeSpec(calibration(shop, "both"));
    const auto length = spec.at("data").at("sequence_length").get<std::int64_t>(), calibrated = spec.at("sequences").get<std::int64_t>() * length;
    // Residuals on every held-out sequence; the student beside the teacher on the first batch, of eight at most, before, after Phase 1 and after Phase 2.
    CHECK(cost("naive-copy", 6).forwardTokens == calibrated + (2 * 6 + 2 * 6) * length);
    CHECK(cost("phase-1", 6).forwardTokens == calibrated + (2 * 6 + 4 * 6) * length);
    CHECK(cost("both", 6).forwardTokens == calibrated + (2 * 6 + 6 * 6) * length);
    CHECK(cost("both", 20).forwardTokens == calibrated + (2 * 20 + 6 * 8) * length);
}

TEST_CASE("memory that does not suffice is said with what would make it less")
{
    procedures::CostEstimate cost;
    cost.memoryBytes = 5'000'000'000;
    cost.freeBytes = 6'000'000'000;
    CHECK(procedures::memoryWarning(cost, "distill").empty());
    cost.freeBytes = 3'210'000'000;
    const std::string said = procedures::memoryWarning(cost, "distill");
    CHECK(said.find("needs about 5.0 GB of memory, but 3.2 GB are free here") != std::string::npos);
    CHECK(said.find("--micro-batch-sequences") != std::string::npos);
    CHECK(procedures::memoryWarning(cost, "calibrate").find("--sequences") != std::string::npos);
    CHECK(procedures::memoryWarning(cost, "score").find("--data.held-out-sequences") != std::string::npos);      // nothing trains
    cost.groupSize = 2;
    CHECK(procedures::memoryWarning(cost, "score").find("--group-size") != std::string::npos);
    cost.freeBytes = 0;       // that is: not known
    CHECK(procedures::memoryWarning(cost, "distill").empty());
    Workshop shop;
    nlohmann::json spec = shop.withAlignment("distill");
    spec["keep"] = {0};
    CHECK(procedures::estimateCost(experiment::completeSpec(spec), shop.folder / "workspace").freeBytes > 0);
}

}  // namespace calibrate_tests
