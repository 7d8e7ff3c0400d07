// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "testdata.h"

#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

inline nlohmann::json readGolden(const std::string &name)
{
    std::ifstream stream(stillroom::test::testData() / "analysis" / name);
    REQUIRE(stream);
    return nlohmann::json::parse(stream);
}

/// What tests/golden/analysis/statistics.py wrote: values of scipy.
inline const nlohmann::json &golden()
{
    static const nlohmann::json values = readGolden("statistics.json");
    return values;
}

/// What tests/golden/analysis/agreement.py wrote: values of scipy, numpy and the package rbo.
inline const nlohmann::json &agreementGolden()
{
    static const nlohmann::json values = readGolden("agreement.json");
    return values;
}
