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

TEST_CASE("measures are said in words with units, and a residual's ± is explained")
{
    const auto printedOf = [](const json &result) {
        std::ostringstream out;
        cli::printResult(result, out);
        return out.str();
    };
    const json measures = {{"kl_nats", 0.25}, {"se_nats", 0.01}, {"n", 64}, {"recall_task", "mqar-mix"}, {"filler_accuracy", nullptr}};
    for (const char *kind : {"distill", "evaluate"}) {
        const std::string text = printedOf({{"kind", kind}, {"measures", measures}});
        CHECK(text.find("KL (nats/token)                  0.25\n") != std::string::npos);
        CHECK(text.find("KL, standard error (nats/token)  0.01\n") != std::string::npos);
        CHECK(text.find("held-out sequences               64\n") != std::string::npos);
        CHECK(text.find("recall task                      mqar-mix\n") != std::string::npos);
        CHECK(text.find('_') == std::string::npos);
    }
    const json residuals = {{{"layer", 0}, {"relative_mse", 0.5}, {"se", 0.01}, {"n", 8}}};
    CHECK(printedOf({{"kind", "align"}, {"residuals", residuals}}).find("(relative squared error, ± its standard error over 8 held-out sequences)\n    0  0.5000 ± 0.0100\n") != std::string::npos);
    const std::string teacher = printedOf({{"kind", "train-teacher"}, {"seed", 1}, {"solved", true}, {"solved_at_step", 900}, {"steps", 1000}, {"tokens", 2000}, {"recall", 1.0}, {"filler_accuracy", 0.7},
                                           {"filler_ceiling", 0.8}, {"n", 64}, {"recall_without_attention", {1.0, 0.05}}, {"first_pairs_learned_at_step", 7}, {"restarts", 0}, {"spec", json::object()}});
    CHECK(teacher.starts_with("solved at step 900, seed 1, trained for 1000 steps, 2000 tokens in all\n"));
    CHECK(teacher.find("recall without the attention of layer 1: 0.05\n") != std::string::npos);
    CHECK(teacher.find('_') == std::string::npos);
    CHECK(teacher.find('{') == std::string::npos);
}
