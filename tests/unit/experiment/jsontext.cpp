// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/jsontext.h"
#include "experiment/spec.h"
#include "samples.h"
#include "strictjson.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

using namespace stillroom;
using namespace stillroom::experiment;
using nlohmann::json;
using samples::holds;
using samples::refusal;

TEST_CASE("what nlohmann accepts in silence is refused")
{
    CHECK(holds(refusal(ErrorCode::BadFile, [] { (void)parseJson(R"({"a": 1, "b": {"c": 1, "c": 2}})", "The text"); }), "\"c\" twice"));
    CHECK(parseJson(R"({"a": {"c": 1}, "b": {"c": 2}})", "The text").size() == 2);
    const std::string deep(64, '['), shut(64, ']');
    CHECK(jsonDepth(parseJson(deep + shut, "The text")) == 64);
    CHECK(holds(refusal(ErrorCode::BadFile, [&] { (void)parseJson("[" + deep + shut + "]", "The text"); }), "deeper than 64"));
    (void)refusal(ErrorCode::BadFile, [] { (void)parseJson(std::string(5'000'000, '['), "The text"); });
    (void)refusal(ErrorCode::BadFile, [] { (void)parseJson("1e999", "The text"); });
    (void)refusal(ErrorCode::BadFile, [] { (void)parseJson("\"\xC3\"", "The text"); });
    (void)refusal(ErrorCode::BadFile, [] { (void)parseJson("[1] // comment", "The text"); });
    std::string many = "[0";
    for (int i = 0; i < 300'000; ++i)
        many += ",0";
    CHECK(holds(refusal(ErrorCode::BadFile, [&] { (void)parseJson(many + "]", "The text"); }), "250000 values"));
}

TEST_CASE("a long list of objects takes no longer than one of numbers" * doctest::timeout(60))   // quadratic: minutes
{
    constexpr std::size_t size = 600'000;
    std::string many = "[{}";
    for (std::size_t i = 1; i < size; ++i)
        many += ",{}";
    const auto parsed = strictJson(many + "]", 64, 2 * size + 3);
    REQUIRE(std::holds_alternative<json>(parsed));
    CHECK(std::get<json>(parsed).size() == size);
    CHECK(holds(refusal(ErrorCode::BadFile, [&] { (void)parseJson(many + "]", "The text"); }), "250000 values"));
}

TEST_CASE("an error's place is named by line and column")
{
    CHECK(holds(refusal(ErrorCode::BadFile, [] { (void)parseJson("{\n  \"a\": 1,\n  \"b\": x\n}", "The text"); }), "line 3, column 8"));
    CHECK(holds(refusal(ErrorCode::BadFile, [] { (void)parseJson("", "The text"); }), "line 1, column 1"));
}

TEST_CASE("canonical JSON has sorted names, no white space and one form for every number")
{
    CHECK(canonicalJson(json::parse(R"( {"b": [1, 2.0, 2.50, true, null], "a": "é\n"} )")) == "{\"a\":\"é\\n\",\"b\":[1,2,2.5,true,null]}");
    CHECK(canonicalJson(json(1)) == canonicalJson(json(1.0)));
    CHECK(canonicalJson(json(-0.0)) == "0");
    CHECK(canonicalJson(json(1e6)) == "1000000");
    CHECK(canonicalJson(json(0.1)) == "0.1");
    CHECK(canonicalJson(json(1e-3)) == "0.001");
    CHECK(canonicalJson(json(7e-6)) == "7e-06");
    CHECK(canonicalJson(json(5e-324)) == "5e-324");
    CHECK(canonicalJson(json(std::numeric_limits<std::uint64_t>::max())) == "18446744073709551615");
    (void)refusal(ErrorCode::Usage, [] { (void)canonicalJson(json(std::nan(""))); });
    (void)refusal(ErrorCode::Usage, [] { (void)canonicalJson(json("\xFF")); });
    json deep = 1;
    for (int i = 0; i < 65; ++i)
        deep = json::array({deep});
    (void)refusal(ErrorCode::Usage, [&] { (void)canonicalJson(deep); });
}

TEST_CASE("every double survives canonical JSON in its shortest form")
{
    std::mt19937_64 generator(11);
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t bits = generator();
        double number = 0;
        std::memcpy(&number, &bits, sizeof number);
        if (!std::isfinite(number))
            continue;
        const std::string text = canonicalJson(json(number));
        CHECK(std::strtod(text.c_str(), nullptr) == number);
        char longer[64];
        std::snprintf(longer, sizeof longer, "%.17g", number);
        CHECK(text.size() <= std::string(longer).size());
    }
}
