// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/beamsearch.h"

#include "error.h"
#include "nn/matrixproducts.h"
#include "randomstream.h"
#include "selection/hybrid.h"
#include "selection/measuresets.h"
#include "tinystudents.h"

#include <c10/core/GradMode.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace stillroom;
using experiment::LayerSet;

namespace {

std::vector<LayerSet> allSetsOf(int numLayers)
{
    std::vector<LayerSet> sets;
    for (int bits = 0; bits < (1 << numLayers); ++bits) {
        LayerSet set;
        for (int layer = 0; layer < numLayers; ++layer)
            if (bits & (1 << layer))
                set.push_back(layer);
        sets.push_back(set);
    }
    return sets;
}

/// Made-up measures of every set, three sequences each.
struct Table {
    std::map<LayerSet, std::vector<double>> values;
    std::vector<LayerSet> asked;

    Table(int numLayers, std::uint64_t seed, int levels = 1 << 20)
    {
        RandomStream random(seed);
        for (const LayerSet &set : allSetsOf(numLayers))
            for (int i = 0; i < 3; ++i)
                values[set].push_back(static_cast<double>(random.below(static_cast<std::uint64_t>(levels))));
    }
    selection::SetMeasurer measurer()
    {
        return [this](const std::vector<LayerSet> &sets) {
            std::vector<std::vector<double>> measured;
            for (const LayerSet &set : sets) {
                asked.push_back(set);
                measured.push_back(values.at(set));
            }
            return measured;
        };
    }
    [[nodiscard]] double mean(const LayerSet &set) const { return analysis::estimate(values.at(set)).mean; }
    /// The best set of a size: lowest mean, then the lexicographically lowest.
    [[nodiscard]] LayerSet best(std::size_t size) const
    {
        LayerSet found;
        bool any = false;
        for (const auto &[set, unused] : values)   // in lexicographic order
            if (set.size() == size && (!any || mean(set) < mean(found))) {
                found = set;
                any = true;
            }
        return found;
    }
};

}  // namespace

TEST_CASE("a beam that holds every set finds the optimum at every K")
{
    for (std::uint64_t seed = 0; seed < 30; ++seed)
        for (const int levels : {1 << 20, 3}) {   // 3: many ties
            Table table(6, seed, levels);
            const selection::BeamResult found = selection::beamSearch({.numLayers = 6, .largestKeep = 6, .width = 20, .onLevel = {}}, table.measurer());
            REQUIRE(found.levels.size() == 7);
            for (int k = 0; k <= 6; ++k)
                CHECK(found.best(k).keep == table.best(static_cast<std::size_t>(k)));
            // Each set was measured once, and that is what was said.
            CHECK(table.asked.size() == 64);
            CHECK(std::set<LayerSet>(table.asked.begin(), table.asked.end()).size() == 64);
            CHECK(selection::mostBeamCandidates(6, 6, 20) == 64);
        }
}

TEST_CASE("a beam of one is greedy addition, and its path is the order of the picks")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Table table(7, seed, 5);
        const selection::BeamResult found = selection::beamSearch({.numLayers = 7, .largestKeep = 4, .width = 1, .onLevel = {}}, table.measurer());
        LayerSet greedy;
        std::vector<int> order;
        for (int k = 1; k <= 4; ++k) {
            int picked = -1;
            LayerSet best;
            for (int layer = 0; layer < 7; ++layer) {
                LayerSet set = greedy;
                if (std::find(set.begin(), set.end(), layer) != set.end())
                    continue;
                set.insert(std::lower_bound(set.begin(), set.end(), layer), layer);
                if (picked < 0 || table.mean(set) < table.mean(best) || (table.mean(set) == table.mean(best) && set < best)) {
                    picked = layer;
                    best = set;
                }
            }
            greedy = best;
            order.push_back(picked);
            CHECK(found.best(k).keep == greedy);
        }
        CHECK(found.pathTo(4) == order);
        CHECK(table.asked.size() == 1 + 7 + 6 + 5 + 4);
        CHECK(selection::mostBeamCandidates(7, 4, 1) == 1 + 7 + 6 + 5 + 4);
    }
}

TEST_CASE("the path to the best set goes through the beams, and its margin is the paired difference to the second")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Table table(7, seed);
        const selection::BeamResult two = selection::beamSearch({.numLayers = 7, .largestKeep = 4, .width = 3, .onLevel = {}}, table.measurer());
        CHECK(static_cast<std::int64_t>(table.asked.size()) <= selection::mostBeamCandidates(7, 4, 3));
        CHECK(table.mean(two.best(2).keep) >= table.mean(table.best(2)));
        for (int k = 0; k <= 4; ++k) {
            LayerSet reached = two.pathTo(k);
            REQUIRE(static_cast<int>(reached.size()) == k);
            for (int length = 1; length <= k; ++length) {   // every prefix was in its beam
                LayerSet prefix(reached.begin(), reached.begin() + length);
                std::sort(prefix.begin(), prefix.end());
                const auto &beam = two.levels[static_cast<std::size_t>(length)].beam;
                CHECK(std::any_of(beam.begin(), beam.end(), [&](const selection::MeasuredSet &one) { return one.keep == prefix; }));
            }
            std::sort(reached.begin(), reached.end());
            CHECK(reached == two.best(k).keep);
        }
        const selection::BeamLevel &level = two.levels[2];
        REQUIRE(level.margin.has_value());
        CHECK(level.margin->mean == doctest::Approx(table.mean(level.beam[1].keep) - table.mean(level.beam[0].keep)));
        CHECK(level.margin->n == 3);
        CHECK_FALSE(two.levels[0].margin.has_value());
    }
}

TEST_CASE("the search refuses what it cannot do")
{
    Table table(4, 1);
    CHECK_THROWS_AS((void)selection::beamSearch({.numLayers = 4, .largestKeep = 5, .width = 2, .onLevel = {}}, table.measurer()), Error);
    CHECK_THROWS_AS((void)selection::beamSearch({.numLayers = 4, .largestKeep = 2, .width = 0, .onLevel = {}}, table.measurer()), Error);
    CHECK_THROWS_AS((void)selection::beamSearch({.numLayers = 4, .largestKeep = 2, .width = 2, .onLevel = {}},
                                                [](const std::vector<LayerSet> &) { return std::vector<std::vector<double>>{}; }),
                    Error);
    CHECK_THROWS_AS((void)selection::beamSearch({.numLayers = 4, .largestKeep = 2, .width = 2, .onLevel = {}},
                                                [](const std::vector<LayerSet> &sets) { return std::vector<std::vector<double>>(sets.size(), {std::nan("")}); }),
                    Error);
    CHECK(selection::mostBeamCandidates(60, 30, 4) < 60 * 4 * 30 + 2);
}

TEST_CASE("students of many sets with shared prefixes equal one forward per student in every bit, and share what was said")
{
    const nn::Transformer teacher = test::tinyTeacherOf(4);
    const auto mixers = test::tinyMixers(teacher);
    const distillation::HeldOutSet heldOut(teacher, {test::tinyBatch(teacher, 3, 20, 1), test::raggedBatch(teacher, 2, 20, 2)}, {});
    const std::vector<LayerSet> all = allSetsOf(4), some = {{2, 3}, {0}, {0, 3}, {2, 3}, {1, 2, 3}};
    CHECK(selection::sharedBlocks(all, 4) == 2 + 4 + 8 + 16);
    CHECK(selection::sharedBlocks(some, 4) == 2 + 3 + 3 + 4);
    for (const auto &sets : {all, some}) {
        selection::SetScores shared;
        const std::int64_t products = test::matrixProducts([&] { shared = selection::measureSets(teacher, mixers, sets, heldOut); });
        std::int64_t naiveProducts = 0;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            distillation::HeldOutKl naive;
            naiveProducts += test::matrixProducts([&] { naive = heldOut.measure(selection::hybrid(teacher, mixers, sets[i])); });
            CHECK(shared.perSequence[i] == naive.klNats);
        }
        CHECK(shared.blockEvaluations == selection::sharedBlocks(sets, 4));
        CHECK(products < naiveProducts);
    }
    // Another measure sees the same hidden states.
    selection::MeasureSetsOptions options;
    options.measure = [](std::size_t index, const at::Tensor &hidden_BTD, const at::Tensor &head_VD) {
        std::vector<double> values;
        for (std::int64_t row = 0; row < hidden_BTD.size(0); ++row)
            values.push_back(static_cast<double>(index) + at::matmul(hidden_BTD[row], head_VD.t()).sum().item<double>());
        return values;
    };
    const auto measured = selection::measureSets(teacher, mixers, some, heldOut, options).perSequence;
    for (std::size_t i = 0; i < some.size(); ++i) {
        std::vector<double> naive;
        for (std::size_t index = 0; index < 2; ++index) {
            const c10::NoGradGuard noGrad;
            const at::Tensor hidden_BTD = selection::hybrid(teacher, mixers, some[i]).forward(heldOut.batch(index).ids_BT, heldOut.places(index), at::kFloat).hidden_BTD;
            for (const double value : options.measure(index, hidden_BTD, teacher.head_VD))
                naive.push_back(value);
        }
        CHECK(measured[i] == naive);
    }
    CHECK_THROWS_AS((void)selection::measureSets(teacher, mixers, {{4}}, heldOut), Error);
    CHECK_THROWS_AS((void)selection::measureSets(teacher, {mixers[0]}, {{1}, {1, 2}}, heldOut), Error);
    CHECK(selection::measureSets(teacher, {mixers[0]}, {{1, 2, 3}, {0, 1, 2, 3}}, heldOut).perSequence[1] == std::vector<double>(5, 0.0));   // no more mixers than the sets need
}

TEST_CASE("beam search over real students finds what trying all of them finds")
{
    const nn::Transformer teacher = test::tinyTeacherOf(4);
    const auto mixers = test::tinyMixers(teacher, "gla");
    const distillation::HeldOutSet heldOut(teacher, {test::tinyBatch(teacher, 4, 20, 1)}, {});
    const selection::BeamResult found = selection::beamSearch({.numLayers = 4, .largestKeep = 4, .width = 6, .onLevel = {}}, [&](const std::vector<LayerSet> &sets) { return selection::measureSets(teacher, mixers, sets, heldOut).perSequence; });
    for (std::size_t k = 0; k <= 4; ++k) {
        LayerSet best;
        double lowest = 1e300;
        for (const LayerSet &set : allSetsOf(4))
            if (set.size() == k)
                if (const double kl = heldOut.measure(selection::hybrid(teacher, mixers, set)).mean(); kl < lowest) {
                    lowest = kl;
                    best = set;
                }
        CHECK(found.best(static_cast<int>(k)).keep == best);
        CHECK(found.best(static_cast<int>(k)).estimate().mean == doctest::Approx(lowest));
        CHECK(found.best(static_cast<int>(k)).estimate().n == 4);
    }
    CHECK(found.best(4).estimate().mean == 0.0);
}
