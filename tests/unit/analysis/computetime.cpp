// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/computetime.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace stillroom::analysis;

namespace {

/// A row every two seconds, and a night between the fifth and the sixth.
const std::vector<double> stopped{100.0, 102.0, 104.0, 106.0, 108.0, 40108.0, 40110.0, 40112.0};

}  // namespace

TEST_CASE("a pause of a resumed run is no work")
{
    const std::vector<Pause> pauses = pausesOf(stopped, true);
    REQUIRE(pauses.size() == 1);
    CHECK(pauses[0].beginSeconds == 108.0);
    CHECK(pauses[0].endSeconds == 40106.0);      // the row behind it took two seconds as the others
    CHECK(computeSeconds(100.0, 108.0, pauses) == 8.0);
    CHECK(computeSeconds(100.0, 40108.0, pauses) == 10.0);
    CHECK(computeSeconds(100.0, 40112.0, pauses) == 14.0);
    CHECK(computeSeconds(100.0, 20000.0, pauses) == 8.0);      // a row of another curve, within it
    CHECK(computeSeconds(40108.0, 40112.0, pauses) == 4.0);
}

TEST_CASE("a run that never stopped has no pauses, however uneven it ran")
{
    CHECK(pausesOf(stopped, false).empty());
}

TEST_CASE("what is only slow is no pause")
{
    CHECK(pausesOf({0.0, 1.0, 2.0, 12.0, 13.0, 14.0}, true).empty());           // ten times the usual, not more
    CHECK(pausesOf({0.0, 0.01, 0.02, 0.9, 0.91, 0.92}, true).empty());          // less than a second
    CHECK(pausesOf({0.0, 1.0, 5000.0, 5001.0}, true).empty());                  // three gaps: nothing is usual
    CHECK(pausesOf({0.0, 1.0, 2.0, 3.0, 14.0, 15.0}, true).size() == 1);
}

TEST_CASE("times that are no times, or go back, are left out")
{
    const std::vector<Pause> pauses = pausesOf({0.0, std::nan(""), 1.0, 0.5, 2.0, 3.0, 4.0, 1000.0, 1001.0}, true);
    REQUIRE(pauses.size() == 1);
    CHECK(computeSeconds(0.0, 1001.0, pauses) == 6.0);
    CHECK(computeSeconds(5.0, 1.0, {}) == 0.0);
    CHECK(pausesOf({}, true).empty());
}
