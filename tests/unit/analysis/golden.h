// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "testdata.h"

#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>

/// What tests/golden/analysis/statistics.py wrote: values of scipy.
inline const nlohmann::json &golden()
{
    static const nlohmann::json values = [] {
        std::ifstream stream(stillroom::test::testData() / "analysis/statistics.json");
        REQUIRE(stream);
        return nlohmann::json::parse(stream);
    }();
    return values;
}
