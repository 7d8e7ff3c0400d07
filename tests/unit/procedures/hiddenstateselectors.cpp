// SPDX-License-Identifier: GPL-3.0-or-later
// light-transfer, gates and beam-search as stages: their numbers are those of the room `selection`, and broken-off runs go on where they were.
#include "choices/halo.h"
#include "distillation/batchplaces.h"
#include "distillation/heldoutkl.h"
#include "error.h"
#include "evaluation/recall.h"
#include "nn/tensorfile.h"
#include "procedures/alignedlayers.h"
#include "procedures/keptlayers.h"
#include "procedures/passkeybatches.h"
#include "procedures/selectors.h"
#include "procedures/trainingdata.h"
#include "selection/hybrid.h"
#include "selection/laziness.h"
#include "testdata.h"
#include "text/passkeys.h"
#include "workshop.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace stillroom;

namespace {

struct HiddenStateShop : test::Workshop {
    HiddenStateShop() : Workshop(40, test::tinyConfig().hiddenSize, 3) {}
    [[nodiscard]] nlohmann::json scoring(const std::string &selector, const std::string &object = {}, nlohmann::json fields = nlohmann::json::object()) const
    {
        nlohmann::json made = withAlignment("score");
        made["selector"] = selector;
        if (!object.empty())
            made[object] = std::move(fields);
        return made;
    }
    /// Runs until `count` metrics of `series` were said, then asks to stop.
    experiment::Event brokenOff(const nlohmann::json &spec, const std::string &series, int count)
    {
        std::stop_source stop;
        int said = 0;
        onEvent = [&](const experiment::Event &event) {
            if (const auto *metric = std::get_if<experiment::Metric>(&event.body); metric && metric->series == series && ++said == count)
                stop.request_stop();
        };
        const experiment::Event last = run(spec, false, false, stop.get_token());
        onEvent = {};
        return last;
    }
    nlohmann::json resumed(const nlohmann::json &spec)
    {
        const experiment::Event last = run(spec, false, true);
        REQUIRE(std::holds_alternative<experiment::Finished>(last.body));
        return nlohmann::json::parse(std::get<experiment::Finished>(last.body).resultJson);
    }
    [[nodiscard]] int metrics(const std::string &series) const
    {
        return static_cast<int>(std::count_if(events.begin(), events.end(), [&](const experiment::Event &event) {
            const auto *metric = std::get_if<experiment::Metric>(&event.body);
            return metric && metric->series == series;
        }));
    }
    std::string refusalOf(const nlohmann::json &spec)
    {
        try {
            (void)run(spec);
        } catch (const Error &error) {
            return error.what();
        }
        const auto *failed = std::get_if<experiment::Failed>(&events.back().body);
        return failed ? failed->message : "";
    }
};

double scoreOfLayer(const nlohmann::json &result, int layer)
{
    for (const nlohmann::json &score : result.at("scores"))
        if (score.at("layer") == layer)
            return score.at("score").get<double>();
    return std::nan("");
}

}  // namespace

TEST_CASE("an empty object of a selector means its defaults, field by field")
{
    for (const procedures::Selector *selector : procedures::selectors())
        for (const procedures::SelectorField &field : selector->fields) {
            const nlohmann::json preset = nlohmann::json::parse(field.defaultJson);
            if (!preset.is_object())
                continue;
            CAPTURE(field.name);
            nlohmann::json spec = {{"kind", "score"}, {"teacher", "demo"}, {"selector", selector->name}};
            spec[std::string(field.name)] = nlohmann::json::object();
            CHECK(experiment::completeSpec(spec).at(std::string(field.name)) == preset);
        }
}

TEST_CASE("light-transfer scores are the laziness of the held-out sequences")
{
    HiddenStateShop shop;
    const nlohmann::json spec = shop.scoring("light-transfer"), result = shop.result(spec);
    procedures::LoadedModels models;
    const auto teacher = models.get((shop.folder / "teacher").string(), shop.folder / "workspace", at::kCPU);
    const auto data = procedures::openData(experiment::completeSpec(spec).at("data"), teacher->files, {4, 1, teacher->files.config.vocabSize, {}, {}});
    selection::LazinessOptions options;
    options.recentTokens = 12;       // half of 24
    const selection::LazinessScores expected = selection::scoreLaziness(teacher->model, data.heldOut, options);
    for (int layer = 0; layer < 3; ++layer) {
        CHECK(scoreOfLayer(result, layer) == expected.mean(layer));
        CHECK(result.at("scores")[static_cast<std::size_t>(layer)].at("se") == expected.se(layer));
        CHECK(expected.mean(layer) < 1.0);
    }
    CHECK(result.at("scores")[0].at("higher_is_better") == false);
    CHECK(result.at("notes").at("recent_tokens") == 12);

    const nlohmann::json often = shop.result(shop.scoring("light-transfer", "laziness", {{"statistic", "frequency"}, {"keep_count", 2}}));
    const std::vector<double> share_L = expected.lazyShare_L(2);
    for (int layer = 0; layer < 3; ++layer)
        CHECK(scoreOfLayer(often, layer) == share_L[static_cast<std::size_t>(layer)]);
    CHECK(share_L[0] + share_L[1] + share_L[2] == doctest::Approx(1.0));

    const nlohmann::json blind = shop.result(shop.scoring("light-transfer", "laziness", {{"recent_tokens", 20}}));   // 4 + 20 = 24
    CHECK(scoreOfLayer(blind, 1) == 1.0);
    CHECK(std::any_of(shop.events.begin(), shop.events.end(), [](const experiment::Event &event) { return std::holds_alternative<experiment::Warning>(event.body); }));
}

TEST_CASE("gates: the mean over runs on different data, and broken off in the second run the same numbers")
{
    for (const char *form : {"clamp", "softmax"}) {
        HiddenStateShop shop;
        const nlohmann::json spec = shop.scoring("gates", "gates", {{"form", form}}), whole = shop.result(spec);
        const auto byRun = whole.at("notes").at("gates_by_run").get<std::vector<std::vector<double>>>();
        REQUIRE(byRun.size() == 3);
        CHECK(byRun[0] != byRun[1]);
        for (int layer = 0; layer < 3; ++layer) {
            const auto l = static_cast<std::size_t>(layer);
            CHECK(scoreOfLayer(whole, layer) == doctest::Approx((byRun[0][l] + byRun[1][l] + byRun[2][l]) / 3.0));
            CHECK(scoreOfLayer(whole, layer) >= 0.0);
            CHECK(scoreOfLayer(whole, layer) <= 1.0);
        }
        CHECK(whole.at("scores")[0].at("n") == 3);
        CHECK(whole.at("scores")[0].at("tokens") == 4 * 4 * 24);
        CHECK(whole.at("error_bars") == "standard error over 3 runs on different data");
        HiddenStateShop other;
        CHECK(std::holds_alternative<experiment::Cancelled>(other.brokenOff(spec, "gates/loss", 6).body));   // 4 steps a run
        const nlohmann::json resumed = other.resumed(spec);
        CHECK(resumed.at("notes").at("gates_by_run") == whole.at("notes").at("gates_by_run"));
        CHECK(other.metrics("gates/loss") < 12);       // the first run and the steps before the stop were not trained again
    }
    HiddenStateShop shop;
    const nlohmann::json one = shop.result(shop.scoring("gates", "gates", {{"runs", 1}}));
    CHECK(one.at("error_bars").get<std::string>().starts_with("none: "));
    CHECK(one.at("scores")[0].at("se").is_null());
    CHECK(shop.refusalOf(shop.scoring("gates", "gates", {{"form", "sigmoid"}, {"start", 1}})).find("start") != std::string::npos);
}

namespace {

/// A teacher with a real tokenizer, and a text of its own.
struct TextShop : test::Workshop {
    static constexpr int vocabSize = 701;
    TextShop() : Workshop(vocabSize, 16, 2)
    {
        if (const char *cache = std::getenv("XDG_CACHE_HOME"))
            cacheBefore = cache;
        ::setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);      // where packed texts lie
        std::filesystem::copy_file(test::testData() / "text/tokenizers/gpt2.tokenizer.json", folder / "teacher" / "tokenizer.json");
        std::ofstream file(folder / "tale.txt");
        for (int i = 0; i < 3000; ++i)
            file << "Sentence " << i << " of a tale that goes on.\n" << (i % 20 == 19 ? "\n" : "");
    }
    ~TextShop() { cacheBefore.empty() ? ::unsetenv("XDG_CACHE_HOME") : ::setenv("XDG_CACHE_HOME", cacheBefore.c_str(), 1); }
    std::string cacheBefore;
    [[nodiscard]] nlohmann::json scoring(const char *selector) const
    {
        nlohmann::json made = withAlignment("score");
        made["selector"] = selector;
        made["batch_sequences"] = 2;
        made["data"] = {{"source", "text"}, {"files", {(folder / "tale.txt").string()}}, {"sequence_length", 160}, {"held_out_sequences", 2}, {"held_out_fraction", 0.3}};
        made["alignment"] = {{"steps", 2}, {"batch_sequences", 2}};
        return made;
    }
    [[nodiscard]] nlohmann::json gates(nlohmann::json gates) const
    {
        nlohmann::json made = scoring("gates");
        gates["runs"] = 2;
        made["gates"] = std::move(gates);
        return made;
    }
};

}  // namespace

TEST_CASE("gates on text train on passkeys woven into it; without text they say what to do")
{
    TextShop shop;
    const auto gatesOf = [&](const nlohmann::json &gates) { return shop.result(shop.gates(gates)).at("notes").at("gates_by_run"); };
    const nlohmann::json passkeys = gatesOf({{"pairs", 2}}), corpus = gatesOf({{"data", "corpus"}}), answers = gatesOf({{"pairs", 2}, {"answers_only", true}}), one = gatesOf({{"pairs", 1}});
    CHECK(passkeys.size() == 2);
    CHECK(passkeys != corpus);
    CHECK(passkeys != answers);
    CHECK(passkeys != one);
    // 30 statements and questions do not fit into 160 tokens.
    const experiment::Event last = shop.run(shop.gates({{"pairs", 30}}));
    REQUIRE(std::holds_alternative<experiment::Failed>(last.body));
    CHECK(std::get<experiment::Failed>(last.body).message.find("has no room for text") != std::string::npos);

    nlohmann::json tokens = shop.gates({{"pairs", 2}});
    const at::Tensor ids_BT = test::randomIds(12, 160, TextShop::vocabSize, 3);
    nn::writeTensors(shop.folder / "ids.safetensors", {{"input_ids", ids_BT}});
    tokens["data"]["source"] = "tokens";
    tokens["data"]["files"] = {(shop.folder / "ids.safetensors").string()};
    const experiment::Event refused = shop.run(tokens);
    REQUIRE(std::holds_alternative<experiment::Failed>(refused.body));
    CHECK(std::get<experiment::Failed>(refused.body).message.find("set gates.data to corpus") != std::string::npos);
    tokens["gates"]["data"] = "corpus";
    CHECK(shop.result(tokens).at("scores").size() == 2);
}

TEST_CASE("on text halo and beam-search by recall ask for passkeys, as a loop over the hybrids does")
{
    TextShop shop;
    const auto longScoring = [&](const char *selector) {
        nlohmann::json made = shop.scoring(selector);
        made["data"]["sequence_length"] = 448;
        return made;
    };
    const auto openTeacher = [&] {
        procedures::LoadedModels models;
        return models.get((shop.folder / "teacher").string(), shop.folder / "workspace", at::kCPU);
    };
    const auto data = procedures::openData(experiment::completeSpec(longScoring("halo")).at("data"), openTeacher()->files, {2, 1, TextShop::vocabSize, {}, {}});
    const text::PasskeyDocuments passkeys({.pairs = 4}, data.tokenizer);
    std::vector<text::PasskeyDocument> documents;
    std::vector<distillation::Batch> texts;
    for (const distillation::Batch &batch : data.heldOut)
        for (std::int64_t row = 0; row < batch.ids_BT.size(0); ++row) {
            texts.push_back(distillation::rowsOf(batch, row, 1));
            documents.push_back(passkeys.document(procedures::tokensWithoutPadding(batch, row), 448, 1, static_cast<std::int64_t>(documents.size())));
        }
    REQUIRE(documents.size() == 2);

    // A teacher that can say nothing but tokens of answers, so that some are right by chance.
    const c10::NoGradGuard noGradients;
    nn::Transformer babbler = nn::deepCopy(openTeacher()->model);
    at::Tensor isAnswer_V = at::zeros({TextShop::vocabSize, 1});
    for (const text::PasskeyDocument &document : documents)
        for (std::size_t t = 0; t + 1 < document.ids.size(); ++t)
            if (document.answers[t] != 0)
                isAnswer_V[document.ids[t + 1]].fill_(1.0);
    babbler.head_VD.mul_(isAnswer_V);
    nn::saveTransformer(babbler, shop.folder / "teacher");
    const auto teacher = openTeacher();
    const nlohmann::json halo = shop.result(longScoring("halo"));
    const auto aligned = procedures::loadAligned(shop.folder / "workspace" / "artifacts" / halo.at("aligned").get<std::string>(), teacher->files.config, teacher->hash, at::kCPU).layers;
    const auto logProbabilities_TV = [](const nn::Transformer &model, const distillation::Batch &batch) {
        return model.logits(model.forward(batch.ids_BT, distillation::placesOf(batch, at::kCPU), at::kFloat).hidden_BTD)[0].to(at::kDouble).log_softmax(-1);
    };
    const auto likeliest_T = [&](const nn::Transformer &model, const text::PasskeyDocument &document) {
        return logProbabilities_TV(model, {at::tensor(document.ids, at::TensorOptions(at::kLong)).unsqueeze(0), {}, {}}).argmax(-1);
    };
    std::vector<double> recall, rest;
    for (const int layer : {0, 1}) {
        const nn::Transformer student = selection::hybrid(teacher->model, aligned, {1 - layer});
        double recalled = 0.0, asked = 0.0, loss = 0.0;
        for (const text::PasskeyDocument &document : documents) {
            const at::Tensor best_T = likeliest_T(student, document);
            for (std::size_t t = 0; t + 1 < document.ids.size(); ++t) {
                if (document.answers[t] == 0 || (t > 0 && document.answers[t - 1] != 0))
                    continue;
                bool whole = true;
                for (std::size_t place = t; document.answers[place] != 0 && place + 1 < document.ids.size(); ++place)
                    whole = whole && best_T[static_cast<std::int64_t>(place)].item<std::int64_t>() == document.ids[place + 1];
                asked += 1.0;
                recalled += whole ? 1.0 : 0.0;
            }
        }
        for (const distillation::Batch &batch : texts) {
            const at::Tensor log_TV = logProbabilities_TV(student, batch), labels_T = distillation::nextTokenLabels(batch)[0];
            double sum = 0.0, tokens = 0.0;
            for (std::int64_t t = 0; t < labels_T.size(0); ++t)
                if (const auto label = labels_T[t].item<std::int64_t>(); label >= 0) {
                    sum -= log_TV[t][label].item<double>();
                    tokens += 1.0;
                }
            loss += sum / tokens / static_cast<double>(texts.size());
        }
        CHECK(asked == 8.0);
        recall.push_back(recalled / asked);
        rest.push_back(-loss);
        const nlohmann::json &note = halo.at("notes").at("measured")[static_cast<std::size_t>(layer)];
        CHECK(note.at("recall").get<double>() == recall.back());
        CHECK(note.at("loss_nats").get<double>() == doctest::Approx(loss).epsilon(1e-5));
        rest.back() = -note.at("loss_nats").get<double>();
        CHECK_FALSE(note.contains("filler_accuracy"));
    }
    const std::vector<double> expected = choices::haloScores(recall, rest);
    for (int layer = 0; layer < 2; ++layer)
        CHECK(scoreOfLayer(halo, layer) == expected[static_cast<std::size_t>(layer)]);
    CHECK(halo.at("scores")[0].at("unit") == "passkeys lost / nats lost");
    CHECK(halo.at("notes").at("suites").get<std::string>().find("passkeys") != std::string::npos);

    nlohmann::json spec = longScoring("beam-search");
    spec["beam"] = {{"measure", "recall"}};
    const nlohmann::json beam = shop.result(spec);
    CHECK(beam.at("scores")[0].at("unit") == "share of wrong answer tokens");
    for (const int layer : {0, 1}) {
        const nn::Transformer student = selection::hybrid(teacher->model, aligned, {layer});
        double wrong = 0.0;
        for (const text::PasskeyDocument &document : documents) {
            const at::Tensor best_T = likeliest_T(student, document);
            double tokens = 0.0, missed = 0.0;
            for (std::size_t t = 0; t + 1 < document.ids.size(); ++t)
                if (document.answers[t] != 0) {
                    tokens += 1.0;
                    missed += best_T[static_cast<std::int64_t>(t)].item<std::int64_t>() == document.ids[t + 1] ? 0.0 : 1.0;
                }
            wrong += missed / tokens / 2.0;
        }
        CHECK(scoreOfLayer(beam, layer) == doctest::Approx(wrong));
        CHECK(wrong < 1.0);
    }

    // Four statements and questions do not fit into 60 tokens.
    for (nlohmann::json shorter : {longScoring("halo"), spec}) {
        shorter["data"]["sequence_length"] = 60;
        const experiment::Event last = shop.run(shorter);
        REQUIRE(std::holds_alternative<experiment::Failed>(last.body));
        CHECK(std::get<experiment::Failed>(last.body).message.find("room for text") != std::string::npos);
    }
}

TEST_CASE("beam-search: with every set in the beam the best of each size, every KL equal in every bit")
{
    HiddenStateShop shop;
    const nlohmann::json spec = shop.scoring("beam-search", "beam", {{"width", 3}, {"largest_keep", 3}}), result = shop.result(spec);
    procedures::LoadedModels models;
    const auto teacher = models.get((shop.folder / "teacher").string(), shop.folder / "workspace", at::kCPU);
    const auto aligned = procedures::loadAligned(shop.folder / "workspace" / "artifacts" / result.at("aligned").get<std::string>(), teacher->files.config, teacher->hash, at::kCPU).layers;
    const auto data = procedures::openData(experiment::completeSpec(spec).at("data"), teacher->files, {4, 1, teacher->files.config.vocabSize, {}, {}});
    const distillation::HeldOutSet heldOut(teacher->model, data.heldOut, {});
    const auto kl = [&](const experiment::LayerSet &keep) { return heldOut.measure(selection::hybrid(teacher->model, aligned, keep)).mean(); };
    const std::vector<std::vector<experiment::LayerSet>> bySize = {{{}}, {{0}, {1}, {2}}, {{0, 1}, {0, 2}, {1, 2}}, {{0, 1, 2}}};
    REQUIRE(result.at("sets").size() == 4);
    for (std::size_t size = 0; size < 4; ++size) {
        const auto best = *std::min_element(bySize[size].begin(), bySize[size].end(), [&](const auto &a, const auto &b) { return kl(a) < kl(b); });
        CHECK(result.at("sets")[size].at("layers").get<experiment::LayerSet>() == best);
        CHECK(result.at("sets")[size].at("score") == kl(best));
        CHECK(result.at("sets")[size].at("n") == 6);
        CHECK(procedures::keptBy(result, static_cast<int>(size)) == best);
    }
    for (int layer = 0; layer < 3; ++layer)
        CHECK(scoreOfLayer(result, layer) == kl({layer}));
    CHECK(result.at("all_linear").at("score") == kl({}));
    CHECK(result.at("cost").at("spent").at("block_passes") == 3 + 3 + 8 + 8 + 3);   // the teacher, and the trees of the sets of 0, 1, 2 and 3 layers
    CHECK(result.at("cost").at("planned").at("block_passes") == (1 + 8) * 3);

    // Broken off after the sets of one layer: those are not measured again.
    HiddenStateShop other;
    CHECK(std::holds_alternative<experiment::Cancelled>(other.brokenOff(spec, "beam/best", 2).body));
    const nlohmann::json resumed = other.resumed(spec);
    CHECK(resumed.at("sets") == result.at("sets"));
    CHECK(resumed.at("scores") == result.at("scores"));
    CHECK(resumed.at("cost").at("spent").at("block_passes") == 3 + 8 + 3);

    nlohmann::json part = spec;
    part["layers"] = {0, 1};
    CHECK(shop.refusalOf(part).find("layers") != std::string::npos);
    part = shop.scoring("beam-search", "beam", {{"largest_keep", 4}});
    CHECK(shop.refusalOf(part).find("largest_keep") != std::string::npos);
}

TEST_CASE("beam-search by loss and by recall, and over a supernet")
{
    HiddenStateShop shop;
    const nlohmann::json byRecall = shop.result(shop.scoring("beam-search", "beam", {{"measure", "recall"}}));
    procedures::LoadedModels models;
    const auto teacher = models.get((shop.folder / "teacher").string(), shop.folder / "workspace", at::kCPU);
    const auto aligned = procedures::loadAligned(shop.folder / "workspace" / "artifacts" / byRecall.at("aligned").get<std::string>(), teacher->files.config, teacher->hash, at::kCPU).layers;
    const auto data = procedures::openData(experiment::completeSpec(shop.scoring("beam-search")).at("data"), teacher->files, {4, 1, teacher->files.config.vocabSize, {}, {}});
    for (int layer = 0; layer < 3; ++layer) {
        double wrong = 0.0;
        for (std::int64_t i = 0; i < 6; ++i)
            wrong += (1.0 - evaluation::recallAccuracy(selection::hybrid(teacher->model, aligned, {layer}), {procedures::heldOutRecall(*data.recall, i)}, at::kFloat).recall) / 6.0;
        CHECK(scoreOfLayer(byRecall, layer) == doctest::Approx(wrong));
    }
    CHECK(byRecall.at("scores")[0].at("unit") == "share of wrong answers");

    const nlohmann::json zero = shop.result(shop.scoring("zero-shot-ga"));
    nlohmann::json lossSpec = shop.scoring("zero-shot-ga");
    lossSpec["score_by"] = "perplexity";
    const nlohmann::json zeroLoss = shop.result(lossSpec), loss = shop.result(shop.scoring("beam-search", "beam", {{"measure", "perplexity"}}));
    const nlohmann::json spec = shop.scoring("beam-search", "beam", {{"supernet_steps", 4}}), supernet = shop.result(spec), plain = shop.result(shop.scoring("beam-search"));
    for (int layer = 0; layer < 3; ++layer) {
        CHECK(scoreOfLayer(loss, layer) == scoreOfLayer(zeroLoss, layer));
        CHECK(scoreOfLayer(plain, layer) == scoreOfLayer(zero, layer));
        CHECK(scoreOfLayer(supernet, layer) != scoreOfLayer(zero, layer));
    }
    CHECK(supernet.at("cost").at("spent").at("training_tokens") == 4 * 4 * 24);
    CHECK(supernet.at("scores")[0].at("tokens") == 4 * 4 * 24);
    HiddenStateShop other;
    CHECK(std::holds_alternative<experiment::Cancelled>(other.brokenOff(spec, "supernet/hidden-error", 2).body));
    const nlohmann::json resumed = other.resumed(spec);
    CHECK(resumed.at("scores") == supernet.at("scores"));
    CHECK(other.metrics("supernet/hidden-error") < 4);
}
