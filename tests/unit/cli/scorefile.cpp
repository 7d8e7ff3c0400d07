// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/scorefile.h"

#include "cli/program.h"

#include <doctest/doctest.h>
#include <fstream>

namespace stillroom::test {

using nlohmann::json;

ScoreFile::ScoreFile()
{
    json scores = json::array();
    const double kl[] = {0.807, 0.929, 0.940, 0.919, 0.292, 0.953};
    for (int layer = 0; layer < 6; ++layer)
        scores.push_back({{"layer", layer}, {"score", kl[layer]}, {"kl_nats", kl[layer]}, {"higher_is_better", false}, {"se_nats", 0.01}, {"n", 64}});
    std::ofstream(path()) << json{{"scores", scores}, {"num_layers", 6}, {"selector", "ga-s2"}};
}

std::string ScoreFile::path() const
{
    return (m_folder.path() / "scores.json").string();
}

std::string ScoreFile::beside(const std::string &name, const std::string &text) const
{
    std::ofstream(m_folder.path() / name) << text;
    return (m_folder.path() / name).string();
}

std::string ScoreFile::ranked(const std::string &name, const std::vector<int> &ranking) const
{
    json scores = json::array();
    for (std::size_t place = 0; place < ranking.size(); ++place)
        scores.push_back({{"layer", ranking[place]}, {"score", place}});
    return beside(name, json{{"scores", scores}, {"ranking", ranking}, {"num_layers", ranking.size()}}.dump());
}

json selected(const std::vector<std::string> &arguments)
{
    std::vector<std::string> all{"select", "--json", "--workspace", "/nonexistent"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Answer answer = runProgram(all);
    CHECK(answer.status == 0);
    INFO(answer.err);
    REQUIRE_FALSE(answer.out.empty());
    return answer.json();
}

void refused(const std::vector<std::string> &arguments, const std::string &words, int status)
{
    const Answer answer = runProgram(arguments);
    CAPTURE(answer.err);
    CHECK(answer.status == status);
    CHECK(answer.out.empty());
    CHECK(answer.err.find(words) != std::string::npos);
}

}  // namespace stillroom::test
