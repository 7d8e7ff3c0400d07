// SPDX-License-Identifier: GPL-3.0-or-later
// Files that somebody edited or damaged, and numbers that no model has: refused by name, in one sentence.
#include "cli/program.h"
#include "cli/scorefile.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace editedfiles_tests {

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::refused;
using stillroom::test::runProgram;
using stillroom::test::ScoreFile;

TEST_CASE("numbers that are no layers are refused, neither wrapped nor cut")
{
    const ScoreFile scores;
    const auto file = [&](const std::string &name, const std::string &layer, const std::string &more) {
        std::string list;
        for (int i = 0; i < 5; ++i)
            list += R"({"layer": )" + std::to_string(i) + R"(, "score": )" + std::to_string(i + 1) + "}, ";
        return scores.beside(name, R"({"scores": [)" + list + R"({"layer": )" + layer + R"(, "score": 9}])" + more + "}");
    };
    for (const char *layer : {"4294967301", "5.5", "-1", "\"5\"", "1e300", "null"})
        for (const std::vector<std::string> &rule : {std::vector<std::string>{}, {"--selector", "smart"}}) {
            std::vector<std::string> call{"select", file("layer.json", layer, ""), "-k", "2", "--workspace", "/nonexistent"};
            call.insert(call.end(), rule.begin(), rule.end());
            const Answer answer = runProgram(call);
            CAPTURE(layer);
            CHECK((answer.status == 4 || answer.status == 2));
            CHECK(answer.out.empty());
            CHECK(answer.err.find("json.exception") == std::string::npos);
        }
    refused({"select", file("count.json", "5", R"(, "num_layers": 4294967302)"), "-k", "2", "--workspace", "/nonexistent"}, "whole number", 4);
    refused({"select", file("ranking.json", "5", R"(, "ranking": [0, 1, 2, 3, 4, 4294967301])"), "-k", "2", "--workspace", "/nonexistent"}, "ranking", 4);
    refused({"compare", scores.beside("wrapped.json", R"({"selected": [4294967296, 1], "num_layers": 6})"), "0,1"}, "whole number", 4);
    refused({"compare", scores.beside("cut.json", R"({"selected": [0.7, 1.2], "num_layers": 6})"), "0,1"}, "whole number", 4);
    refused({"score", "--teacher", "demo", "--name", "bad\xff name", "--dry-run"}, "UTF-8");
}

TEST_CASE("a file of scores whose fields do not fit each other is refused by its name and the field, whoever reads it")
{
    const ScoreFile scores;
    const auto damaged = [&](const std::string &name, const char *field, const json &value) {
        json file = json::parse(std::ifstream(scores.ranked(name, {4, 3, 1, 0, 5, 2})));
        file[field] = value;
        return scores.beside(name, file.dump());
    };
    const std::string empty = damaged("empty.json", "scores", json::array()), beyond = damaged("beyond.json", "ranking", {4, 3, 1, 0, 5, 99}), cut = damaged("short.json", "ranking", {4, 3});
    for (const std::vector<std::string> &call : std::vector<std::vector<std::string>>{{"select", "-k", "2"}, {"compare", "0,1"}, {"consensus", scores.path()}, {"advise"}}) {
        const auto on = [&](const std::string &file) {
            std::vector<std::string> all = call;
            all.insert(all.end(), {file, "--workspace", "/nonexistent"});
            return all;
        };
        CAPTURE(call[0]);
        refused(on(empty), empty + ": \"scores\" is empty", 4);
        refused(on(beyond), beyond + ": \"ranking\" names layer 99, but the layers are 0 to 5", 4);
        refused(on(cut), cut + ": \"ranking\" leaves out layer 0", 4);
    }
    // A set is known by the layers of its scores, where nothing else says how many there are.
    json set = json::parse(std::ifstream(scores.path()));
    set.erase("num_layers");
    set["selected"] = {0, 1, 77};
    refused({"compare", "0,1", scores.beside("set.json", set.dump())}, "set.json\": \"selected\" names layer 77, but the layers are 0 to 5", 4);
    refused({"select", scores.beside("set.json", set.dump()), "-k", "2", "--workspace", "/nonexistent"}, "\"selected\" names layer 77", 4);
}

TEST_CASE("sizes that no model has are refused at once, and large ones are answered")
{
    for (const char *layers : {"4097", "100000", "2000000000"}) {
        refused({"select", "--selector", "random", "-k", "2", "--layers", layers}, "4096");
        refused({"compare", "0,1", "random", "-k", "2", "--layers", layers}, "4096");
    }
    refused({"select", "--selector", "random", "--draws", "10000", "--layers", "4096", "-k", "2000"}, "ask for fewer sets");
    const Answer drawn = runProgram({"select", "--selector", "random", "--draws", "10000", "--layers", "4096", "-k", "100", "--json"});
    REQUIRE(drawn.status == 0);
    CHECK(drawn.json()["draws"].size() == 10000);
    const ScoreFile scores;
    refused({"select", scores.beside("huge.json", R"({"scores": [{"layer": 0, "score": 1}], "num_layers": 2000000000})"), "-k", "1", "--workspace", "/nonexistent"}, "from 1 to 4096", 4);
    refused({"select", "--selector", "uniform-start", "--teacher", "demo", "--kv-bytes", "1MiB", "--context", "1000000000001"}, "that a context may have");
    std::vector<std::string> many{"compare", "--curve", "-k", "2", "--layers", "4096"};
    many.insert(many.end(), 20, "random");
    refused(many, "name fewer sets");
}

TEST_CASE("names from files are printed without what a terminal obeys")
{
    const TemporaryFolder workspace;
    const std::string hostile = "evil\x1b]0;title\x07\xc2\x9b" "2J\xe2\x80\xae";
    const auto hasControl = [](const std::string &text) {
        return text.find('\x1b') != std::string::npos || text.find('\x07') != std::string::npos || text.find("\xc2\x9b") != std::string::npos || text.find("\xe2\x80\xae") != std::string::npos;
    };
    const auto folder = workspace.path() / "artifacts" / "abc123";
    std::filesystem::create_directories(folder);
    json curves = json::array(), scores = json::array();
    for (int layer = 0; layer < 3; ++layer) {
        curves.push_back({{"layer", layer}, {"values", {0.1 * layer, 0.1 * layer + 0.01, 0.1 * layer + 0.02}}});
        scores.push_back({{"layer", layer}, {"score", 0.1 * layer + 0.01}, {"kl_nats", 0.1 * layer + 0.01}, {"unit", hostile}, {"higher_is_better", false}});
    }
    std::ofstream(folder / "curves.json") << json{{"schema", 1}, {"curves", json::array()}, {"samples", {{"higher_is_better", false}, {"layers", curves}}}};
    std::ofstream(folder / "scores.json") << json{{"scores", scores}, {"num_layers", 3}, {"selector", hostile}, {"mixer", hostile}, {"notes", {{"ranking", hostile}}}};
    const std::string file = (workspace.path() / (hostile + ".json")).string();
    std::filesystem::copy_file(folder / "scores.json", file);
    const std::string there = workspace.path().string();
    for (const std::vector<std::string> &call : std::vector<std::vector<std::string>>{{"select", "abc123", "-k", "1"}, {"select", "abc123", "-k", "1", "--selector", "smart"}, {"select", file, "-k", "1"}, {"select", file + "x", "-k", "1"},
                                                  {"compare", file, "0,1"}, {"compare", "--matrix", file, "0,1"}, {"compare", file, hostile}, {"consensus", file, file}, {"advise", file}, {"select", hostile, "-k", "1"},
                                                  {"select", "--selector", hostile, "abc123", "-k", "1"}, {"select", "--selector", "published:" + hostile + "/gdn/25/ga-s2"}, {"select", hostile, hostile, hostile}, {hostile}, {"select", "abc123", "--kv-bytes", hostile, "--context", "1"},
                                                  {"score", "--teacher", hostile}, {"score", "--teacher", "demo", "--selector", hostile}, {"score", "--teacher", "demo", "--mixer.kind", hostile, "--dry-run"}, {"runs", "show", hostile}, {"run", hostile}, {"inspect", hostile}}) {
        std::vector<std::string> all = call;
        if (call.size() > 1 && call[0] != "inspect")
            all.insert(all.end(), {"--workspace", there});
        const Answer answer = runProgram(all);
        CAPTURE(call[0]);
        CAPTURE(answer.status);
        CHECK_FALSE(hasControl(answer.out));
        CHECK_FALSE(hasControl(answer.err));
        CHECK_FALSE((answer.out + answer.err).empty());
    }
}

TEST_CASE("damaged curves say which file it is, what is wrong and what to do")
{
    const TemporaryFolder workspace;
    const auto folder = workspace.path() / "artifacts" / "abc123";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "scores.json") << R"({"scores": [{"layer": 0, "score": 0.1}, {"layer": 1, "score": 0.2}], "num_layers": 2})";
    for (const char *content : {"", "{", "[]", "{}", R"({"curves": 1})", R"({"curves": [1]})", R"({"curves": [{"layer": 0}]})", R"({"curves": [{"layer": 0, "tokens": [0], "kl_nats": [[1]], "counted_tokens": [1, 2]}]})",
                                R"({"curves": [{"layer": 0.5, "tokens": [0], "kl_nats": [[1]], "counted_tokens": [1]}]})", R"({"curves": [{"layer": 0, "tokens": [0], "kl_nats": [["x"]], "counted_tokens": [1]}]})",
                                R"({"curves": [{"layer": 0, "tokens": [0], "kl_nats": [[1]], "counted_tokens": [1]}, {"layer": 1, "tokens": [0], "kl_nats": [[1, 2]], "counted_tokens": [1, 2]}, {"layer": -1, "tokens": [0], "kl_nats": [[1]], "counted_tokens": [1]}]})"}) {
        std::ofstream(folder / "curves.json") << content;
        CAPTURE(content);
        for (const std::vector<std::string> &call : {std::vector<std::string>{"select", "abc123", "-k", "1", "--workspace", workspace.path().string()}, {"advise", "abc123", "--workspace", workspace.path().string()}}) {
            const Answer answer = runProgram(call);
            CAPTURE(call[0]);
            CAPTURE(answer.err);
            CHECK(answer.status == 4);
            CHECK(answer.err.find("The stored curves \"" + (folder / "curves.json").string() + "\" cannot be used: ") != std::string::npos);
            CHECK(answer.err.find("run the score stage again with --fresh") != std::string::npos);
        }
    }
}

}  // namespace editedfiles_tests
