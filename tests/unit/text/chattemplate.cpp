// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/chattemplate.h"

#include "error.h"
#include "testdata.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

using namespace stillroom;

namespace {

std::vector<text::ChatMessage> conversation(const nlohmann::json &messages)
{
    std::vector<text::ChatMessage> made;
    for (const nlohmann::json &message : messages)
        made.push_back({message["role"].get<std::string>(), message["content"].get<std::string>()});
    return made;
}

std::string render(const std::string &source)
{
    return text::renderTemplate(source, {{"user", "hi"}}, true, "<bos>", "<eos>");
}

}  // namespace

TEST_CASE("chat templates render as jinja2 renders them")
{
    const nlohmann::json cases = nlohmann::json::parse(std::ifstream(stillroom::test::testData().string() + "/text/chattemplates.json"));
    int refused = 0;
    for (const nlohmann::json &one : cases) {
        CAPTURE(one["name"].get<std::string>());
        CAPTURE(one["messages"].dump());
        const auto run = [&] {
            return text::renderTemplate(one["template"].get<std::string>(), conversation(one["messages"]), one["add_generation_prompt"].get<bool>(), "<bos>", "<eos>");
        };
        if (one["rendered"].is_null()) {
            CHECK_THROWS_AS((void)run(), Error);
            ++refused;
        } else {
            CHECK(run() == one["rendered"].get<std::string>());
        }
    }
    CHECK(cases.size() >= 30);
    CHECK(refused > 0);
}

TEST_CASE("what a chat template does that is not understood is refused by name")
{
    const auto message = [](const std::string &source) -> std::string {
        try {
            (void)render(source);
        } catch (const Error &error) {
            return error.what();
        }
        return {};
    };
    CHECK(message("{% macro x() %}{% endmacro %}").find("macro") != std::string::npos);
    CHECK(message("{{ messages | selectattr('role') }}").find("selectattr") != std::string::npos);
    CHECK(message("{{ strftime_now('%Y') }}").find("strftime_now") != std::string::npos);
    CHECK(message("{{ 'open }}").find("closed") != std::string::npos);
    CHECK(message("{% if true %}x").find("endif") != std::string::npos);
    CHECK(message("{% endfor %}").find("endfor") != std::string::npos);
    CHECK(message("{{ " + std::string(400, '(') + " }}").find("nests") != std::string::npos);
}

TEST_CASE("a chat template that would exhaust the machine is refused")
{
    const auto times = [](const std::string &text, int count) {
        std::string all;
        for (int i = 0; i < count; ++i)
            all += text;
        return all;
    };
    const std::string doubling = "{% set s = namespace(t='k', l=[1]) %}{% for i in range(200) %}";
    const std::vector<std::string> hostile{
        "{{ " + times("-", 50'000) + "1 }}",
        "{{ " + times("not ", 50'000) + "1 }}",
        "{{ 1" + times("+1", 50'000) + " }}",
        "{{ messages" + times(".a", 50'000) + " }}",
        times("{% if true %}", 5000) + times("{% endif %}", 5000),
        times("{% for a in messages %}", 5000) + times("{% endfor %}", 5000),
        "{% if false %}" + times("{% elif false %}", 5000) + "{% endif %}",
        std::string(1U << 20U, 'x'),
        times("{% for a in range(100000) %}", 10) + times("{% endfor %}", 10),
        "{% for a in range(100000) %}" + std::string(1000, 'x') + "{% endfor %}",
        "{% for a in range(1000000000000) %}{% endfor %}",
        "{% for a in range(-9223372036854775807, 9223372036854775807) %}{% endfor %}",
        doubling + "{% set s.t = s.t + s.t %}{% endfor %}",
        doubling + "{% set s.l = s.l + s.l %}{% endfor %}",
        doubling + "{% set s.l = [s.l, s.l] %}{% endfor %}",
        doubling + "{% set s.l = [s.l] %}{% endfor %}",
        doubling + "{% set s.l = s %}{% endfor %}",
        doubling + "{% set s.t = s.t | replace('k', 'kk') %}{% endfor %}",
        "{{ 'k'" + times(" | replace('k', 'kk')", 60) + " }}",
        "{% set s = namespace(t='k') %}{% for i in range(20) %}{% set s.t = s.t + s.t %}{% endfor %}{{ range(60000) | join(s.t) }}",
    };
    for (const std::string &source : hostile) {
        CAPTURE(source.substr(0, 120));
        CHECK_THROWS_WITH_AS((void)render(source), doctest::Contains("give the prompt without --chat"), Error);
    }
    CHECK(render("{% for a in range(3000) %}{{ a % 10 }}{% endfor %}").size() == 3000);
    CHECK(text::renderTemplate("{% for m in messages %}{{ m.content + eos_token }}{% endfor %}", {{"user", std::string(8U << 20U, 'k')}}, true, "", "<eos>").size() == (8U << 20U) + 5);
}

TEST_CASE("a chat template's numbers are whole numbers of 64 bits")
{
    CHECK(render("{{ 3 - 5 }} {{ 7 * 6 }} {{ -7 % 3 }} {{ range(2, 4) | length }} {{ range(4, 2) | length }}") == "-2 42 2 2 0");
    CHECK(render("{{ 'äé'.rstrip('ö') | tojson }}").starts_with("\"ä"));
    for (const char *source : {"{{ 9223372036854775807 + 1 }}", "{{ 9223372036854775807 * 2 }}", "{{ 1.2.3 }}", "{{ range('x') | length }}", "{{ range(unknown) | length }}"}) {
        CAPTURE(source);
        CHECK_THROWS_WITH_AS((void)render(source), doctest::Contains("the chat template"), Error);
    }
}

TEST_CASE("blocks of a chat template end with their own words")
{
    CHECK(render("{% if true %}{% generation %}a{% endgeneration %}b{% endif %}") == "ab");
    for (const char *source : {"{% if true %}a{% endfor %}", "{% for m in messages %}a{% endif %}", "{% if true %}a{% else %}b{% elif true %}c{% endif %}"}) {
        CAPTURE(source);
        CHECK_THROWS_WITH_AS((void)render(source), doctest::Contains("was expected"), Error);
    }
}
