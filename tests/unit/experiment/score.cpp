// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "experiment/score.h"
#include "samples.h"
#include "testdata.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>

using namespace stillroom;
using namespace stillroom::experiment;
using samples::refusal;

namespace {

std::vector<LayerScore> scoresOf(const std::vector<double> &values, bool higherIsBetter = false)
{
    std::vector<LayerScore> scores;
    for (std::size_t i = 0; i < values.size(); ++i)
        scores.push_back({.selector = "ga-s2", .mixer = "gdn", .layer = static_cast<int>(i), .score = values[i], .higherIsBetter = higherIsBetter, .klNats = {}});
    return scores;
}

}  // namespace

TEST_CASE("the demo's measured KLs rank as the specification says")
{
    CHECK(rank(scoresOf({0.807, 0.929, 0.940, 0.919, 0.292, 0.953}), 6) == Ranking{4, 0, 3, 1, 2, 5});
    CHECK(rank(scoresOf({0.807, 0.929, 0.940, 0.919, 0.292, 0.953}, true), 6) == Ranking{5, 2, 1, 3, 0, 4});
    CHECK(topLayers({4, 0, 3, 1, 2, 5}, 2) == LayerSet{0, 4});
    CHECK(topLayers({4, 0, 3, 1, 2, 5}, 0).empty());
    CHECK(topLayers({4, 0, 3, 1, 2, 5}, 6) == LayerSet{0, 1, 2, 3, 4, 5});
}

TEST_CASE("ties go to the lower layer in both directions")
{
    CHECK(rank(scoresOf({1, 0.5, 1, 0.5, 0.5}), 5) == Ranking{1, 3, 4, 0, 2});
    CHECK(rank(scoresOf({1, 0.5, 1, 0.5, 0.5}, true), 5) == Ranking{0, 2, 1, 3, 4});
    CHECK(rank(scoresOf({0.0, -0.0}), 2) == Ranking{0, 1});
}

TEST_CASE("a ranking does not depend on the order of the scores, and layer -1 is left out")
{
    auto scores = scoresOf({0.3, 0.1, 0.2, 0.1, 0.9, 0.3});
    scores.push_back({.selector = "ga-s2", .mixer = "gdn", .layer = -1, .score = 0.0, .klNats = {}});
    const Ranking expected = rank(scores, 6);
    CHECK(expected == Ranking{1, 3, 2, 0, 5, 4});
    std::mt19937 generator(7);
    for (int i = 0; i < 100; ++i) {
        std::shuffle(scores.begin(), scores.end(), generator);
        CHECK(rank(scores, 6) == expected);
    }
}

TEST_CASE("scores that cannot be ranked are refused by layer")
{
    auto missing = scoresOf({1, 2, 3});
    missing.pop_back();
    CHECK(samples::holds(refusal(ErrorCode::Usage, [&] { (void)rank(missing, 3); }), "Layer 2"));
    auto doubled = scoresOf({1, 2, 3});
    doubled[2].layer = 1;
    CHECK(samples::holds(refusal(ErrorCode::Usage, [&] { (void)rank(doubled, 3); }), "Layer 1"));
    CHECK(samples::holds(refusal(ErrorCode::Usage, [&] { (void)rank(scoresOf({1, std::nan(""), 3}), 3); }), "layer 1"));
    CHECK(samples::holds(refusal(ErrorCode::Usage, [&] { (void)rank(scoresOf({1, 2, std::numeric_limits<double>::infinity()}), 3); }), "layer 2"));
    auto outside = scoresOf({1, 2, 3});
    CHECK(samples::holds(refusal(ErrorCode::Usage, [&] { (void)rank(outside, 2); }), "layer 2"));
    auto mixed = scoresOf({1, 2, 3});
    mixed[1].higherIsBetter = true;
    CHECK(samples::holds(refusal(ErrorCode::Usage, [&] { (void)rank(mixed, 3); }), "higher"));
    (void)refusal(ErrorCode::Usage, [] { (void)rank({}, 0); });
    (void)refusal(ErrorCode::Usage, [] { (void)topLayers({1, 0}, 3); });
    (void)refusal(ErrorCode::Usage, [] { (void)topLayers({1, 0}, -1); });
}

TEST_CASE("K from a percentage rounds half up, as every published budget does")
{
    // 36 layers: 5, 9, 12, 18; 28 layers: 4, 7, 9, 14 (12.5, 25, 33, 50 %)
    CHECK(keepFromPercent(12.5, 36) == 5);
    CHECK(keepFromPercent(25, 36) == 9);
    CHECK(keepFromPercent(33, 36) == 12);
    CHECK(keepFromPercent(50, 36) == 18);
    CHECK(keepFromPercent(12.5, 28) == 4);
    CHECK(keepFromPercent(25, 28) == 7);
    CHECK(keepFromPercent(33, 28) == 9);
    CHECK(keepFromPercent(50, 28) == 14);
    CHECK(keepFromPercent(0, 6) == 0);
    CHECK(keepFromPercent(100, 6) == 6);
    CHECK(keepFromPercent(8.3, 6) == 0);
    CHECK(keepFromPercent(8.34, 6) == 1);
    for (int layers = 1; layers <= 200; ++layers) {
        for (int eighths = 0; eighths <= 800; eighths += 25)         // exact in binary, so the integer formula is the truth
            CHECK(keepFromPercent(eighths / 8.0, layers) == (eighths * layers + 400) / 800);
    }
    (void)refusal(ErrorCode::Usage, [] { (void)keepFromPercent(-0.1, 6); });
    (void)refusal(ErrorCode::Usage, [] { (void)keepFromPercent(100.1, 6); });
    (void)refusal(ErrorCode::Usage, [] { (void)keepFromPercent(std::nan(""), 6); });
}

TEST_CASE("plain numbers rank as scores do")
{
    CHECK(rank(std::vector<double>{0.5, 2.0, 0.5, 1.0}, true) == Ranking{1, 3, 0, 2});
    CHECK(rank(std::vector<double>{0.5, 2.0, 0.5, 1.0}, false) == Ranking{0, 2, 3, 1});
    (void)refusal(ErrorCode::Usage, [] { (void)rank(std::vector<double>{}, true); });
    CHECK(samples::holds(refusal(ErrorCode::Usage, [] { (void)rank(std::vector<double>{1.0, std::nan("")}, true); }), "layer 1"));
}

TEST_CASE("a layer set is checked and ordered")
{
    CHECK(validLayerSet({5, 0, 3}, 6) == LayerSet{0, 3, 5});
    CHECK(validLayerSet({}, 6).empty());
    CHECK(samples::holds(refusal(ErrorCode::Usage, [] { (void)validLayerSet({0, 6}, 6); }), "Layer 6"));
    CHECK(samples::holds(refusal(ErrorCode::Usage, [] { (void)validLayerSet({0, -1}, 6); }), "Layer -1"));
    CHECK(samples::holds(refusal(ErrorCode::Usage, [] { (void)validLayerSet({2, 1, 2}, 6); }), "Layer 2"));
}

TEST_CASE("all published layer sets are valid, and every published K is its percentage rounded half up")
{
    std::ifstream stream(stillroom::test::sharedData() / "published_layer_sets.json");
    if (!stream) {
        MESSAGE("skipped: the published layer sets are not here");
        return;
    }
    const auto published = nlohmann::json::parse(stream);
    int checked = 0;
    for (const auto &[teacher, variants] : published.at("compact_sets").items()) {
        const int numLayers = published.at("teachers").at(teacher).at("num_layers").get<int>();
        for (const auto &[variant, ratios] : variants.items()) {
            for (const auto &[ratio, selectors] : ratios.items()) {
                for (const auto &[selector, layers] : selectors.items()) {
                    CHECK(validLayerSet(layers.get<std::vector<int>>(), numLayers).size() == layers.size());
                    ++checked;
                }
            }
        }
    }
    CHECK(checked == 108);
    for (const auto &[teacher, ratios] : published.at("k_by_ratio").items()) {
        for (const auto &[ratio, keep] : ratios.items())
            CHECK(keepFromPercent(100 * std::stod(ratio), published.at("teachers").at(teacher).at("num_layers").get<int>()) == keep.get<int>());
    }
}

TEST_CASE("a number of layers that no model has is refused before memory is taken for it")
{
    experiment::LayerScore score;
    score.layer = 0;
    for (const int numLayers : {0, -1, experiment::mostLayers + 1, 2000000000}) {
        CAPTURE(numLayers);
        CHECK_THROWS_AS(experiment::checkNumLayers(numLayers), stillroom::Error);
        CHECK_THROWS_AS((void)experiment::rank({score}, numLayers), stillroom::Error);
        CHECK_THROWS_AS((void)experiment::validLayerSet({0}, numLayers), stillroom::Error);
        CHECK_THROWS_AS((void)experiment::keepFromPercent(25.0, numLayers), stillroom::Error);
    }
    CHECK_NOTHROW(experiment::checkNumLayers(experiment::mostLayers));
}

TEST_CASE("the number of sets is Pascal's triangle, up to a limit")
{
    std::vector<std::vector<std::int64_t>> triangle{{1}};
    for (int n = 1; n <= 50; ++n) {
        std::vector<std::int64_t> row(static_cast<std::size_t>(n) + 1, 1);
        for (std::size_t k = 1; k < static_cast<std::size_t>(n); ++k)
            row[k] = std::min(std::int64_t{1} << 50, triangle.back()[k - 1] + triangle.back()[k]);
        triangle.push_back(row);
    }
    for (int n = 0; n <= 50; ++n)
        for (int k = 0; k <= n; ++k)
            for (const std::int64_t limit : {std::int64_t{1}, std::int64_t{100}, std::int64_t{1} << 40, std::int64_t{1} << 50})
                CHECK(experiment::numberOfSets(n, k, limit) == std::min(limit, triangle[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)]));
    CHECK(experiment::numberOfSets(experiment::mostLayers, experiment::mostLayers / 2, std::int64_t{1} << 50) == std::int64_t{1} << 50);
    CHECK(experiment::numberOfSets(experiment::mostLayers, 2, std::int64_t{1} << 50) == std::int64_t{4096} * 4095 / 2);
}

TEST_CASE("layers as a text")
{
    CHECK(experiment::layersText({}) == "");
    CHECK(experiment::layersText({4}) == "4");
    CHECK(experiment::layersText({0, 4, 9}) == "0, 4, 9");
    CHECK(experiment::layersText({9, 4}, "-") == "9-4");
}
