// SPDX-License-Identifier: GPL-3.0-or-later
#include "demotable.h"

#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace stillroom;
using nlohmann::json;

namespace {

std::string printedDemo(int numSeeds, const std::string &workspace, const std::string &program = "stillroom-cli")
{
    json total = {{"scores", {{{"layer", 0}, {"kl_nats", 0.4}, {"se_nats", 0.01}, {"n", 64}}}}, {"selected", {3, 4}}, {"seeds", json::array()}};
    for (int seed = 1; seed <= numSeeds; ++seed) {
        const json measures = {{"recall", 0.5}, {"filler_accuracy", 0.7}, {"kl_nats", 0.1 * seed}};
        total["seeds"].push_back({{"seed", seed}, {"run", std::to_string(seed) + "234567-89ab"}, {"finals", {{{"name", "ga-s2"}, {"selected", {3, 4}}, {"measures", measures}}}}});
    }
    total["comparisons"] = {{{"set", "uniform-start"}, {"recall_difference", 0.3}, {"interval_95", {0.2, 0.4}}}};
    std::ostringstream out;
    cli::printDemo(total, program, workspace, out);
    return out.str();
}

}  // namespace

TEST_CASE("the demo's table names each seed, says what ± is, and ends with commands that go on")
{
    const std::string one = printedDemo(1, {}), several = printedDemo(2, "/my data/it's");
    CHECK(one.find("± its standard error over 64 held-out sequences") != std::string::npos);
    CHECK(one.find("minus") == std::string::npos);
    CHECK(one.find("  stillroom-cli select '1234567- > score' -k 2      #") != std::string::npos);
    CHECK(several.find("ga-s2              1  [3,4]") != std::string::npos);
    CHECK(several.find("ga-s2              2  [3,4]") != std::string::npos);
    CHECK(several.find("(mean over 2 seeds, 95 % t-interval)") != std::string::npos);
    CHECK(several.find("  stillroom-cli advise '1234567- > score' --workspace '/my data/it'\\''s'      #") != std::string::npos);
    CHECK(printedDemo(1, "/my/data").find(" --workspace /my/data      #") != std::string::npos);
}

TEST_CASE("the demo's commands name the program as it was invoked, and the window's where that is there")
{
    const TemporaryFolder folder;
    const std::filesystem::path built = folder.path() / "my build";
    std::filesystem::create_directory(built);
    const std::string program = (built / "stillroom-cli").string(), window = (built / "stillroom").string();
    const std::string alone = printedDemo(1, {}, program);
    CHECK(alone.find("  '" + program + "' select '1234567- > score' -k 2      #") != std::string::npos);
    CHECK(alone.find("in the window") == std::string::npos);
    std::ofstream(window) << "a program";
    CHECK(printedDemo(1, "/it's", program).find("  '" + window + "' '/it'\\''s'      #") != std::string::npos);
    CHECK(printedDemo(1, {}, "build/bin/stillroom-cli").find("  build/bin/stillroom-cli advise '1234567- > score'      #") != std::string::npos);
    CHECK(printedDemo(1, {}, "build/bin/stillroom-cli").find("in the window") == std::string::npos);
}
