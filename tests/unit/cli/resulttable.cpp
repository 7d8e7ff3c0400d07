// SPDX-License-Identifier: GPL-3.0-or-later
#include "resulttable.h"

#include "earlystopline.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace stillroom;
using nlohmann::json;

namespace {

std::string printed(const json &notes)
{
    json result = {{"kind", "score"}, {"notes", notes}, {"ranking", {1, 0}}, {"scores", json::array()}};
    for (int layer = 0; layer < 2; ++layer)
        result["scores"].push_back({{"layer", layer}, {"score", layer + 0.5}, {"higher_is_better", true}, {"unit", "nats/token"}, {"se", 0.1}, {"n", 8}});
    std::ostringstream out;
    cli::printResult(result, out);
    return out.str();
}

}  // namespace

TEST_CASE("the table of a scoring that stopped early says what that saved")
{
    const json saved = {{"early_stop", {{"rule", "stable"}, {"stopped", true}, {"tokens", 262144}, {"planned_tokens", 524288}, {"saved_fraction", 0.4123}}}};
    CHECK(printed(saved).find("early stop at 262144 of 524288 tokens: 41 % of the tokens saved\n") != std::string::npos);
    CHECK(printed({{"early_stop", nullptr}}).find("early stop") == std::string::npos);
    CHECK(printed(json::object()).find("early stop") == std::string::npos);
    for (const json &wrong : {json(3), json{{"early_stop", "yes"}}, json{{"early_stop", {{"saved_fraction", "much"}}}}, json::array()})
        CHECK(cli::earlyStopText(json{{"notes", wrong}}).empty());
    CHECK(cli::earlyStopText(json()).empty());
}
