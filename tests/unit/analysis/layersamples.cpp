// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/layersamples.h"
#include "error.h"
#include "golden.h"

#include <cmath>

using namespace stillroom::analysis;
using doctest::Approx;
using stillroom::experiment::Ranking;
using Values = std::vector<std::vector<double>>;

TEST_CASE("means, intervals and ranking of layers by hand")
{
    const LayerSamples kl(Values{{1, 2, 3}, {0, 1, 2}, {4, 4, 4}, {2, 2, 2}});
    CHECK(kl.numLayers() == 4);
    CHECK(kl.numSequences() == 3);
    CHECK(kl.mean(1) == 1.0);
    CHECK(kl.interval(0).se == Approx(1 / std::sqrt(3.0)));
    CHECK(kl.ranking() == Ranking{1, 0, 3, 2});                   // layers 0 and 3 tie at 2: the lower first
    CHECK(LayerSamples(Values{{1, 2, 3}, {0, 1, 2}, {4, 4, 4}, {2, 2, 2}}, true).ranking() == Ranking{2, 0, 3, 1});
    CHECK(kl.advantage(1, 0).mean == 1.0);
    CHECK(kl.advantage(1, 0).se == 0.0);
    CHECK(kl.advantage(0, 1).mean == -1.0);
    CHECK(LayerSamples(Values{{1, 2}, {3, 5}}, true).advantage(1, 0).mean == 2.5);
}

TEST_CASE("paired differences are scipy's paired t-interval")
{
    for (const auto &row : golden().at("paired")) {
        const LayerSamples samples({row.at("x").get<std::vector<double>>(), row.at("y").get<std::vector<double>>()}, true);
        const Interval difference = samples.advantage(0, 1, row.at("level").get<double>());
        CHECK(difference.low == Approx(row.at("low").get<double>()).epsilon(1e-9));
        CHECK(difference.high == Approx(row.at("high").get<double>()).epsilon(1e-9));
    }
}

TEST_CASE("what cannot be compared is refused")
{
    CHECK_THROWS_AS(LayerSamples(Values{}), stillroom::Error);
    CHECK_THROWS_AS(LayerSamples(Values(2)), stillroom::Error);
    CHECK_THROWS_AS(LayerSamples(Values{{1, 2}, {2}}), stillroom::Error);
    CHECK_THROWS_AS(LayerSamples(Values{{1, 2, 3}, {2, 3}}), stillroom::Error);
    CHECK_THROWS_AS(LayerSamples(Values{{1, std::nan("")}}), stillroom::Error);
    CHECK_THROWS_AS((void)LayerSamples(Values{{1, 2}}).mean(1), stillroom::Error);
    CHECK_THROWS_AS((void)LayerSamples(Values{{1, 2}}).values(-1), stillroom::Error);
}
