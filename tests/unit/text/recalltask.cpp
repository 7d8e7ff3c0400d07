// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/recalltask.h"

#include "error.h"
#include "text/randomdraws.h"
#include "testdata.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

using namespace stillroom;
using namespace stillroom::text;

namespace {

/// Σ (seen - expected)² / expected.
double chiSquare(const std::vector<double> &seen, const std::vector<double> &expected)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < seen.size(); ++i)
        sum += (seen[i] - expected[i]) * (seen[i] - expected[i]) / expected[i];
    return sum;
}

std::vector<double> powerLaw(std::size_t size, double exponent)
{
    std::vector<double> p(size);
    double sum = 0.0;
    for (std::size_t g = 0; g < size; ++g)
        sum += p[g] = std::pow(static_cast<double>(g + 1), exponent);
    for (double &value : p)
        value /= sum;
    return p;
}

std::string refusal(const std::function<void()> &work)
{
    try {
        work();
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::Usage);
        return error.what();
    }
    FAIL_CHECK("nothing was refused");
    return {};
}

/// The values that follow the keys in the first 2N tokens.
std::map<TokenId, TokenId> pairsOf(const std::vector<TokenId> &ids, std::size_t pairs)
{
    std::map<TokenId, TokenId> table;
    for (std::size_t n = 0; n < pairs; ++n)
        table[ids[2 * n]] = ids[2 * n + 1];
    return table;
}

}  // namespace

TEST_CASE("draws are uniform, distinct and in range")
{
    RandomDraws draws(42);
    std::vector<double> seen(7, 0.0);
    for (int i = 0; i < 70'000; ++i)
        ++seen[static_cast<std::size_t>(draws.below(7))];
    CHECK(chiSquare(seen, std::vector<double>(7, 10'000.0)) < 27.9);   // 6 degrees of freedom, p = 1e-4
    double smallest = 1.0, largest = 0.0, sum = 0.0;
    for (int i = 0; i < 100'000; ++i) {
        const double u = draws.unit();
        smallest = std::min(smallest, u);
        largest = std::max(largest, u);
        sum += u;
    }
    CHECK(smallest > 0.0);
    CHECK(largest < 1.0);
    CHECK(std::abs(sum / 100'000 - 0.5) < 5.0 * std::sqrt(1.0 / 12.0 / 100'000));
    std::vector<double> ordered(6, 0.0);   // the 3·2 ordered pairs of 3 numbers
    for (int i = 0; i < 60'000; ++i) {
        const auto two = draws.distinct(2, 3);
        REQUIRE(two.size() == 2);
        REQUIRE(two[0] != two[1]);
        ++ordered[static_cast<std::size_t>(two[0] * 2 + two[1] - (two[1] > two[0] ? 1 : 0))];
    }
    CHECK(chiSquare(ordered, std::vector<double>(6, 10'000.0)) < 25.7);   // 5 degrees of freedom, p = 1e-4
    const auto all = draws.distinct(5, 5);
    CHECK(std::set<std::int64_t>(all.begin(), all.end()) == std::set<std::int64_t>{0, 1, 2, 3, 4});
    CHECK(draws.distinct(0, 5).empty());
}

TEST_CASE("slots follow the power law without replacement")
{
    for (const double a : {0.01, 1.0, 2.5}) {
        CAPTURE(a);
        constexpr std::size_t size = 5;
        constexpr int trials = 100'000;
        const std::vector<double> p = powerLaw(size, a - 1.0);
        std::vector<double> seen(size * size, 0.0);
        RandomDraws draws(2024);
        for (int i = 0; i < trials; ++i) {
            const auto slots = draws.powerLawSlots(2, size, a - 1.0);
            REQUIRE(slots.size() == 2);
            ++seen[static_cast<std::size_t>(slots[0]) * size + static_cast<std::size_t>(slots[1])];
        }
        std::vector<double> cells, expected;
        for (std::size_t i = 0; i < size; ++i) {
            CHECK(seen[i * size + i] == 0.0);
            for (std::size_t j = 0; j < size; ++j) {
                if (i == j)
                    continue;
                cells.push_back(seen[i * size + j]);
                expected.push_back(trials * p[i] * p[j] / (1.0 - p[i]));   // sequential draws without replacement
            }
        }
        CHECK(chiSquare(cells, expected) < 50.8);   // 19 degrees of freedom, p = 1e-4
    }
    RandomDraws draws(1);
    const auto all = draws.powerLawSlots(4, 4, -0.99);
    CHECK(std::set<std::int64_t>(all.begin(), all.end()) == std::set<std::int64_t>{0, 1, 2, 3});
}

TEST_CASE("in MQAR-mix every query is followed by its pair's value")
{
    const RecallMix mix({});
    std::size_t recalls = 0, fillers = 0;
    for (std::int64_t index = 0; index < 200; ++index) {
        const RecallSequence made = mix.sequence(7, index);
        REQUIRE(made.ids.size() == 96);
        REQUIRE(made.targets.size() == 96);
        const auto table = pairsOf(made.ids, 20);
        REQUIRE(table.size() == 20);   // distinct keys
        std::set<TokenId> values;
        for (const auto &[key, value] : table) {
            REQUIRE((key >= 0 && key < 64));
            REQUIRE((value >= 64 && value < 128));
            values.insert(value);
        }
        REQUIRE(values.size() == 20);
        for (std::size_t t = 0; t < 96; ++t) {
            const bool query = t >= 40 && t + 1 < 96 && made.ids[t] < 64;
            REQUIRE((made.targets[t] == RecallTarget::Recall) == query);
            if (query)
                REQUIRE(made.ids[t + 1] == table.at(made.ids[t]));
            if (made.targets[t] == RecallTarget::Filler) {
                REQUIRE(made.ids[t - 1] >= 128);
                const auto [likely, other] = mix.successors(made.ids[t - 1] - 128, made.ids[t] - 128);
                REQUIRE((made.ids[t + 1] - 128 == likely || made.ids[t + 1] - 128 == other));
            }
            REQUIRE((made.ids[t] >= 0 && made.ids[t] < mix.vocabSize()));
            recalls += made.targets[t] == RecallTarget::Recall ? 1U : 0U;
            fillers += made.targets[t] == RecallTarget::Filler ? 1U : 0U;
        }
        REQUIRE(made.targets.back() == RecallTarget::None);
    }
    CHECK(recalls > 200 * 10);
    CHECK(fillers > 200 * 3);
}

TEST_CASE("MQAR-mix mixes queries, runs and successors in the shares asked for")
{
    const RecallMix mix({.pairs = 10, .length = 200'000, .queryProbability = 0.6});
    const RecallSequence made = mix.sequence(3, 0);
    double recalls = 0, fillers = 0, likelyOnes = 0;
    for (std::size_t t = 0; t + 1 < made.ids.size(); ++t) {
        recalls += made.targets[t] == RecallTarget::Recall ? 1U : 0U;
        if (made.targets[t] != RecallTarget::Filler)
            continue;
        ++fillers;
        likelyOnes += made.ids[t + 1] - 128 == mix.successors(made.ids[t - 1] - 128, made.ids[t] - 128).first ? 1 : 0;
    }
    // A run of 2, 3 or 4 fillers has 0, 1 or 2 targets: one on average, so targets stand as queries to runs, 0.6 to 0.4.
    CHECK(recalls / (recalls + fillers) == doctest::Approx(0.6).epsilon(0.01));
    CHECK(std::abs(likelyOnes / fillers - 0.8) < 5.0 * std::sqrt(0.8 * 0.2 / fillers));
    CHECK(mix.fillerCeiling() == 0.8);
}

TEST_CASE("a state of the chain has two distinct successors, and the chain belongs to the task")
{
    const RecallMix mix({.numFillers = 3});
    const RecallMix same({.numFillers = 3, .pairs = 5, .length = 50});
    const RecallMix other({.numFillers = 3, .chainSeed = 2});
    bool differs = false;
    for (std::int64_t a = 0; a < 3; ++a) {
        for (std::int64_t b = 0; b < 3; ++b) {
            const auto [likely, second] = mix.successors(a, b);
            CHECK(likely != second);
            CHECK((likely >= 0 && likely < 3 && second >= 0 && second < 3));
            CHECK(same.successors(a, b) == mix.successors(a, b));
            differs = differs || other.successors(a, b) != mix.successors(a, b);
        }
    }
    CHECK(differs);
    CHECK(refusal([&] { (void)mix.successors(0, 3); }).find("filler is 3") != std::string::npos);
}

TEST_CASE("a sequence depends on its seed and index only")
{
    const RecallMix mix({});
    const auto later = mix.sequence(1, 5);
    (void)mix.sequence(1, 0);
    CHECK(mix.sequence(1, 5).ids == later.ids);
    CHECK(RecallMix({}).sequence(1, 5).ids == later.ids);
    CHECK(mix.sequence(1, 5, 20, 96).ids == later.ids);
    CHECK(mix.sequence(1, 6).ids != later.ids);
    CHECK(mix.sequence(2, 5).ids != later.ids);
    const MqarOptions mqar{.vocabSize = 256, .length = 64, .pairs = 4};
    CHECK(mqarSequence(mqar, 1, 3).ids == mqarSequence(mqar, 1, 3).ids);
    CHECK(mqarSequence(mqar, 1, 4).ids != mqarSequence(mqar, 1, 3).ids);
    CHECK(mqarSequence(mqar, 2, 3).ids != mqarSequence(mqar, 1, 3).ids);
}

TEST_CASE("sequences are those of a second implementation")
{
    std::ifstream file(stillroom::test::testData().string() + "/text/recalltask.json");
    REQUIRE(file.good());
    const auto golden = nlohmann::json::parse(file);
    std::size_t compared = 0;
    for (const auto &entry : golden.at("mix")) {
        const RecallMix mix({.numKeys = entry.at("num_keys"), .numValues = entry.at("num_values"), .numFillers = entry.at("num_fillers"),
                             .pairs = entry.at("pairs"), .length = entry.at("length"), .chainSeed = entry.at("chain_seed")});
        const RecallSequence made = mix.sequence(entry.at("seed"), entry.at("index"));
        CHECK(made.ids == entry.at("ids").get<std::vector<TokenId>>());
        std::vector<int> targets;
        for (const RecallTarget target : made.targets)
            targets.push_back(static_cast<int>(target));
        CHECK(targets == entry.at("targets").get<std::vector<int>>());
        ++compared;
    }
    for (const auto &entry : golden.at("mqar")) {
        const MqarSequence made = mqarSequence({.vocabSize = entry.at("vocab_size"), .length = entry.at("length"), .pairs = entry.at("pairs"), .passes = entry.at("passes"),
                                                .powerA = entry.at("power_a"), .randomFillers = entry.at("random_fillers")},
                                               entry.at("seed"), entry.at("index"));
        CHECK(made.ids == entry.at("ids").get<std::vector<TokenId>>());
        CHECK(made.answers == entry.at("answers").get<std::vector<TokenId>>());
        ++compared;
    }
    CHECK(compared >= 6);
}

TEST_CASE("words name the ids in their order")
{
    const auto words = RecallMix({}).words();
    REQUIRE(words.size() == 160);
    CHECK(words[0] == "k00");
    CHECK(words[63] == "k63");
    CHECK(words[64] == "v00");
    CHECK(words[159] == "f31");
    CHECK(RecallMix({.numKeys = 101}).words()[100] == "k100");
}

TEST_CASE("MQAR asks for each key once, and its answer is the pair's value")
{
    for (const bool randomFillers : {false, true}) {
        for (const std::int64_t passes : {1, 2}) {
            CAPTURE(passes);
            const MqarOptions options{.vocabSize = 256, .length = 64, .pairs = 8, .passes = passes, .randomFillers = randomFillers};
            for (std::int64_t index = 0; index < 100; ++index) {
                const MqarSequence made = mqarSequence(options, 11, index);
                REQUIRE(made.ids.size() == 64);
                REQUIRE(made.answers.size() == 64);
                const auto table = pairsOf(made.ids, 8);
                REQUIRE(table.size() == 8);
                const auto listed = static_cast<std::size_t>(16 * passes);
                for (std::size_t t = 16; t < listed; ++t)
                    REQUIRE(made.ids[t] == made.ids[t - 16]);
                std::set<TokenId> asked;
                for (std::size_t t = 0; t < 64; ++t) {
                    REQUIRE((made.ids[t] >= 0 && made.ids[t] < 256));
                    if (made.answers[t] == -100)
                        continue;
                    REQUIRE(t >= listed);
                    REQUIRE((t - listed) % 2 == 0);
                    REQUIRE(asked.insert(made.ids[t]).second);
                    REQUIRE(made.answers[t] == table.at(made.ids[t]));
                }
                REQUIRE(asked.size() == 8);
                for (const auto &[key, value] : table) {
                    REQUIRE((key >= 1 && key < 128));
                    REQUIRE((value >= 128 && value < 256));
                }
                if (!randomFillers)
                    REQUIRE(std::count(made.ids.begin() + static_cast<std::ptrdiff_t>(listed), made.ids.end(), 0) == static_cast<std::ptrdiff_t>(64 - listed - 8));
            }
        }
    }
}

TEST_CASE("MQAR places queries by zoology's law")
{
    constexpr std::size_t slots = 8;
    constexpr int trials = 40'000;
    const MqarOptions options{.vocabSize = 64, .length = 20, .pairs = 2, .randomFillers = false};   // 16 tokens after the pairs: 8 slots
    const std::vector<double> p = powerLaw(slots, options.powerA - 1.0);
    std::vector<double> seen(slots, 0.0), expected(slots);
    for (int i = 0; i < trials; ++i) {
        const MqarSequence made = mqarSequence(options, 5, i);
        const auto place = std::find(made.ids.begin() + 4, made.ids.end(), made.ids[0]);   // of the first key: the first draw
        REQUIRE(place != made.ids.end());
        ++seen[static_cast<std::size_t>(place - made.ids.begin() - 4) / 2];
    }
    for (std::size_t g = 0; g < slots; ++g)
        expected[g] = trials * p[g];
    CHECK(chiSquare(seen, expected) < 29.9);   // 7 degrees of freedom, p = 1e-4
}

TEST_CASE("sizes that cannot be are refused with their reason")
{
    const auto mix = [](const RecallMixOptions &options) { return refusal([&] { (void)RecallMix(options); }); };
    CHECK(mix({.pairs = 65, .length = 1000}).find("pairs is 65, give 1 to 64") != std::string::npos);
    CHECK(mix({.numValues = 10}).find("pairs is 20, give 1 to 10") != std::string::npos);
    CHECK(mix({.pairs = 0}).find("pairs") != std::string::npos);
    CHECK(mix({.length = 41}).find("length is 41, give 42") != std::string::npos);
    CHECK(mix({.numFillers = 1}).find("num_fillers") != std::string::npos);
    CHECK(mix({.numKeys = -1}).find("num_keys") != std::string::npos);
    CHECK(mix({.queryProbability = 1.5}).find("query_probability") != std::string::npos);
    CHECK(mix({.likelyProbability = std::nan("")}).find("filler_likely_probability") != std::string::npos);
    CHECK(mix({.fillerRunMinimum = 3, .fillerRunMaximum = 2}).find("filler_run_maximum") != std::string::npos);
    CHECK(refusal([] { (void)RecallMix({}).sequence(1, 0, 30, 60); }).find("length is 60, give 62") != std::string::npos);

    const auto mqar = [](const MqarOptions &options) { return refusal([&] { (void)mqarSequence(options, 1, 0); }); };
    CHECK(mqar({.length = 63}).find("even") != std::string::npos);
    CHECK(mqar({.length = 14}).find("at least 16") != std::string::npos);
    CHECK(mqar({.length = 20, .passes = 2}).find("at least 24") != std::string::npos);
    CHECK(mqar({.vocabSize = 64}).find("vocab_size is 64, give 65") != std::string::npos);
    CHECK(mqar({.vocabSize = 66, .length = 64, .pairs = 33}).find("pairs is 33, give 1 to 32") != std::string::npos);
    CHECK(mqar({.pairs = std::int64_t{1} << 62}).find("pairs") != std::string::npos);
    CHECK(mqar({.powerA = INFINITY}).find("power_a") != std::string::npos);
}
