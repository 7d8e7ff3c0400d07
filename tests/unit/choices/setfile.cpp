// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/setfile.h"
#include "error.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <fstream>

using namespace stillroom;
using namespace stillroom::choices;
using experiment::LayerSet;
using experiment::Ranking;

namespace {

KeepRule ruleOf(const std::string &text, int numLayers = 6)
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "set.json";
    std::ofstream(file) << text;
    return readSetFile(file, numLayers);
}

/// What is said of a file that is refused.
std::string refusalOf(const std::string &text)
{
    try {
        (void)ruleOf(text);
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::BadFile);
        return error.what();
    }
    FAIL("read " << text);
    return {};
}

}  // namespace

TEST_CASE("what select, score, a spec and a person write is read")
{
    const KeepRule selected = ruleOf(R"({"selected": [1, 4], "keep": 2, "num_layers": 6, "ranking": [4, 1, 0, 2, 3, 5]})");
    REQUIRE(selected.ranking() != nullptr);
    CHECK(*selected.at(1) == LayerSet{4});
    const KeepRule scores = ruleOf(R"({"scores": [{"layer": 1, "kl_nats": 0.2}, {"layer": 0, "kl_nats": 0.5}, {"layer": 2, "kl_nats": 0.1}]})", 3);
    CHECK(*scores.ranking() == Ranking{2, 1, 0});
    const KeepRule higher = ruleOf(R"({"scores": [{"layer": 0, "score": 1, "higher_is_better": true}, {"layer": 1, "score": 2, "higher_is_better": true}]})", 2);
    CHECK(*higher.ranking() == Ranking{1, 0});
    for (const char *text : {R"({"keep": [4, 1]})", R"({"selected": [1, 4], "keep": 2})", "[4, 1]"}) {
        const KeepRule fixed = ruleOf(text);
        CHECK(fixed.isFixed());
        CHECK(*fixed.at(5) == LayerSet{1, 4});
    }
}

TEST_CASE("a file that names no layers of this model is refused in one sentence")
{
    CHECK(refusalOf("{}").find("names no layers") != std::string::npos);
    CHECK(refusalOf("7").find("names no layers") != std::string::npos);
    CHECK(refusalOf("[0, 4").find("set.json") != std::string::npos);
    CHECK(refusalOf(R"(["four"])").find("a number is \"four\" but must be a whole number") != std::string::npos);
    CHECK(refusalOf(R"({"num_layers": "six", "keep": [1]})").find("num_layers is \"six\" but must be a whole number") != std::string::npos);
    CHECK(refusalOf(R"({"num_layers": 28, "keep": [1]})").find("28 layers, not 6") != std::string::npos);
    CHECK(refusalOf("[6]").find("Layer 6 does not exist") != std::string::npos);
    CHECK(refusalOf("[1, 1]").find("named twice") != std::string::npos);
    CHECK(refusalOf(R"({"scores": [{"layer": 0, "kl_nats": 0.5}]})").find("does not fit this model") != std::string::npos);
    CHECK(refusalOf(R"({"scores": [0.5]})").find("scores cannot be read") != std::string::npos);
    CHECK_THROWS_AS((void)readSetFile("/there/is/no/such/file.json", 6), Error);
}
