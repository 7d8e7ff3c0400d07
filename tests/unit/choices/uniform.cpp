// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/published.h"
#include "choices/uniform.h"
#include "error.h"
#include "experiment/runname.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <set>

using namespace stillroom::choices;
using stillroom::experiment::LayerSet;

TEST_CASE("every published uniform set is one of the two aligned grids")
{
    int starts = 0, ends = 0;
    for (const PublishedSet &one : PublishedSets::shipped().sets()) {
        if (one.selector != "uniform")
            continue;
        CAPTURE(one.name());
        const auto keep = static_cast<int>(one.layers.size());
        const bool start = one.set().front() == 0;
        CHECK(one.set() == uniformGrid(start ? Grid::Start : Grid::End, one.numLayers, keep));
        ++(start ? starts : ends);
    }
    CHECK(starts == 10);
    CHECK(ends == 4);
}

TEST_CASE("no run may be called as a grid is")
{
    for (const Grid grid : grids())
        CHECK(stillroom::experiment::meaningBesideRuns(gridName(grid)) == "equally spaced layers");
    CHECK(stillroom::experiment::meaningBesideRuns(PublishedSets::shipped().sets().front().name()) == "a published layer set");
}

TEST_CASE("grids that the literature and the demo name")
{
    CHECK(uniformGrid(Grid::Start, 6, 2) == LayerSet{0, 3});
    CHECK(uniformGrid(Grid::End, 6, 2) == LayerSet{2, 5});
    CHECK(uniformGrid(Grid::End, 32, 8) == LayerSet{3, 7, 11, 15, 19, 23, 27, 31});      // MambaInLlama, 25 %
    CHECK(uniformGrid(Grid::End, 32, 4) == LayerSet{7, 15, 23, 31});                    // and 12.5 %
    CHECK(uniformGrid(Grid::Rounded, 28, 7) == LayerSet{0, 5, 9, 14, 18, 23, 27});      // steps of 4.5: 4.5 and 13.5 and 22.5 round up
    CHECK(uniformGrid(Grid::Rounded, 5, 1) == LayerSet{2});
    CHECK(uniformGrid(Grid::LatterHalf, 28, 7) == LayerSet{14, 16, 18, 20, 22, 24, 26});
    CHECK(uniformGrid(Grid::LatterHalf, 7, 4) == LayerSet{3, 4, 5, 6});
}

TEST_CASE("every grid holds K layers of the model in order, and the aligned ones mirror each other")
{
    for (int numLayers = 1; numLayers <= 50; ++numLayers)
        for (int keep = 0; keep <= numLayers; ++keep)
            for (const Grid grid : grids()) {
                if (grid == Grid::LatterHalf && keep > numLayers - numLayers / 2) {
                    CHECK_THROWS_AS((void)uniformGrid(grid, numLayers, keep), stillroom::Error);
                    continue;
                }
                const LayerSet set = uniformGrid(grid, numLayers, keep);
                const LayerSet valid = stillroom::experiment::validLayerSet(set, numLayers);
                CHECK(set == valid);
                CHECK(static_cast<int>(set.size()) == keep);
                if (grid == Grid::Rounded && keep > 1)
                    for (int i = 0; i < keep; ++i)
                        CHECK(set[static_cast<std::size_t>(i)] == std::lround(std::floor(static_cast<double>(i) * (numLayers - 1) / (keep - 1) + 0.5 + 1e-12)));
                if (grid != Grid::End)
                    continue;
                LayerSet mirrored;
                for (const int layer : uniformGrid(Grid::Start, numLayers, keep))
                    mirrored.insert(mirrored.begin(), numLayers - 1 - layer);
                CHECK(set == mirrored);
                if (keep > 0 && numLayers % keep == 0)
                    for (int i = 0; i < keep; ++i)
                        CHECK(set[static_cast<std::size_t>(i)] == (i + 1) * (numLayers / keep) - 1);
            }
}

TEST_CASE("grids have names, and K out of range is refused")
{
    for (const Grid grid : grids())
        CHECK(gridFromName(gridName(grid)) == grid);
    CHECK_FALSE(gridFromName("uniform"));
    CHECK_THROWS_AS((void)uniformGrid(Grid::Start, 6, 7), stillroom::Error);
    CHECK_THROWS_AS((void)uniformGrid(Grid::Start, 6, -1), stillroom::Error);
    CHECK_THROWS_AS((void)uniformGrid(Grid::Start, 0, 0), stillroom::Error);
}
