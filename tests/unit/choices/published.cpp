// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/published.h"
#include "error.h"
#include "temporaryfolder.h"
#include "testdata.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

using namespace stillroom;
using namespace stillroom::choices;
using experiment::LayerSet;
using experiment::Ranking;

namespace {

std::string messageOf(const std::string &name)
{
    try {
        (void)PublishedSets::shipped().find(name);
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::Usage);
        return error.what();
    }
    FAIL("found " << name);
    return {};
}

nlohmann::json shippedJson()
{
    std::ifstream stream(std::string(std::getenv("STILLROOM_RESOURCES")) + "/published/layersets.json");
    return nlohmann::json::parse(stream);
}

}  // namespace

TEST_CASE("the table holds 108 sets of four teachers, each under its own name")
{
    const PublishedSets &table = PublishedSets::shipped();
    CHECK(table.sets().size() == 108);
    CHECK(table.teachers().size() == 4);
    for (const PublishedSet &set : table.sets()) {
        CHECK(&table.find(set.name()) == &set);
        CHECK(set.source.starts_with("github.com/fla-org/hybrid-distillation at d7467e3, configs/"));
    }
    REQUIRE(table.teacherOf(36, 2048) != nullptr);
    CHECK(table.teacherOf(36, 2048)->name == "qwen2.5-3b");
    CHECK(table.setsOf(*table.teacherOf(28, 3584)).size() == 14);
    CHECK(table.teacherOf(36, 4096) == nullptr);
}

TEST_CASE("K from a percentage rounds half up, and so gives the size of every published set")
{
    int sets = 0;
    for (const PublishedSet &set : PublishedSets::shipped().sets()) {
        if (set.budget.starts_with('k') || !set.note.empty())
            continue;                     // no percentage, or a copy under a wrong one
        ++sets;
        CHECK(experiment::keepFromPercent(std::stod(set.budget), set.numLayers) == static_cast<int>(set.layers.size()));
    }
    CHECK(sets == 104);
}

TEST_CASE("a ranking's prefixes are the published sets at every smaller budget")
{
    const PublishedSets &table = PublishedSets::shipped();
    std::map<std::string, int> checked;
    for (const PublishedSet &longer : table.sets())
        for (const PublishedSet &shorter : table.sets()) {
            if (!longer.ranked || longer.teacher != shorter.teacher || longer.selector != shorter.selector || longer.layers.size() < shorter.layers.size())
                continue;
            CHECK(Ranking(longer.layers.begin(), longer.layers.begin() + static_cast<std::ptrdiff_t>(shorter.layers.size())) == shorter.layers);
            CHECK(experiment::topLayers(longer.layers, static_cast<int>(shorter.layers.size())) == shorter.set());
            ++checked[longer.selector];
        }
    for (const char *selector : {"ga-s2", "ga-s2-gla", "ar", "ar-mh", "ppl", "mse"})
        CHECK(checked[selector] > 10);
}

TEST_CASE("sets are found by our names, by those of the source, by percent, share or K")
{
    const PublishedSets &table = PublishedSets::shipped();
    const PublishedSet &set = table.find("published:qwen2.5-3b/gdn/25/ga-s2");
    CHECK(set.layers == Ranking{20, 32, 33, 21, 22, 25, 17, 19, 5});
    CHECK(set.set() == LayerSet{5, 17, 19, 20, 21, 22, 25, 32, 33});
    CHECK(set.ranked);
    for (const char *name : {"qwen2.5-3b/gdn/25%/ga-s2", "qwen2_3b/gdn_v4/0.25/ga_s2", "published:qwen2_3b/gdn/k9/ga-s2", "qwen2.5-3b/gdn/K9/ga_s2"})
        CHECK(&table.find(name) == &set);
    CHECK(table.find("qwen2_3b/gdn_v4/0.125/ga_s2").layers.size() == 5);
    CHECK(table.find("qwen2_3b/gla_v1/0.5/gla_v1_ranking").selector == "ga-s2-gla");
    CHECK(table.find("qwen2_7b/gdn_v4/0.33/qa_s2").layers.size() == 9);           // the source's own slip
    CHECK(table.find("llama-3.2-3b/gdn/25/ar-mh").layers == table.find("llama3_3b/gdn_v4/0.25/ar_mutihop").layers);
    CHECK(table.find("qwen2.5-3b/gdn/k10/postnas").set() == LayerSet{5, 16, 17, 19, 20, 21, 22, 25, 27, 32});
    CHECK_FALSE(table.find("qwen2.5-1.5b/gdn/25/ga-s2").ranked);
    CHECK(table.find("qwen2.5-1.5b/gdn/50/ga-s2").layers.size() == 7);
}

TEST_CASE("an unknown name says which part is wrong and what is near")
{
    CHECK(messageOf("published:qwen2.5-3b/gdn/25").find("TEACHER/PROBE/BUDGET/SELECTOR") != std::string::npos);
    CHECK(messageOf("published:a/b/c/d/e").find("TEACHER/PROBE/BUDGET/SELECTOR") != std::string::npos);
    CHECK(messageOf("published:qwen2.5-4b/gdn/25/ga-s2") == "no published set has the teacher \"qwen2.5-4b\": did you mean qwen2.5-3b (stillroom-cli select --list-published lists them all)?");
    CHECK(messageOf("published:qwen2.5-3b/gdn/25/ga-s3") == "no published set has the selector \"ga-s3\": did you mean ga-s2 (stillroom-cli select --list-published lists them all)?");
    CHECK(messageOf("published:qwen2.5-3b/mamba2/25/ga-s2") == "no published set has the probe \"mamba2\"; there are gdn, gla (stillroom-cli select --list-published lists them all)");
    CHECK(messageOf("published:qwen2.5-3b/gdn/40/ga-s2").ends_with("there are 12.5, 25, 33, 50 (stillroom-cli select --list-published lists them all)"));
    CHECK(messageOf("published:qwen2.5-3b/gdn/nonsense/ga-s2").ends_with("there are 12.5, 25, 33, 50 (stillroom-cli select --list-published lists them all)"));
    CHECK(messageOf("published:qwen2.5-7b/gla/25/ga-s2").starts_with("nothing was published for qwen2.5-7b with gla"));
    for (const char *name : {"published:qwen2.5-3b/gdn/25", "published:nothing", "published:qwen2.5-7b/gla/25/ga-s2"})
        CHECK(messageOf(name).find("stillroom-cli select --list-published") != std::string::npos);
}

TEST_CASE("a damaged table is a bad file, never a crash")
{
    const TemporaryFolder folder;
    const auto refused = [&](const std::string &text) {
        std::ofstream(folder.path() / "sets.json") << text;
        try {
            const PublishedSets table(folder.path() / "sets.json");
        } catch (const Error &error) {
            return error.code() == ErrorCode::BadFile;
        }
        return false;
    };
    nlohmann::json good = shippedJson();
    CHECK_FALSE(refused(good.dump()));
    CHECK(refused(""));
    CHECK(refused("[]"));
    for (const char *field : {"schema", "source", "teachers", "probes", "selectors", "sets"}) {
        nlohmann::json damaged = good;
        damaged.erase(field);
        CHECK(refused(damaged.dump()));
    }
    nlohmann::json damaged = good;
    damaged["sets"][0]["layers"][0] = 28;
    CHECK(refused(damaged.dump()));
    damaged = good;
    damaged["sets"][0]["layers"][1] = damaged["sets"][0]["layers"][0];
    CHECK(refused(damaged.dump()));
    damaged = good;
    damaged["sets"].push_back(damaged["sets"][0]);
    CHECK(refused(damaged.dump()));
    damaged = good;
    damaged["sets"][0]["teacher"] = "gpt";
    CHECK(refused(damaged.dump()));
    damaged = good;
    damaged["schema"] = 2;
    CHECK(refused(damaged.dump()));
    CHECK_THROWS_AS((void)PublishedSets(folder.path() / "missing.json"), Error);
}

TEST_CASE("the table agrees with an independent reading of the same source")
{
    std::ifstream stream(stillroom::test::sharedData() / "published_layer_sets.json");
    if (!stream) {
        MESSAGE("skipped: ../shared/data/published_layer_sets.json is not here");
        return;
    }
    const nlohmann::json other = nlohmann::json::parse(stream);
    std::size_t found = 0;
    for (const nlohmann::json &entry : other.at("entries")) {
        const nlohmann::json &ratio = entry.at("ratio_label");
        const std::string budget = ratio.is_null() ? "k" + std::to_string(entry.at("K").get<int>()) : ratio.get<std::string>();
        const PublishedSet &set = PublishedSets::shipped().find(entry.at("teacher_key").get<std::string>() + "/" + entry.at("student_variant").get<std::string>() + "/" + budget + "/" +
                                                                entry.at("selector_label").get<std::string>());
        CHECK(set.layers == entry.at("kept_layers_in_file_order").get<Ranking>());
        CHECK(set.ranked == entry.at("rank_order_recoverable").get<bool>());
        CHECK(set.numLayers == entry.at("num_layers").get<int>());
        ++found;
    }
    CHECK(found == PublishedSets::shipped().sets().size());
}
