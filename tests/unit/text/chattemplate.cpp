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
    CHECK(message("{{ " + std::string(100000, '(') + " }}").find("nests") != std::string::npos);
}
