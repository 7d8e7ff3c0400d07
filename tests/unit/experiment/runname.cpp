// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/runname.h"

#include "error.h"

#include <doctest/doctest.h>
#include <string>

using namespace stillroom;
using namespace stillroom::experiment;

TEST_CASE("a word that commands read as a model, a start or a layer set is no name of a run")
{
    for (const char *word : {"demo", "none", "-", "random", "uniform-start", "0", "0,1", "3,", "stage:score", "published:qwen2.5-3b/gdn/25/ga-s2"}) {
        CAPTURE(word);
        CHECK_FALSE(meaningBesideRuns(word).empty());
        CHECK_THROWS_AS(checkRunName(word), Error);
    }
    for (const char *name : {"", "demo, seed 1", "20261204", "a, b", "uniform-start, seed 2", "the stage: score", "-x", "none of these"}) {
        CAPTURE(name);
        CHECK(meaningBesideRuns(name).empty());
        CHECK_NOTHROW(checkRunName(name));
    }
}

TEST_CASE("one number is a list of layers while a model may have that many")
{
    CHECK(isLayerList("4095"));
    CHECK(isLayerList("0,4,9"));
    CHECK_FALSE(isLayerList("20261"));
    CHECK_FALSE(isLayerList(""));
    CHECK_FALSE(isLayerList("0, 4"));
}

TEST_CASE("a name is UTF-8 and not without end")
{
    CHECK_NOTHROW(checkRunName(std::string(1000, 'a')));
    CHECK_THROWS_AS(checkRunName(std::string(1001, 'a')), Error);
    CHECK_THROWS_AS(checkRunName("\xFF"), Error);
}
