// SPDX-License-Identifier: GPL-3.0-or-later
// What every selector of the table promises, checked for each of them on a teacher of three layers.
#include "choices/halo.h"
#include "distillation/allocationmeter.h"
#include "distillation/attentionoutputloss.h"
#include "distillation/heldoutkl.h"
#include "error.h"
#include "evaluation/recall.h"
#include "mixers/modelsize.h"
#include "procedures/alignedlayers.h"
#include "procedures/estimate.h"
#include "procedures/keptlayers.h"
#include "procedures/measuringmemory.h"
#include "procedures/modelargument.h"
#include "procedures/selectors.h"
#include "procedures/trainingdata.h"
#include "selection/branches.h"
#include "selection/hybrid.h"
#include "testdata.h"
#include "workshop.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>

using namespace stillroom;
using procedures::Selector;
using test::Workshop;

namespace {

constexpr int numLayers = 3;

constexpr int wordsOfTokenizer = 40;

/// A tokenizer of 40 words: ten digits, words to ask for, and one for all that it does not know.
nlohmann::json wordTokenizer()
{
    nlohmann::json vocabulary = {{"<unk>", 39}};
    for (int id = 0; id < 39; ++id)
        vocabulary[id < 10 ? std::to_string(id) : "word" + std::string(1, static_cast<char>('a' + id - 10))] = id;
    return {{"version", "1.0"}, {"added_tokens", {{{"id", 39}, {"content", "<unk>"}, {"special", true}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}}}},
            {"normalizer", nullptr}, {"pre_tokenizer", {{"type", "Whitespace"}}}, {"post_processor", nullptr}, {"decoder", nullptr}, {"truncation", nullptr}, {"padding", nullptr},
            {"model", {{"type", "WordLevel"}, {"unk_token", "<unk>"}, {"vocab", vocabulary}}}};
}

struct Shop : Workshop {
    explicit Shop(int vocabSize = wordsOfTokenizer) : Workshop(vocabSize, test::tinyConfig().hiddenSize, numLayers) { std::ofstream(folder / "teacher" / "tokenizer.json") << wordTokenizer().dump(); }
    [[nodiscard]] nlohmann::json scoring(std::string_view selector) const
    {
        nlohmann::json made = withAlignment("score");
        made["selector"] = selector;
        if (selector.starts_with("ar")) {
            made["num_prompts"] = 6;
            made["num_pairs"] = 5;
            made["max_new_tokens"] = 4;
        }
        return made;
    }
    [[nodiscard]] std::string refusal(const nlohmann::json &spec)
    {
        try {
            (void)run(spec);
        } catch (const Error &error) {
            CHECK(error.code() == ErrorCode::Usage);
            return error.what();
        }
        const auto *failed = std::get_if<experiment::Failed>(&events.back().body);
        REQUIRE(failed);
        CHECK(failed->code == "usage");
        return failed->message;
    }
};

/// Whether `ranking` orders by the scores; a ranking of its own must say what it follows instead.
bool followsScores(const nlohmann::json &result)
{
    return procedures::rankingByScores(result) == result.at("ranking").get<experiment::Ranking>();
}

}  // namespace

TEST_CASE("every selector says its cost before it works, takes what it said, scores every layer and says how sure it is")
{
    for (const Selector *selector : procedures::selectors()) {
        CAPTURE(selector->name);
        Shop shop;
        const nlohmann::json result = shop.result(shop.scoring(selector->name));
        REQUIRE(result.at("scores").size() == numLayers);
        CHECK(result.at("selector") == selector->name);
        const nlohmann::json &planned = result.at("cost").at("planned"), &spent = result.at("cost").at("spent");
        for (const char *amount : {"measured_tokens", "block_passes", "students", "training_tokens"}) {
            CAPTURE(amount);
            CHECK(spent.at(amount).get<std::int64_t>() <= planned.at(amount).get<std::int64_t>());
            CHECK((planned.at("at_most").get<bool>() || spent.at(amount) == planned.at(amount)));
        }
        CHECK(spent.at("at_most") == false);                    // what was taken is known
        CHECK((planned.at("students").get<std::int64_t>() > 0) == selector->trains);
        auto ranking = result.at("ranking").get<experiment::Ranking>();
        CHECK((followsScores(result) || result.contains("sets") || result.at("notes").contains("ranking")));
        std::sort(ranking.begin(), ranking.end());
        CHECK(ranking == experiment::Ranking{0, 1, 2});
        const bool bars = result.at("error_bars").get<std::string>().find("none: ") != 0;
        for (const nlohmann::json &score : result.at("scores")) {
            const nlohmann::json &se = score.at(score.at("kl_nats").is_null() ? "se" : "se_nats");
            CHECK(se.is_null() == !bars);
            CHECK((!bars || (score.at("n") > 1 && se.get<double>() >= 0.0)));
        }
        if (result.contains("sets"))
            for (const nlohmann::json &set : result.at("sets"))
                CHECK(procedures::keptBy(result, set.at("keep").get<int>()) == set.at("layers").get<experiment::LayerSet>());

        // Values by sequence, where they are kept, are what the scores are means of.
        const nlohmann::json curves = nlohmann::json::parse(std::ifstream(shop.folder / "workspace" / "artifacts" / result.at("key").get<std::string>() / "curves.json"));
        for (const nlohmann::json &sampled : curves.at("samples").at("layers")) {
            const nlohmann::json &score = result.at("scores")[sampled.at("layer").get<std::size_t>()];
            const auto values = sampled.at("values").get<std::vector<double>>();
            CHECK(procedures::overSequences(values).mean == score.at("score").get<double>());
            CHECK(values.size() == score.at("n").get<std::size_t>());
            CHECK(curves.at("samples").at("higher_is_better") == score.at("higher_is_better"));
        }

        // The cost is said before anything of this stage is measured, and a selector that looks at the teacher alone aligns nothing.
        const auto isCost = [](const experiment::Event &event) { const auto *text = std::get_if<experiment::Text>(&event.body); return text && text->name == "cost"; };
        const auto isScore = [&](const experiment::Event &event) { const auto *score = std::get_if<experiment::LayerScore>(&event.body); return score && score->selector == selector->name; };
        const auto said = std::find_if(shop.events.begin(), shop.events.end(), isCost), measured = std::find_if(shop.events.begin(), shop.events.end(), isScore);
        REQUIRE(said != shop.events.end());
        CHECK(said < measured);
        CHECK(result.contains("aligned") == selector->needsAligned);
        CHECK(std::any_of(shop.events.begin(), shop.events.end(), [](const experiment::Event &event) { return event.task == "align"; }) == selector->needsAligned);
    }
}

TEST_CASE("every selector gives the same numbers again")
{
    for (const Selector *selector : procedures::selectors()) {
        CAPTURE(selector->name);
        Shop shop;
        const nlohmann::json spec = shop.scoring(selector->name);
        const nlohmann::json once = shop.result(spec);
        CHECK(shop.result(spec, true).at("scores") == once.at("scores"));
    }
}

TEST_CASE("the names of selectors are unique, and a wrong one is answered with the nearest before anything runs")
{
    std::set<std::string_view> names;
    for (const Selector *selector : procedures::selectors()) {
        CHECK(names.insert(selector->name).second);
        CHECK(!selector->help.empty());
        CHECK(selector->help.ends_with('.'));
        CHECK(!selector->source.empty());
        CHECK(!selector->costFormula.empty());
        for (const procedures::SelectorField &field : selector->fields)
            CHECK_FALSE(nlohmann::json::parse(field.defaultJson, nullptr, false).is_discarded());
    }
    Shop shop;
    CHECK(shop.refusal(shop.scoring("ga-s3")).find("did you mean \"ga-s2\"?") != std::string::npos);
    const nlohmann::json pipeline = {{"kind", "pipeline"}, {"stages", {{{"task", "a"}, {"spec", shop.scoring("ga-s1")}}, {{"task", "b"}, {"spec", shop.scoring("zero-shot-gaga")}}}}};
    CHECK(shop.refusal(pipeline).find("zero-shot-ga\"?") != std::string::npos);
    CHECK(std::none_of(shop.events.begin(), shop.events.end(), [](const experiment::Event &event) { return event.task == "a"; }));
}

TEST_CASE("README names every selector")
{
    // By name, so that none is lost with its row in the table.
    for (const char *name : {"ga-s2", "gr-s2", "avg-s2", "exhaustive", "greedy-replace", "beam-search", "gates", "zero-shot-ga", "zero-shot-gr", "ga-s1", "gr-s1", "ppl-bypass", "kl-bypass", "mse-bypass", "ar", "ar-mh", "halo", "light-transfer"})
        CHECK_NOTHROW((void)procedures::selectorNamed(name));
    std::ifstream file(test::testData().parent_path().parent_path() / "README.md");
    const std::string readme{std::istreambuf_iterator<char>(file), {}};
    for (const Selector *selector : procedures::selectors()) {
        CAPTURE(selector->name);
        CHECK(readme.find('`' + std::string(selector->name) + '`') != std::string::npos);
    }
}

TEST_CASE("a selector refuses a field that only others read")
{
    Shop shop;
    nlohmann::json spec = shop.scoring("ga-s1");
    spec["score_by"] = "perplexity";
    CHECK(shop.refusal(spec).find("does not read the field \"score_by\"") != std::string::npos);
}

TEST_CASE("scores with a ranking or sets of their own choose by them, and damaged ones are refused")
{
    nlohmann::json scores = {{"num_layers", 3}, {"scores", {{{"layer", 0}, {"score", 1.0}}, {{"layer", 1}, {"score", 2.0}}, {{"layer", 2}, {"score", 3.0}}}}};
    CHECK(procedures::keptBy(scores, 1) == experiment::LayerSet{0});
    scores["ranking"] = {2, 0, 1};
    CHECK(procedures::rankingOf(scores) == experiment::Ranking{2, 0, 1});
    CHECK(procedures::rankingByScores(scores) == experiment::Ranking{0, 1, 2});
    CHECK(procedures::keptBy(scores, 2) == experiment::LayerSet{0, 2});
    scores["sets"] = {{{"keep", 2}, {"layers", {1, 2}}}};
    CHECK(procedures::keptBy(scores, 2) == experiment::LayerSet{1, 2});
    CHECK(procedures::keptBy(scores, 1) == experiment::LayerSet{2});
    for (const nlohmann::json &wrong : {nlohmann::json({2, 0}), nlohmann::json({2, 0, 0}), nlohmann::json("best"), nlohmann::json({0, 1, 7})}) {
        nlohmann::json damaged = scores;
        damaged["ranking"] = wrong;
        CHECK_THROWS_WITH_AS((void)procedures::rankingOf(damaged), doctest::Contains("\"ranking\""), Error);
    }
    for (const nlohmann::json &wrong : {nlohmann::json({{{"keep", 2}, {"layers", {1}}}}), nlohmann::json({{{"keep", 2}}}), nlohmann::json({{{"keep", 2}, {"layers", {1, 9}}}})}) {
        nlohmann::json damaged = scores;
        damaged["sets"] = wrong;
        CHECK_THROWS_AS((void)procedures::keptBy(damaged, 2), Error);
    }
    nlohmann::json empty = scores;
    empty["scores"] = nlohmann::json::array();
    CHECK_THROWS_WITH_AS((void)procedures::scoresIn(empty, "mine.json"), doctest::Contains("mine.json: \"scores\" is empty"), Error);
}

namespace {

/// The value of every layer, by layer.
std::vector<double> valuesOf(const nlohmann::json &result)
{
    std::vector<double> values(result.at("scores").size());
    for (const nlohmann::json &score : result.at("scores"))
        values[score.at("layer").get<std::size_t>()] = score.at("score").get<double>();
    return values;
}

/// What a score stage worked on, opened again.
struct Material {
    procedures::LoadedModels models;
    std::shared_ptr<const procedures::LoadedModel> teacher;
    std::vector<distillation::AlignedLayer> aligned;
    procedures::TrainingData data;

    Material(const Shop &shop, const nlohmann::json &spec, const nlohmann::json &result) : teacher(models.get((shop.folder / "teacher").string(), shop.folder / "workspace", at::kCPU))
    {
        if (result.contains("aligned"))
            aligned = procedures::loadAligned(shop.folder / "workspace" / "artifacts" / result.at("aligned").get<std::string>(), teacher->files.config, teacher->hash, at::kCPU).layers;
        data = procedures::openData(experiment::completeSpec(spec).at("data"), teacher->files, {4, 1, teacher->files.config.vocabSize, {}, {}});
    }
    [[nodiscard]] double loss(const experiment::LayerSet &keep) const
    {
        const distillation::HeldOutSet heldOut(teacher->model, data.heldOut, {});
        return procedures::overSequences(selection::measureHeldOut(selection::hybrid(teacher->model, aligned, keep), heldOut, selection::HeldOutMeasure::Loss)).mean;
    }
    [[nodiscard]] double kl(const experiment::LayerSet &keep) const
    {
        return distillation::HeldOutSet(teacher->model, data.heldOut, {}).measure(selection::hybrid(teacher->model, aligned, keep)).mean();
    }
};

experiment::LayerSet without(experiment::LayerSet layers, int layer)
{
    layers.erase(std::find(layers.begin(), layers.end(), layer));
    return layers;
}

}  // namespace

TEST_CASE("zero-shot scores are the KL of the hybrids that they speak of")
{
    Shop shop;
    const nlohmann::json ga = shop.result(shop.scoring("zero-shot-ga")), gr = shop.result(shop.scoring("zero-shot-gr"));
    const Material material(shop, shop.scoring("zero-shot-gr"), gr);
    for (int layer = 0; layer < numLayers; ++layer) {
        CHECK(valuesOf(ga)[static_cast<std::size_t>(layer)] == material.kl({layer}));
        CHECK(valuesOf(gr)[static_cast<std::size_t>(layer)] == material.kl(without({0, 1, 2}, layer)));
    }
    CHECK(ga.at("all_linear").at("score") == material.kl({}));
    CHECK(ga.at("scores")[0].at("higher_is_better") == false);
    CHECK(gr.at("scores")[0].at("higher_is_better") == true);

    nlohmann::json byPerplexity = shop.scoring("zero-shot-ga");
    byPerplexity["score_by"] = "perplexity";
    const nlohmann::json kept = shop.result(byPerplexity);
    for (int layer = 0; layer < numLayers; ++layer)
        CHECK(valuesOf(kept)[static_cast<std::size_t>(layer)] == material.loss({layer}));
    CHECK(kept.at("all_linear").at("score") == material.loss({}));
    CHECK(kept.at("scores")[0].at("kl_nats").is_null());

    nlohmann::json byLoss = shop.scoring("zero-shot-gr");
    byLoss["score_by"] = "perplexity";
    const nlohmann::json loss = shop.result(byLoss);
    const double base = std::log(loss.at("notes").at("perplexity").at("base").get<double>());
    for (const nlohmann::json &one : loss.at("notes").at("perplexity").at("layers"))
        CHECK(valuesOf(loss)[one.at("layer").get<std::size_t>()] == doctest::Approx(std::log(one.at("perplexity").get<double>()) - base));
}

TEST_CASE("a selector that looks at the teacher alone is one stage, whatever mixer and stage 1 are named")
{
    Shop shop;
    nlohmann::json spec = shop.scoring("kl-bypass");
    const nlohmann::json once = shop.result(spec);
    spec["mixer"] = {{"kind", "gla"}};
    spec["alignment"]["steps"] = 9;
    CHECK(shop.result(spec).at("key") == once.at("key"));
    CHECK(shop.said("reused"));
    CHECK(once.at("mixer") == "none");
}

TEST_CASE("skip_first puts the first layers last, and the scores stay")
{
    Shop shop;
    nlohmann::json spec = shop.scoring("ppl-bypass");
    const nlohmann::json plain = shop.result(spec);
    CHECK(plain.at("notes").contains("first_layers"));
    spec["skip_first"] = 2;
    const nlohmann::json skipped = shop.result(spec);
    CHECK(skipped.at("scores") == plain.at("scores"));
    CHECK(skipped.at("ranking")[0] == 2);
    const bool zeroFirst = valuesOf(plain)[0] >= valuesOf(plain)[1];
    CHECK(skipped.at("ranking")[1] == (zeroFirst ? 0 : 1));
    CHECK(skipped.at("notes").at("ranking").get<std::string>().find("skip_first 2") != std::string::npos);
    CHECK(procedures::keptBy(skipped, 1) == experiment::LayerSet{2});
    spec["skip_first"] = 4;
    CHECK(shop.refusal(spec).find("skip_first") != std::string::npos);
}

TEST_CASE("gr-s2, avg-s2 and exhaustive take each other's students: a student is trained once")
{
    Shop shop;
    const nlohmann::json ga = shop.result(shop.scoring("ga-s2")), gr = shop.result(shop.scoring("gr-s2")), avg = shop.result(shop.scoring("avg-s2"));
    CHECK(avg.at("cost").at("spent").at("students") == 0);
    CHECK(avg.at("notes").at("reused_students").size() == 6);
    const auto gaRanking = ga.at("ranking").get<experiment::Ranking>(), grRanking = gr.at("ranking").get<experiment::Ranking>();
    const auto place = [](const experiment::Ranking &ranking, int layer) { return static_cast<double>(std::find(ranking.begin(), ranking.end(), layer) - ranking.begin() + 1); };
    for (int layer = 0; layer < numLayers; ++layer)
        CHECK(valuesOf(avg)[static_cast<std::size_t>(layer)] == 0.5 * (place(gaRanking, layer) + place(grRanking, layer)));
    experiment::Ranking expected{0, 1, 2};
    std::sort(expected.begin(), expected.end(), [&](int a, int b) {
        const double meanA = place(gaRanking, a) + place(grRanking, a), meanB = place(gaRanking, b) + place(grRanking, b);
        return meanA != meanB ? meanA < meanB : place(gaRanking, a) < place(gaRanking, b);
    });
    CHECK(avg.at("ranking").get<experiment::Ranking>() == expected);

    nlohmann::json spec = shop.scoring("exhaustive");
    const nlohmann::json singles = shop.result(spec);
    CHECK(singles.at("cost").at("spent").at("students") == 0);
    CHECK(valuesOf(singles) == valuesOf(ga));
    CHECK(singles.at("sets")[0].at("layers")[0] == ga.at("ranking")[0]);
    spec["set_size"] = 2;
    const nlohmann::json pairs = shop.result(spec);
    CHECK(pairs.at("cost").at("spent").at("students") == 0);
    const nlohmann::json &table = pairs.at("notes").at("all_sets");
    REQUIRE(table.size() == 3);
    for (const nlohmann::json &row : table) {
        const auto layers = row.at("layers").get<experiment::LayerSet>();
        const int linear = 3 - layers[0] - layers[1];
        CHECK(row.at("kl_nats") == valuesOf(gr)[static_cast<std::size_t>(linear)]);
        CHECK(row.at("regret_nats").get<double>() == doctest::Approx(row.at("kl_nats").get<double>() - table[0].at("kl_nats").get<double>()));
        CHECK(row.at("regret_nats").get<double>() >= 0.0);
    }
    CHECK(table[0].at("regret_se_nats") == 0.0);
    CHECK(procedures::keptBy(pairs, 2) == table[0].at("layers").get<experiment::LayerSet>());
    for (int layer = 0; layer < numLayers; ++layer) {      // the mean over both sets that keep it
        double sum = 0.0;
        for (const nlohmann::json &row : table)
            if (const auto layers = row.at("layers").get<experiment::LayerSet>(); std::binary_search(layers.begin(), layers.end(), layer))
                sum += row.at("kl_nats").get<double>();
        CHECK(valuesOf(pairs)[static_cast<std::size_t>(layer)] == doctest::Approx(sum / 2));
    }
}

TEST_CASE("exhaustive: sets in groups, broken off and resumed, give the same table")
{
    Shop shop;
    nlohmann::json spec = shop.scoring("exhaustive");
    spec["set_size"] = 2;
    const nlohmann::json whole = shop.result(spec);
    spec["group_size"] = 1;
    CHECK(shop.result(spec, true).at("notes").at("all_sets") == whole.at("notes").at("all_sets"));
    // Stopped while the second set trains: the first one's curve is kept.
    Shop other;
    std::stop_source stop;
    nlohmann::json broken = other.scoring("exhaustive");
    broken["set_size"] = 2;
    broken["group_size"] = 1;
    other.onEvent = [&](const experiment::Event &event) {
        if (const auto *artifact = std::get_if<experiment::Artifact>(&event.body); artifact && artifact->role.starts_with("kl-curve"))
            stop.request_stop();
    };
    CHECK(std::holds_alternative<experiment::Cancelled>(other.run(broken, false, false, stop.get_token()).body));
    other.onEvent = {};
    const experiment::Event last = other.run(broken, false, true);
    const nlohmann::json resumed = nlohmann::json::parse(std::get<experiment::Finished>(last.body).resultJson);
    CHECK(resumed.at("notes").at("all_sets") == whole.at("notes").at("all_sets"));
    CHECK(resumed.at("notes").at("reused_students").size() == 1);
    CHECK(resumed.at("cost").at("spent").at("students") == 2);

    spec["max_sets"] = 2;
    CHECK(shop.refusal(spec).find("more than 2 sets") != std::string::npos);
    spec["set_size"] = 3;
    CHECK(shop.refusal(spec).find("set_size") != std::string::npos);
}

TEST_CASE("greedy-replace takes the way of the naive loop, with every KL of its path equal in every bit")
{
    Shop shop;
    const nlohmann::json result = shop.result(shop.scoring("greedy-replace"));
    const Material material(shop, shop.scoring("greedy-replace"), result);
    experiment::LayerSet kept{0, 1, 2};
    std::vector<int> order;
    for (const nlohmann::json &step : result.at("notes").at("path")) {
        int best = -1;
        for (const int layer : kept)
            if (best < 0 || material.kl(without(kept, layer)) < material.kl(without(kept, best)))
                best = layer;
        kept = without(kept, best);
        order.push_back(best);
        CHECK(step.at("replaced") == best);
        CHECK(step.at("kept").get<experiment::LayerSet>() == kept);
        CHECK(step.at("nats") == material.kl(kept));
        CHECK(procedures::keptBy(result, static_cast<int>(kept.size())) == kept);
    }
    CHECK(order.size() == numLayers);
    CHECK(result.at("notes").at("evaluations") == numLayers * (numLayers + 1) / 2);
    CHECK(result.at("ranking").get<std::vector<int>>() == std::vector<int>(order.rbegin(), order.rend()));

    nlohmann::json byLoss = shop.scoring("greedy-replace");
    byLoss["score_by"] = "perplexity";
    const nlohmann::json lossResult = shop.result(byLoss);
    for (const nlohmann::json &step : lossResult.at("notes").at("path"))
        CHECK(step.at("nats") == material.loss(step.at("kept").get<experiment::LayerSet>()));

    nlohmann::json part = shop.scoring("greedy-replace");
    part["replace_until"] = 2;
    const nlohmann::json one = shop.result(part);
    CHECK(one.at("notes").at("path")[0] == result.at("notes").at("path")[0]);
    CHECK(one.at("sets").size() == 2);
    CHECK(one.at("ranking")[2] == order[0]);
    part["layers"] = {0, 1};
    CHECK(shop.refusal(part).find("layers") != std::string::npos);
}

TEST_CASE("greedy-replace and ar go on where they were broken off, to the same numbers")
{
    for (const char *selector : {"greedy-replace", "ar"}) {
        CAPTURE(selector);
        Shop whole, shop;
        const nlohmann::json expected = whole.result(whole.scoring(selector));
        std::stop_source stop;
        int said = 0;
        shop.onEvent = [&](const experiment::Event &event) {
            const auto *metric = std::get_if<experiment::Metric>(&event.body);
            const auto *score = std::get_if<experiment::LayerScore>(&event.body);
            if (((metric && metric->series == "score/replaced") || (score && score->selector == selector)) && ++said == 2)
                stop.request_stop();
        };
        CHECK(std::holds_alternative<experiment::Cancelled>(shop.run(shop.scoring(selector), false, false, stop.get_token()).body));
        shop.onEvent = {};
        const nlohmann::json resumed = shop.result(shop.scoring(selector));
        CHECK(resumed.at("scores") == expected.at("scores"));
        CHECK(resumed.at("ranking") == expected.at("ranking"));
        CHECK(resumed.value("sets", nlohmann::json()) == expected.value("sets", nlohmann::json()));
        CHECK(resumed.at("cost").at("spent").at("block_passes").get<int>() < expected.at("cost").at("spent").at("block_passes").get<int>());
        // A piece that is damaged is measured again.
        for (const auto &entry : std::filesystem::recursive_directory_iterator(shop.folder / "workspace" / "artifacts"))
            if (entry.path().filename() == "piece.json")
                std::ofstream(entry.path()) << "{}";
        std::filesystem::remove_all(shop.folder / "workspace" / "artifacts" / resumed.at("key").get<std::string>());
        CHECK(shop.result(shop.scoring(selector)).at("scores") == expected.at("scores"));
    }
}

TEST_CASE("recall probes lose answers that the teacher had, paired by prompt")
{
    // No layer can lose what the teacher never knew; a random teacher's scores are differences of few answers, so the promise is checked on the answers themselves.
    Shop shop;
    nlohmann::json spec = shop.scoring("ar");
    spec["answer_match"] = "substring";
    spec["num_prompts"] = 40;
    const nlohmann::json result = shop.result(spec);
    const double teacher = result.at("notes").at("teacher_accuracy").get<double>();
    for (const nlohmann::json &score : result.at("scores")) {
        CHECK(score.at("n") == 40);
        CHECK(score.at("score").get<double>() <= teacher);
        CHECK(score.at("score").get<double>() >= teacher - 1.0);
    }
    CHECK(result.at("notes").at("answers").get<std::string>().find("published") != std::string::npos);
    std::filesystem::remove(shop.folder / "teacher" / "tokenizer.json");
    CHECK_FALSE(std::holds_alternative<experiment::Finished>(shop.run(shop.scoring("ar-mh")).body));
}

TEST_CASE("halo is its formula on the measured recall and accuracy")
{
    Shop shop;
    const nlohmann::json result = shop.result(shop.scoring("halo"));
    std::vector<double> recall, other;
    for (const nlohmann::json &one : result.at("notes").at("measured")) {
        recall.push_back(one.at("recall").get<double>());
        other.push_back(one.at("filler_accuracy").get<double>());
    }
    CHECK(valuesOf(result) == choices::haloScores(recall, other));
    const Material material(shop, shop.scoring("halo"), result);
    std::vector<text::RecallSequence> sequences;
    for (std::int64_t i = 0; i < 6; ++i)
        sequences.push_back(procedures::heldOutRecall(*material.data.recall, i));
    CHECK(evaluation::recallAccuracy(selection::hybrid(material.teacher->model, material.aligned, {0, 2}), sequences, at::kFloat).recall == recall[1]);
}

TEST_CASE("ga-s1 and gr-s1 are one ranking, that of the naive stage-1 losses, in each form of the loss")
{
    Shop shop;
    for (const char *form : {"relative-mse", "rms", "squared", "mean-square", "rms-scaled"}) {
        CAPTURE(form);
        nlohmann::json ga = shop.scoring("ga-s1"), gr = shop.scoring("gr-s1");
        ga["residual"] = gr["residual"] = form;
        const nlohmann::json added = shop.result(ga), removed = shop.result(gr);
        CHECK(added.at("scores").size() == numLayers);
        CHECK(valuesOf(added) == valuesOf(removed));
        CHECK(added.at("ranking") == removed.at("ranking"));
        CHECK(added.at("key") != removed.at("key"));

        // GA-S1 as its definition has it: the loss that is left over all other layers when one stays softmax; least first. Each layer by stage 1's own loss, sequence by sequence.
        const Material material(shop, ga, added);
        const distillation::OutputLoss loss = distillation::parseOutputLoss(form);
        std::vector<double> ofLayer(numLayers), without;
        std::int64_t sequences = 0;
        const c10::NoGradGuard noGradients;
        for (const distillation::Batch &batch : material.data.heldOut) {
            for (std::int64_t row = 0; row < batch.ids_BT.size(0); ++row, ++sequences) {
                const at::Tensor ids_BT = batch.ids_BT.slice(0, row, row + 1), counted_BT = distillation::countedTokens(batch).slice(0, row, row + 1);
                nn::ForwardOptions options;
                options.keepMixerInputs = options.keepMixerOutputs = true;
                const nn::ForwardResult result = material.teacher->model.forward(ids_BT, nn::placesFromMask(ids_BT), at::kFloat, options);
                for (const distillation::AlignedLayer &layer : material.aligned) {
                    const auto l = static_cast<std::size_t>(layer.layer);
                    const at::Tensor student_BTD = layer.mixer->forward(result.mixerInputs_BTD[l], nn::placesFromMask(ids_BT), nullptr);
                    const distillation::OutputLossSums sums = distillation::outputLossSums(loss, result.mixerOutputs_BTD[l].to(at::kDouble), student_BTD.to(at::kDouble), counted_BT);
                    ofLayer[l] += sums.numerator.item<double>() / distillation::outputLossDenominator(loss, sums.targetSquares.item<double>(), counted_BT.sum().item<std::int64_t>(), student_BTD.size(-1));
                }
            }
        }
        const double all = std::accumulate(ofLayer.begin(), ofLayer.end(), 0.0);
        for (const double one : ofLayer)
            without.push_back(all - one);
        for (std::size_t l = 0; l < ofLayer.size(); ++l)
            CHECK(valuesOf(added)[l] == doctest::Approx(ofLayer[l] / static_cast<double>(sequences)).epsilon(1e-5));
        CHECK(added.at("ranking").get<experiment::Ranking>() == experiment::rank(without, false));
    }
    CHECK(shop.refusal([&] { nlohmann::json wrong = shop.scoring("ga-s1"); wrong["residual"] = "cosine"; return wrong; }()).find("residual") != std::string::npos);
}

TEST_CASE("a race lets layers leave whose place is sure, and chooses what the whole run chooses")
{
    Shop shop;
    nlohmann::json whole = {{"kind", "score"}, {"teacher", "demo"}, {"selector", "ga-s2"}, {"steps", 12}, {"evaluations", 6}, {"batch_sequences", 8},
                            {"learning_rate_mixers", 1e-3}, {"learning_rate_rest", 1e-4}, {"alignment", {{"steps", 50}, {"batch_sequences", 8}}},
                            {"data", {{"source", "recall-task"}, {"sequence_length", 64}, {"held_out_sequences", 24}}}};
    nlohmann::json raced = whole;
    raced["early_stop"] = {{"enabled", true}, {"keep", {1}}};
    const nlohmann::json race = shop.result(raced);
    const nlohmann::json &note = race.at("notes").at("early_stop");
    CHECK(note.at("rule") == "race");
    CHECK(note.at("stopped") == true);
    CHECK(note.at("saved_fraction").get<double>() > 0.1);
    CHECK(note.at("planned_tokens") == 12 * 8 * 64);
    CHECK(note.at("tokens").get<std::int64_t>() <= note.at("planned_tokens").get<std::int64_t>());
    CHECK(note.at("races")[0].at("verdict") == "settled");
    CHECK(shop.said("early-stop"));

    const nlohmann::json full = shop.result(whole);
    CHECK(full.at("notes").at("early_stop").is_null());
    CHECK(race.at("ranking")[0] == full.at("ranking")[0]);
    CHECK(race.at("ranking").size() == full.at("ranking").size());
    std::int64_t tokens = 0;
    for (const nlohmann::json &score : race.at("scores"))
        tokens += score.at("tokens").get<std::int64_t>();
    CHECK(tokens < 6 * full.at("scores")[0].at("tokens").get<std::int64_t>());

    raced["early_stop"]["keep"] = {6};
    CHECK(shop.refusal(raced).find("K from 1 to 5") != std::string::npos);
    raced["early_stop"]["keep"] = {2};
    raced["selector"] = "avg-s2";
    raced["early_stop"]["rule"] = "race";
    CHECK(shop.refusal(raced).find("early_stop.rule") != std::string::npos);
}

TEST_CASE("what the spec and the teacher rule out is refused before anything is computed, by the run, its cost and its dry run in the same words")
{
    using Change = void (*)(nlohmann::json &spec);
    struct Refused {
        std::string_view selector, words;
        Change change;
    };
    const Refused all[] = {
        {"ga-s2", "K from 1 to 2", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {3}}}; }},
        {"gr-s2", "K from 1 to 2", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {1, 3}}}; }},
        {"avg-s2", "K from 1 to 3", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {4}}, {"window", 1}}; }},
        {"avg-s2", "\"early_stop.rule\" is race", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {1}}, {"rule", "race"}}; }},
        {"ga-s2", "\"early_stop.error\"", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {1}}, {"rule", "stable"}, {"error", 0.1}, {"window", 1}}; }},
        {"ga-s2", "\"evaluations\" makes 2", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {1}}}; spec["evaluations"] = 2; }},
        {"ga-s2", "early_stop.window smaller", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {1}}, {"rule", "stable"}}; }},
        {"ga-s2", "needs all layers to be scored", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {1}}}; spec["layers"] = {0, 1}; }},
        {"ga-s2", "all 4 students in one group", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {1}}}; spec["group_size"] = 3; }},
        {"ga-s2", "held_out_sequences", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {1}}}; spec["data"]["held_out_sequences"] = 1; }},
        {"zero-shot-ga", "does not read the field \"early_stop\"", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {1}}}; }},
        {"gates", "does not read the field \"early_stop\"", [](nlohmann::json &spec) { spec["early_stop"] = {{"enabled", true}, {"keep", {1}}}; }},
        {"ga-s2", "Layer 3 does not exist", [](nlohmann::json &spec) { spec["layers"] = {0, 3}; }},
        {"ga-s2", "\"alignment.layers\" leaves out layer 0", [](nlohmann::json &spec) { spec["alignment"]["layers"] = {1, 2}; }},
        {"ga-s1", "\"alignment.layers\" leaves out layer 2", [](nlohmann::json &spec) { spec["alignment"]["layers"] = {0, 1}; }},
        {"zero-shot-gr", "Layer 7 does not exist", [](nlohmann::json &spec) { spec["alignment"]["layers"] = {0, 7}; }},
        {"zero-shot-gr", "gdn", [](nlohmann::json &spec) { spec["mixer"]["kind"] = "gnd"; }},
        {"kl-bypass", "\"skip_first\" is 4", [](nlohmann::json &spec) { spec["skip_first"] = 4; }},
        {"ar", "\"skip_first\" is 4", [](nlohmann::json &spec) { spec["skip_first"] = 4; }},
        {"ar", "fewer than the 500", [](nlohmann::json &spec) { spec["num_pairs"] = 500; }},
        {"ar-mh", "\"num_prompts\"", [](nlohmann::json &spec) { spec["num_prompts"] = 1000000; spec["num_pairs"] = 20; }},
        {"exhaustive", "\"set_size\" is 3", [](nlohmann::json &spec) { spec["set_size"] = 3; }},
        {"exhaustive", "more than 2 sets", [](nlohmann::json &spec) { spec["max_sets"] = 2; }},
        {"greedy-replace", "\"replace_until\" is 3", [](nlohmann::json &spec) { spec["replace_until"] = 3; }},
        {"greedy-replace", "leave the field \"layers\" empty", [](nlohmann::json &spec) { spec["layers"] = {1}; }},
        {"beam-search", "\"beam.largest_keep\" is 4", [](nlohmann::json &spec) { spec["beam"] = {{"largest_keep", 4}}; }},
        {"beam-search", "leave the field \"layers\" empty", [](nlohmann::json &spec) { spec["layers"] = {1}; }},
        {"beam-search", "recall-task, or text", [](nlohmann::json &spec) { spec["beam"] = {{"measure", "recall"}}; spec["data"]["source"] = "tokens"; spec["data"]["files"] = {"/nonexistent"}; }},
        {"gates", "set gates.data to corpus", [](nlohmann::json &spec) { spec["data"]["source"] = "tokens"; spec["data"]["files"] = {"/nonexistent"}; }},
        {"gates", "passkey documents cannot be made", [](nlohmann::json &spec) { spec["data"]["source"] = "text"; spec["data"]["files"] = {"/nonexistent"}; }},
        {"light-transfer", "\"laziness.keep_count\" is 4", [](nlohmann::json &spec) { spec["laziness"] = {{"statistic", "frequency"}, {"keep_count", 4}}; }},
        {"halo", "passkey documents cannot be made", [](nlohmann::json &spec) { spec["data"]["source"] = "text"; spec["data"]["files"] = {"/nonexistent"}; }},
        {"halo", "recall-task, or text", [](nlohmann::json &spec) { spec["data"]["source"] = "tokens"; spec["data"]["files"] = {"/nonexistent"}; }},
    };
    Shop shop;
    for (const Refused &one : all) {
        CAPTURE(one.selector);
        CAPTURE(one.words);
        nlohmann::json spec = shop.scoring(one.selector);
        one.change(spec);
        const std::string said = shop.refusal(spec);
        CAPTURE(said);
        CHECK(said.find(one.words) != std::string::npos);
        CHECK(std::none_of(shop.events.begin(), shop.events.end(), [](const experiment::Event &event) { return event.task == "align"; }));
        CHECK_FALSE(shop.said("cost"));
        CHECK_FALSE(std::filesystem::exists(shop.folder / "workspace" / "artifacts"));
        CHECK_FALSE(std::filesystem::exists(shop.folder / "workspace" / "checkpoints"));
        const auto refusedBy = [&](auto &&what) -> std::string {
            try {
                what(experiment::completeSpec(spec));
            } catch (const Error &error) {
                return error.what();
            }
            return "";
        };
        CHECK(refusedBy([&](const nlohmann::json &completed) { (void)procedures::estimateCost(completed, shop.folder / "workspace"); }) == said);
        CHECK(refusedBy([&](const nlohmann::json &completed) { procedures::checkSelectors(completed); procedures::checkScorings(completed, shop.folder / "workspace"); }) == said);
        // A pipeline says it before its first stage works.
        const nlohmann::json pipeline = {{"kind", "pipeline"}, {"device", "cpu"}, {"stages", {{{"task", "first"}, {"spec", shop.spec("align")}}, {{"task", "second"}, {"spec", spec}}}}};
        CHECK(shop.refusal(pipeline) == said);
        CHECK_FALSE(std::filesystem::exists(shop.folder / "workspace" / "artifacts"));
    }
}

TEST_CASE("an early_stop that is not enabled says nothing, and is in the key of those alone that read it")
{
    Shop shop;
    nlohmann::json spec = shop.scoring("kl-bypass");
    spec["early_stop"] = {{"enabled", false}, {"keep", {1}}};
    CHECK_FALSE(procedures::withSelectorFields(experiment::completeSpec(spec)).contains("early_stop"));
    const nlohmann::json result = shop.result(spec);
    CHECK(shop.result(shop.scoring("kl-bypass")).at("key") == result.at("key"));
    CHECK(shop.said("reused"));
    CHECK(procedures::withSelectorFields(experiment::completeSpec(shop.scoring("ga-s2"))).at("early_stop") == nlohmann::json::parse(R"({"enabled": false, "keep": [], "window": 3})"));
}

TEST_CASE("on one sequence no selector claims an error, and all finish")
{
    for (const Selector *selector : procedures::selectors()) {
        CAPTURE(selector->name);
        Shop shop;
        nlohmann::json spec = shop.scoring(selector->name);
        spec["data"]["held_out_sequences"] = 1;
        const nlohmann::json result = shop.result(spec);
        for (const nlohmann::json &score : result.at("scores")) {
            const nlohmann::json &se = score.at(score.at("kl_nats").is_null() ? "se" : "se_nats");
            CHECK((score.at("n") > 1 || se.is_null()));
        }
        if (result.contains("sets"))
            for (const nlohmann::json &set : result.at("sets"))
                CHECK(set.at("se").is_null());
        for (const experiment::Event &event : shop.events)
            if (const auto *score = std::get_if<experiment::LayerScore>(&event.body))
                CHECK((score->numSequences > 1 || std::isnan(score->se)));
    }
    Shop shop;
    nlohmann::json distilled = shop.withAlignment("distill");
    distilled["keep"] = {0};
    distilled["data"]["held_out_sequences"] = 1;
    CHECK(shop.result(distilled).at("measures").at("se_nats").is_null());
    nlohmann::json aligned = shop.spec("align");
    aligned["data"]["held_out_sequences"] = 1;
    CHECK(shop.result(aligned).at("residuals")[0].at("se").is_null());
}

namespace {

/// What selectors say that they hold while they measure the teacher of a shop, with fresh mixers as its stage 1.
class Holding final {
public:
    explicit Holding(const Workshop &shop)
        : m_files(procedures::openModelArgument((shop.folder / "teacher").string(), shop.folder / "workspace")), m_teacher(nn::loadTransformer(m_files, at::kCPU)),
          m_aligned(procedures::freshMixers(m_teacher, "gdn", "{}", {}, 0)), m_linear(selection::hybrid(m_teacher, m_aligned, {}))
    {
    }
    [[nodiscard]] procedures::MeasuringBytes of(const Selector &selector, const nlohmann::json &spec) const
    {
        const procedures::ScoringPlan plan = procedures::scoringPlan(experiment::completeSpec(spec), m_files);
        return selector.memory({plan, m_teacher, selector.needsAligned ? m_linear : m_teacher, at::kFloat});
    }
    [[nodiscard]] std::int64_t weights(const Selector &selector) const
    {
        std::int64_t parameters = mixers::modelSize(m_teacher.config).parameters;
        for (const distillation::AlignedLayer &one : m_aligned)
            parameters += selector.needsAligned ? one.mixer->numParameters() : 0;
        return 4 * parameters;
    }

private:
    checkpoint::ModelFiles m_files;
    nn::Transformer m_teacher;
    std::vector<distillation::AlignedLayer> m_aligned;
    nn::Transformer m_linear;
};

std::int64_t sum(const procedures::MeasuringBytes &bytes) { return bytes.kept + bytes.passing; }

bool isOneOf(const Selector &selector, const std::set<std::string_view> &names) { return names.contains(selector.name); }

const std::set<std::string_view> onPrompts{"ar", "ar-mh"};

}  // namespace

TEST_CASE("what a selector holds while it measures grows with what it keeps, and with nothing else")
{
    const Shop shop, wide(4000);
    const Holding holding(shop), wideHolding(wide);
    for (const Selector *selector : procedures::selectors()) {
        CAPTURE(selector->name);
        const nlohmann::json spec = shop.scoring(selector->name);
        const bool measures = !isOneOf(*selector, {"gates"});      // which reads its scores off its training
        CHECK((sum(holding.of(*selector, spec)) > 0) == measures);

        nlohmann::json longer = spec;
        longer["data"]["sequence_length"] = 96;
        CHECK((sum(holding.of(*selector, longer)) > sum(holding.of(*selector, spec))) == (measures && !isOneOf(*selector, onPrompts)));

        // The teacher's last states of every sequence; of what passes, as much as a batch has.
        nlohmann::json some = spec, many = spec;
        some["data"]["held_out_sequences"] = 16;
        many["data"]["held_out_sequences"] = 32;
        const procedures::MeasuringBytes few = holding.of(*selector, some), more = holding.of(*selector, many);
        const bool keeps = measures && !isOneOf(*selector, {"ga-s1", "gr-s1", "light-transfer", "halo", "ar", "ar-mh"});      // halo keeps them on text alone
        CHECK(more.kept - few.kept == (keeps ? 16 * 24 * test::tinyConfig().hiddenSize * 4 : 0));
        CHECK(more.passing == few.passing);

        // Logits, where there are any: of a few prompts they are less than the pass.
        const bool hasLogits = measures && !isOneOf(*selector, {"ga-s1", "gr-s1", "light-transfer", "mse-bypass"});
        if (!isOneOf(*selector, onPrompts))
            CHECK((wideHolding.of(*selector, wide.scoring(selector->name)).passing > holding.of(*selector, spec).passing) == hasLogits);
    }
    nlohmann::json prompts = shop.scoring("ar");
    const Selector &ar = procedures::selectorNamed("ar");
    const std::int64_t shorter = sum(holding.of(ar, prompts));
    prompts["num_pairs"] = 15;
    CHECK(sum(holding.of(ar, prompts)) > shorter);
}

TEST_CASE("a selector that trains nothing holds about what it says, and its cost says no less")
{
    for (const Selector *selector : procedures::selectors()) {
        if (selector->trains)
            continue;
        CAPTURE(selector->name);
        // Logits weigh more than what is rounded; what is continued stays within the tokenizer's words.
        Shop shop(isOneOf(*selector, onPrompts) ? wordsOfTokenizer : 3000);
        nlohmann::json spec = shop.scoring(selector->name);
        spec["data"]["sequence_length"] = 96;
        spec["data"]["held_out_sequences"] = 12;
        spec = experiment::completeSpec(spec);
        const Holding holding(shop);
        if (selector->needsAligned)
            (void)shop.result(experiment::alignmentSpec(spec));
        shop.procedure = procedures::allProcedures();      // which has loaded no teacher yet
        const auto held = static_cast<double>(distillation::measureAllocations([&] { (void)shop.result(spec); })->peakBytes());
        const auto said = static_cast<double>(holding.weights(*selector) + sum(holding.of(*selector, spec)));
        CHECK(said >= 0.75 * held);
        CHECK(said <= 1.6 * held);
        CHECK(static_cast<double>(procedures::estimateCost(spec, shop.folder / "workspace", {}, {.resume = false, .fresh = true}).memoryBytes) >= held);
    }
}
