// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "experiment/spec.h"
#include "nn/tensorfile.h"
#include "procedures/estimate.h"
#include "procedures/finiteweights.h"
#include "procedures/keptlayers.h"
#include "procedures/stagerun.h"
#include "procedures/trainingdata.h"
#include "testdata.h"
#include "workshop.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace stillroom;
using test::Workshop;
namespace fs = std::filesystem;

TEST_CASE("align, score and distil one after the other, each stage once")
{
    Workshop shop;
    const nlohmann::json aligned = shop.result(shop.spec("align"));
    CHECK(aligned["residuals"].size() == static_cast<std::size_t>(test::tinyConfig().numLayers));
    CHECK(shop.result(shop.spec("align"))["key"] == aligned["key"]);
    CHECK(shop.said("reused"));

    nlohmann::json scoring = shop.withAlignment("score");
    const nlohmann::json scores = shop.result(scoring);
    CHECK(scores["scores"].size() == static_cast<std::size_t>(test::tinyConfig().numLayers));
    CHECK(scores["ranking"].size() == scores["scores"].size());
    CHECK(scores["all_linear"]["kl_nats"].get<double>() > 0.0);
    for (const nlohmann::json &one : scores["scores"]) {
        CHECK(one["n"] == 6);
        CHECK(one["se_nats"].get<double>() > 0.0);
        CHECK(one["tokens"] == 4 * 4 * 24);
    }

    nlohmann::json final = shop.withAlignment("distill");
    final["keep_count"] = 1;
    final["scores"] = scores["key"];
    const nlohmann::json hybrid = shop.result(final);
    CHECK(hybrid["selected"][0] == scores["ranking"][0]);
    CHECK(hybrid["measures"].contains("recall"));
    CHECK(hybrid["measures"]["kl_nats"].get<double>() >= 0.0);

    SUBCASE("the hybrid loads wherever a model is taken")
    {
        const nlohmann::json evaluated = shop.result({{"kind", "evaluate"}, {"model", (shop.folder / "workspace" / hybrid["model"].get<std::string>()).string()},
                                                      {"teacher", (shop.folder / "teacher").string()}, {"device", "cpu"}, {"data", shop.spec("align")["data"]}});
        CHECK(evaluated["measures"]["kl_nats"] == hybrid["measures"]["kl_nats"]);
        CHECK(evaluated["measures"]["recall"] == hybrid["measures"]["recall"]);
    }
    SUBCASE("how layers are grouped and which were scored before changes no number")
    {
        scoring["group_size"] = 1;
        CHECK(shop.result(scoring, true)["scores"] == scores["scores"]);
        Workshop other;
        nlohmann::json part = other.withAlignment("score");
        part["layers"] = {1};
        part["include_all_linear"] = false;
        (void)other.result(part);
        const nlohmann::json rest = other.result(other.withAlignment("score"));
        CHECK(rest["scores"] == scores["scores"]);
        CHECK(rest["notes"]["reused_students"] == nlohmann::json{"1"});
    }
}

TEST_CASE("a hybrid of no steps is its start: the teacher where every layer stays, the aligned mixers elsewhere")
{
    Workshop shop;
    nlohmann::json spec = shop.withAlignment("distill");
    spec["steps"] = 0;
    spec["keep"] = nlohmann::json::array();
    for (int layer = 0; layer < test::tinyConfig().numLayers; ++layer)
        spec["keep"].push_back(layer);
    const nlohmann::json teacher = shop.result(spec);
    CHECK(teacher["tokens"] == 0);
    CHECK(teacher["measures"]["kl_nats"].get<double>() == doctest::Approx(0.0));
    CHECK(teacher["measures"]["hidden_cosine"].get<double>() == doctest::Approx(1.0).epsilon(1e-6));

    spec["keep"] = {0};
    const nlohmann::json untrained = shop.result(spec);
    CHECK(untrained["measures"]["kl_nats"].get<double>() > 0.0);
    CHECK(untrained["measures"]["hidden_cosine_by_layer"][0].get<double>() == doctest::Approx(1.0).epsilon(1e-6));
    CHECK(untrained["measures"]["hidden_cosine_by_layer"][1].get<double>() < 0.9999);
    spec.erase("steps");
    spec["steps"] = 4;
    double atStart = -1.0;
    shop.onEvent = [&](const experiment::Event &event) {
        if (const auto *metric = std::get_if<experiment::Metric>(&event.body); metric && metric->series == "distill/held_out_kl" && metric->step == 0)
            atStart = metric->value;
    };
    (void)shop.result(spec);
    CHECK(atStart == untrained["measures"]["kl_nats"].get<double>());

    const nlohmann::json evaluated = shop.result({{"kind", "evaluate"}, {"model", (shop.folder / "workspace" / untrained["model"].get<std::string>()).string()}, {"device", "cpu"},
                                                  {"teacher", (shop.folder / "teacher").string()}, {"data", shop.spec("align")["data"]}, {"measures", {"hidden-cosine"}}});
    CHECK(evaluated["measures"]["hidden_cosine"] == untrained["measures"]["hidden_cosine"]);
}

TEST_CASE("a distillation says the tokens that taught it something, not those of the padding beside them")
{
    Workshop shop;
    at::Tensor mask = at::ones({8, 24}, at::TensorOptions(at::kLong));
    mask.narrow(1, 15, 9).zero_();
    const fs::path file = shop.folder / "ids.safetensors";
    nn::writeTensors(file, {{"input_ids", at::arange(0, 8 * 24, at::TensorOptions(at::kLong)).remainder(40).reshape({8, 24})}, {"attention_mask", mask}});
    nlohmann::json spec = shop.withAlignment("distill");
    spec["data"] = {{"source", "tokens"}, {"files", {file.string()}}, {"sequence_length", 24}, {"held_out_fraction", 0.25}, {"held_out_sequences", 2}};
    spec["keep"] = {0};
    spec["steps"] = 2;
    CHECK(shop.result(spec)["tokens"] == 2 * 4 * 15);
}

TEST_CASE("a head whose gradient alone is larger than 64 MiB is distilled with the defaults")
{
    Workshop shop(34'000, 512);
    nlohmann::json spec = shop.withAlignment("distill");
    spec["keep"] = {0};
    spec["steps"] = 1;
    CHECK(shop.result(spec)["measures"]["kl_nats"].get<double>() >= 0.0);
}

TEST_CASE("zero-shot and stage-1 scores have a ranking, too")
{
    Workshop shop;
    nlohmann::json spec = shop.withAlignment("score");
    for (const char *selector : {"zero-shot-ga", "ga-s1"}) {
        spec["selector"] = selector;
        const nlohmann::json scores = shop.result(spec);
        CHECK(scores["ranking"].size() == static_cast<std::size_t>(test::tinyConfig().numLayers));
        CHECK(procedures::rankingOf(scores) == scores["ranking"].get<experiment::Ranking>());
    }
}

TEST_CASE("a pipeline names the output of an earlier stage")
{
    Workshop shop;
    nlohmann::json final = shop.withAlignment("distill");
    final["keep_count"] = 1;
    final["scores"] = "stage:rank";
    const nlohmann::json result = shop.result({{"kind", "pipeline"}, {"stages", {{{"task", "rank"}, {"spec", shop.withAlignment("score")}}, {{"task", "final"}, {"spec", final}}}}});
    CHECK(result["stages"]["final"]["result"]["selected"][0] == result["stages"]["rank"]["result"]["ranking"][0]);
    int finished = 0;
    for (const experiment::Event &event : shop.events)
        finished += std::holds_alternative<experiment::Finished>(event.body) ? 1 : 0;
    CHECK(finished >= 3);   // each stage, and the run
}

TEST_CASE("an interrupted stage is neither forgotten nor resumed in silence")
{
    Workshop shop;
    std::stop_source source;
    source.request_stop();
    nlohmann::json spec = shop.spec("align");
    spec["checkpoint_interval_seconds"] = 0;
    CHECK(std::holds_alternative<experiment::Cancelled>(shop.run(spec, false, false, source.get_token()).body));
    const nlohmann::json whole = shop.result(spec, true);
    CHECK(whole["steps"] == 4);
}

TEST_CASE("who asks whether a stage is being computed makes nothing, is told the truth, and stands in no run's way")
{
    const Workshop shop;
    procedures::StageRun run;
    run.workspace = shop.folder / "workspace";
    run.sink = [](const experiment::EventBody &) {};
    run.fresh = true;
    const std::string key(64, 'a');
    const auto isComputed = [key, asking = run] {
        try {
            procedures::refuseUnsettled(asking, "align", key);
            return false;
        } catch (const Error &error) {
            return error.code() == ErrorCode::Failed;
        }
    };
    CHECK_FALSE(isComputed());
    CHECK_FALSE(fs::exists(run.workspace));

    int numTold = 0, numRefused = 0;
    const auto compute = [&](const fs::path &) {
        numTold += isComputed() && isComputed() ? 1 : 0;      // the second time, too: having been asked about, the lock still holds
        return nlohmann::json::object();
    };
    std::atomic<bool> isAsking{false};
    std::jthread asker([&](const std::stop_token &stop) {
        while (!stop.stop_requested()) {
            (void)isComputed();
            isAsking = true;
            isAsking.notify_one();
        }
    });
    isAsking.wait(false);
    constexpr int numRuns = 40;
    for (int i = 0; i < numRuns; ++i) {
        try {
            (void)procedures::reuseOrCompute(run, "align", key, compute);
        } catch (const Error &) {
            ++numRefused;
        }
    }
    asker.request_stop();
    asker.join();
    CHECK(numRefused == 0);
    CHECK(numTold == numRuns);
    CHECK_FALSE(isComputed());
}

TEST_CASE("of stage 1 with data of its own it is said where their length stands")
{
    Workshop shop;
    nlohmann::json spec = shop.withAlignment("score");
    spec["selector"] = "ga-s2";
    spec["layers"] = {0};
    spec["steps"] = 1;
    spec["alignment"]["data"] = spec["data"];
    spec["alignment"]["data"]["sequence_length"] = test::tinyConfig().maxPositions + 1;
    (void)shop.result(spec);
    const std::vector<std::string> said = shop.warnings();
    REQUIRE(said.size() == 1);
    CHECK(said.front().find("set alignment.data.sequence_length to") != std::string::npos);
    std::swap(spec["data"], spec["alignment"]["data"]);
    spec["alignment"].erase("data");
    (void)shop.result(spec);       // of the same data it is said once
    REQUIRE(shop.warnings().size() == 1);
    CHECK(shop.warnings().front().find("set data.sequence_length to") != std::string::npos);
}

TEST_CASE("a job says, too, what greedy generation does not read")
{
    Workshop shop;
    const auto warnings = [&](const nlohmann::json &more) {
        nlohmann::json spec{{"kind", "generate"}, {"model", "demo"}, {"prompt", "k00 v01"}, {"max_new_tokens", 1}, {"seed", 3}};
        spec.update(more);
        (void)shop.result(spec);
        return shop.warnings();
    };
    CHECK(warnings(nlohmann::json::object()).empty());
    for (const nlohmann::json &unread : {nlohmann::json{{"top_k", 3}}, nlohmann::json{{"top_p", 0.5}}}) {
        const std::vector<std::string> said = warnings(unread);
        REQUIRE(said.size() == 1);
        CHECK(said.front().find("nothing is sampled at temperature 0") == 0);
    }
    CHECK(warnings({{"top_k", 3}, {"temperature", 1.0}}).empty());
}

TEST_CASE("sequences longer than the model was made for are said")
{
    Workshop shop;
    const auto warnings = [&](std::int64_t length) {
        nlohmann::json spec = shop.spec("align");
        spec["steps"] = 1;
        spec["data"]["sequence_length"] = length;
        (void)shop.result(spec);
        return shop.warnings();
    };
    const std::int64_t context = test::tinyConfig().maxPositions;
    CHECK(warnings(context).empty());
    const std::vector<std::string> said = warnings(context + 1);
    REQUIRE(said.size() == 1);
    CHECK(said.front().find(std::to_string(context + 1) + " tokens") != std::string::npos);
    CHECK(said.front().find("that the teacher was made for: set data.sequence_length to") != std::string::npos);
    const fs::path config = shop.folder / "teacher" / "config.json";
    nlohmann::json stretched = nlohmann::json::parse(std::ifstream(config));
    stretched.erase("rope_parameters");
    stretched["rope_scaling"] = {{"rope_type", "yarn"}, {"factor", 2.0}, {"original_max_position_embeddings", context}};
    std::ofstream(config) << stretched;
    CHECK(warnings(2 * context).empty());
    CHECK(warnings(2 * context + 1).size() == 1);

    // An evaluation's teacher may be made for less than the model beside it.
    nlohmann::json evaluated = shop.spec("evaluate");
    evaluated["model"] = (shop.folder / "teacher").string();
    evaluated["data"]["sequence_length"] = context + 1;
    for (const char *field : {"steps", "batch_sequences"})
        evaluated.erase(field);
    fs::copy(shop.folder / "teacher", shop.folder / "shorter");
    stretched.erase("rope_scaling");
    std::ofstream(shop.folder / "shorter" / "config.json") << stretched;
    evaluated["teacher"] = (shop.folder / "shorter").string();
    (void)shop.result(evaluated);
    REQUIRE(shop.warnings().size() == 1);
    CHECK(shop.warnings().front().find("that the teacher was made for") != std::string::npos);
    (void)shop.result(evaluated);       // reused, and no less true
    const std::vector<std::string> again = shop.warnings();
    CHECK(std::count_if(again.begin(), again.end(), [](const std::string &one) { return one.find("that the teacher was made for") != std::string::npos; }) == 1);
    std::swap(evaluated["teacher"], evaluated["model"]);
    (void)shop.result(evaluated);
    REQUIRE(shop.warnings().size() == 1);
    CHECK(shop.warnings().front().find("that the model was made for") != std::string::npos);
    std::swap(evaluated["teacher"], evaluated["model"]);
    evaluated["teacher"] = evaluated["model"];
    evaluated["seed"] = 2;
    (void)shop.result(evaluated);
    CHECK(shop.warnings().empty());
}

TEST_CASE("a head that differs from the embedding which it is said to be is said by every run that reads the model")
{
    Workshop shop;
    const std::string teacher = (shop.folder / "teacher").string();
    nlohmann::json config = nlohmann::json::parse(std::ifstream(shop.folder / "teacher" / "config.json"));
    REQUIRE(config.at("tie_word_embeddings") == false);
    config["tie_word_embeddings"] = true;
    std::ofstream(shop.folder / "teacher" / "config.json") << config;
    nn::writeTensors(shop.folder / "ids.safetensors", {{"input_ids", at::arange(0, 8, at::TensorOptions(at::kLong)).reshape({1, 8})}});
    nlohmann::json evaluated = shop.spec("evaluate");
    evaluated["model"] = teacher;
    for (const char *field : {"teacher", "steps", "batch_sequences"})
        evaluated.erase(field);
    nlohmann::json calibrated = shop.spec("calibrate"), distilled = shop.spec("distill");
    for (const char *field : {"steps", "batch_sequences"})
        calibrated.erase(field);
    calibrated["arm"] = "naive-copy";
    distilled["keep"] = {0};
    const nlohmann::json inspected = {{"kind", "inspect"}, {"model", teacher}};
    const nlohmann::json generated = {{"kind", "generate"}, {"model", teacher}, {"tokens_file", (shop.folder / "ids.safetensors").string()}, {"max_new_tokens", 1}, {"device", "cpu"}};
    for (const nlohmann::json &spec : {shop.spec("align"), shop.spec("score"), calibrated, distilled, evaluated, inspected, generated}) {
        CAPTURE(spec);
        (void)shop.result(spec);
        const std::vector<std::string> said = shop.warnings();
        REQUIRE_FALSE(said.empty());
        CHECK(said.front().find("holds a lm_head.weight that differs: that is used, as by transformers 5") != std::string::npos);
    }
}

TEST_CASE("what a run generates or measures in windows beyond the context is said")
{
    Workshop shop;
    const std::int64_t context = test::tinyConfig().maxPositions;
    const std::string teacher = (shop.folder / "teacher").string(), file = (shop.folder / "ids.safetensors").string();
    const at::Tensor ids = at::arange(0, 8 * context, at::TensorOptions(at::kLong)).remainder(40).reshape({8, context});
    nn::writeTensors(shop.folder / "ids.safetensors", {{"input_ids", ids}});
    const auto warnings = [&](const nlohmann::json &spec) {
        (void)shop.result(spec);
        return shop.warnings();
    };
    const auto generated = [&](int newTokens) {
        return warnings({{"kind", "generate"}, {"model", teacher}, {"tokens_file", file}, {"max_new_tokens", newTokens}, {"ignore_eos", true}, {"device", "cpu"}});
    };
    CHECK(generated(1).empty());        // the last new token is never read
    REQUIRE(generated(2).size() == 1);
    CHECK(shop.warnings().front().find("but reads " + std::to_string(context + 1) + " at once") != std::string::npos);
    const auto measured = [&](std::int64_t window) {
        return warnings({{"kind", "evaluate"}, {"model", teacher}, {"measures", {"perplexity"}}, {"window", window}, {"device", "cpu"},
                         {"data", {{"source", "tokens"}, {"files", {file}}, {"sequence_length", context}, {"held_out_fraction", 0.5}, {"held_out_sequences", 4}}}});
    };
    CHECK(measured(context).empty());
    REQUIRE(measured(context + 1).size() == 1);
    CHECK(shop.warnings().front().find("but reads " + std::to_string(context + 1) + " at once") != std::string::npos);
}

TEST_CASE("specs whose content does not fit are refused in one sentence")
{
    Workshop shop;
    const auto message = [&](nlohmann::json spec) {
        const experiment::Event last = shop.run(spec);
        const auto *failed = std::get_if<experiment::Failed>(&last.body);
        REQUIRE(failed);
        return failed->code + ": " + failed->message;
    };
    nlohmann::json spec = shop.withAlignment("distill");
    spec["keep"] = {0, 99};
    CHECK(message(spec).find("usage") == 0);
    spec = shop.withAlignment("distill");
    spec["keep_count"] = 50;
    spec["scores"] = "nothing";
    CHECK(message(spec).find("keep_count is 50") != std::string::npos);
    spec = shop.spec("align");
    spec["mixer"] = {{"kind", "gdm"}};
    CHECK(message(spec).find("gdn") != std::string::npos);
    spec = shop.spec("align");
    spec["mixer"] = {{"kind", "gdn"}, {"options", {{"short_conf", true}}}};
    CHECK(message(spec).find("short_conv") != std::string::npos);
    spec = shop.spec("align");
    spec["teacher"] = "/nowhere";
    CHECK(message(spec).find("bad-file") == 0);
    spec = shop.spec("align");
    spec["data"]["recall"]["num_keys"] = 4000;
    CHECK(message(spec).find("usage") == 0);
}

TEST_CASE("a scoring whose start lacks a layer is refused by the run and by its cost in the same words, and a start with all of them is taken")
{
    Workshop shop;
    nlohmann::json aligned = shop.spec("align"), spec = shop.spec("score");
    aligned["layers"] = {0};
    spec["selector"] = "ga-s2";
    spec["init"] = shop.result(aligned).at("key");
    const experiment::Event last = shop.run(spec);
    const auto *failed = std::get_if<experiment::Failed>(&last.body);
    REQUIRE(failed);
    CHECK(failed->code == codeName(ErrorCode::Usage));
    CHECK(failed->message.find("init holds no mixer of layer 1, which the selector ga-s2 needs") == 0);
    CHECK_THROWS_WITH_AS((void)procedures::estimateCost(experiment::completeSpec(spec), shop.folder / "workspace"), failed->message.c_str(), Error);
    aligned["layers"] = nlohmann::json::array();
    spec["init"] = shop.result(aligned).at("key");
    CHECK(procedures::estimateCost(experiment::completeSpec(spec), shop.folder / "workspace").trainingTokens > 0);
}

TEST_CASE("a cost leaves out what the workspace holds already, as the run does, and counts it where all is made anew")
{
    Workshop shop;
    const nlohmann::json spec = experiment::completeSpec(shop.withAlignment("score"));
    const auto cost = [&](procedures::EarlierStages earlier = {}) { return procedures::estimateCost(spec, shop.folder / "workspace", {}, earlier); };
    const procedures::CostEstimate whole = cost();
    CHECK(whole.reused.empty());
    (void)shop.result(experiment::alignmentSpec(spec));
    const procedures::CostEstimate aligned = cost();
    CHECK(aligned.reused == std::vector<std::string>{"align"});
    CHECK(whole.trainingTokens - aligned.trainingTokens == 5 * 4 * 24);
    CHECK(whole.forwardTokens - aligned.forwardTokens == 2 * spec.at("data").at("held_out_sequences").get<std::int64_t>() * 24);      // residuals after it
    CHECK(aligned.diskBytes < whole.diskBytes);
    CHECK(cost({.resume = false, .fresh = true}).trainingTokens == whole.trainingTokens);
    const std::string key = shop.result(spec).at("key");
    const procedures::CostEstimate made = cost();
    CHECK(made.reused == std::vector<std::string>{"score"});
    CHECK(made.trainingTokens == 0);
    CHECK(made.forwardTokens == 0);
    CHECK(made.seconds == 0.0);
    CHECK(made.diskBytes == 0);
    CHECK(cost({.resume = false, .fresh = true}).reused.empty());
    std::ofstream(shop.folder / "workspace" / "artifacts" / key / "result.json") << "cut";      // a run makes it anew
    CHECK(cost().reused == std::vector<std::string>{"align"});
}

TEST_CASE("train-teacher leaves a folder that loads wherever a model is taken")
{
    Workshop shop;
    const nlohmann::json spec = {
        {"kind", "train-teacher"}, {"seed", 3}, {"steps", 3}, {"batch_sequences", 4}, {"warmup_steps", 1},
        {"model", {{"num_layers", 2}, {"hidden_size", 16}, {"num_heads", 2}, {"num_kv_heads", 1}, {"head_dim", 8}, {"intermediate_size", 12}, {"retrieval_layer", 1}}},
        {"curriculum", {{"enabled", false}}},
        {"data", {{"sequence_length", 24}, {"held_out_sequences", 4}, {"recall", {{"num_keys", 16}, {"num_values", 16}, {"num_fillers", 8}, {"pairs", 3}}}}}};
    const nlohmann::json trained = shop.result(spec);
    CHECK(trained.at("steps") == 3);
    CHECK(trained.at("solved") == false);
    CHECK(trained.at("recall_without_attention").size() == 2);
    const fs::path folder = shop.folder / "workspace" / trained.at("model").get<std::string>();
    const nlohmann::json record = nlohmann::json::parse(std::ifstream(folder / "training.json"));
    CHECK(record.at("seed") == 3);
    CHECK(record.at("spec").at("steps") == 3);
    const nlohmann::json inspected = shop.result({{"kind", "inspect"}, {"model", folder.string()}});
    CHECK(inspected.dump().find("qwen2") != std::string::npos);
    const nlohmann::json continued = shop.result({{"kind", "generate"}, {"model", folder.string()}, {"prompt", "k00 v01 k00"}, {"max_new_tokens", 2}});
    CHECK(!continued.empty());
    CHECK(shop.result(spec) == trained);
    CHECK(shop.said("reused"));
    nlohmann::json wrong = spec;
    wrong["model"]["num_kv_heads"] = 3;
    CHECK_THROWS_WITH_AS((void)shop.run(wrong), doctest::Contains("num_kv_heads"), Error);
}

TEST_CASE("on text a hybrid's recall is that of passkeys, and its KL is kept by sequence")
{
    Workshop shop(1000);
    std::filesystem::copy_file(test::testData() / "text/tokenizers/gpt2.tokenizer.json", shop.folder / "teacher" / "tokenizer.json");
    std::string tale;
    for (int i = 0; i < 600; ++i)
        tale += "Line " + std::to_string(i) + " of a long tale about a mill. ";
    std::ofstream(shop.folder / "tale.txt") << tale;
    nlohmann::json spec = shop.withAlignment("distill");
    spec["steps"] = 1;
    spec["batch_sequences"] = 2;
    spec["keep"] = {1};
    spec["alignment"] = {{"steps", 1}, {"batch_sequences", 2}};
    spec["data"] = {{"source", "text"}, {"files", {(shop.folder / "tale.txt").string()}}, {"held_out_files", {(shop.folder / "tale.txt").string()}}, {"sequence_length", 384}, {"held_out_sequences", 3}};
    const nlohmann::json result = shop.result(spec);
    const nlohmann::json &measures = result.at("measures");
    CHECK(measures.at("recall_task") == "passkeys, 4 in 384 tokens");
    CHECK(measures.at("recall_n") == 12);
    CHECK(measures.at("recall_sequences") == 3);
    CHECK(measures.at("recall").get<double>() >= 0.0);
    CHECK(measures.at("recall_token_accuracy").get<double>() < 0.5);      // a model of random weights

    const std::filesystem::path artifact = (shop.folder / "workspace" / result.at("model").get<std::string>()).parent_path();
    const nlohmann::json curve = nlohmann::json::parse(std::ifstream(artifact / "curve.json"));
    CHECK(curve.at("kept") == nlohmann::json({1}));
    double sum = 0.0;
    for (const nlohmann::json &kl : curve.at("kl_nats")[0])
        sum += kl.get<double>();
    CHECK(sum / 3.0 == doctest::Approx(measures.at("kl_nats").get<double>()));

    spec["data"]["sequence_length"] = 128;                                // no room for passkeys
    CHECK_FALSE(shop.result(spec).at("measures").contains("recall"));
}

TEST_CASE("knowing which model it is, looking whether its weights are finite and hashing its data end when a stop is requested")
{
    const Workshop shop;
    const std::string teacher = (shop.folder / "teacher").string();
    const auto cancelled = [](const auto &work) {
        try {
            work();
        } catch (const Error &error) {
            return error.code() == ErrorCode::Cancelled;
        }
        return false;
    };
    std::stop_source stopped;
    stopped.request_stop();
    const std::stop_token stop = stopped.get_token();
    procedures::LoadedModels models;
    CHECK(cancelled([&] { (void)models.get(teacher, shop.folder / "workspace", at::kCPU, stop); }));
    const auto model = models.get(teacher, shop.folder / "workspace", at::kCPU);
    CHECK_NOTHROW(procedures::requireFiniteWeights(*model));
    CHECK(cancelled([&] { procedures::requireFiniteWeights(*model, stop); }));
    const nlohmann::json data{{"source", "tokens"}, {"files", {teacher + "/model.safetensors"}}, {"held_out_files", nlohmann::json::array()}};
    CHECK(procedures::dataHashes(data, model->files).size() == 3);
    CHECK(cancelled([&] { (void)procedures::dataHashes(data, model->files, stop); }));
}
