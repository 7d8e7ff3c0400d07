// SPDX-License-Identifier: GPL-3.0-or-later
#include "sourcetext.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace fs = std::filesystem;
using stillroom::test::sourceText;

namespace {

/// Which rooms a room may include, besides itself and core's own files.
const std::map<std::string, std::set<std::string>> &arrows()
{
    static const std::map<std::string, std::set<std::string>> allowed = {
        {"experiment", {}},
        {"analysis", {"experiment"}},
        {"choices", {"experiment"}},
        {"store", {"experiment"}},
        {"report", {"experiment", "analysis"}},
        {"comparison", {"experiment", "analysis", "choices", "store"}},
        {"jobs", {"experiment", "store"}},
        {"checkpoint", {}},
        {"text", {"checkpoint"}},
        {"recurrence", {}},
        {"nn", {"checkpoint"}},
        {"mixers", {"experiment", "checkpoint", "recurrence", "nn"}},
        {"distillation", {"experiment", "checkpoint", "nn", "mixers", "recurrence"}},
        {"calibration", {"checkpoint", "nn", "mixers", "distillation"}},
        {"evaluation", {"analysis", "checkpoint", "nn", "text"}},
        {"selection", {"experiment", "analysis", "checkpoint", "nn", "mixers", "distillation", "evaluation"}},
        {"procedures", {"experiment", "analysis", "choices", "store", "jobs", "checkpoint", "text", "recurrence", "nn", "mixers", "distillation", "calibration", "evaluation", "selection"}},
    };
    return allowed;
}

bool isSource(const fs::path &file)
{
    return file.extension() == ".cpp" || file.extension() == ".h";
}

/// What a file includes, with the sign in front: "<QString", "\"nn/block.h".
std::set<std::string> includesOf(const std::string &text)
{
    static const std::regex pattern(R"(#include\s*(["<][^">]+))");
    std::set<std::string> found;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), pattern); at != std::sregex_iterator(); ++at)
        found.insert((*at)[1].str());
    return found;
}

bool reaches(const std::set<std::string> &includes, const std::string &start)
{
    const auto found = includes.lower_bound(start);
    return found != includes.end() && found->starts_with(start);
}

bool reachesTorch(const std::set<std::string> &includes)
{
    return reaches(includes, "<ATen/") || reaches(includes, "<torch/") || reaches(includes, "<c10/");
}

}  // namespace

TEST_CASE("includes between rooms follow the arrows of the house")
{
    const fs::path core = fs::path(STILLROOM_SOURCE) / "core";
    int files = 0;
    for (const auto &[room, allowed] : arrows())
        for (const fs::directory_entry &entry : fs::recursive_directory_iterator(core / room)) {
            if (!isSource(entry.path()))
                continue;
            ++files;
            for (const std::string &include : includesOf(sourceText(entry.path()))) {
                const std::size_t slash = include.find('/');
                if (include.front() != '"' || slash == std::string::npos)
                    continue;
                const std::string other = include.substr(1, slash - 1);
                CAPTURE(entry.path().string());
                CAPTURE(include);
                CHECK((other == room || other == ".." || allowed.contains(other)));   // "..": core's own files
            }
        }
    CHECK(files > 100);
}

TEST_CASE("every room of core has its arrows here")
{
    for (const fs::directory_entry &entry : fs::directory_iterator(fs::path(STILLROOM_SOURCE) / "core"))
        if (entry.is_directory())
            CHECK_MESSAGE(arrows().contains(entry.path().filename().string()), entry.path().filename().string());
}

TEST_CASE("no Qt in core, no LibTorch in widgets or torch-free rooms, and never LibTorch beside spdlog or QCustomPlot")
{
    const std::set<std::string> torchFree = {"experiment", "analysis", "choices", "report", "store", "comparison", "jobs", "checkpoint", "text"};
    for (const char *top : {"core", "widgets", "app"})
        for (const fs::directory_entry &entry : fs::recursive_directory_iterator(fs::path(STILLROOM_SOURCE) / top)) {
            if (!isSource(entry.path()))
                continue;
            const std::string text = sourceText(entry.path());
            const auto includes = includesOf(text);
            const std::string room = entry.path().parent_path().filename().string();
            CAPTURE(entry.path().string());
            if (std::string(top) == "core")
                CHECK_FALSE(reaches(includes, "<Q"));
            if (std::string(top) == "widgets" || torchFree.contains(room))
                CHECK_FALSE(reachesTorch(includes));
            if (reachesTorch(includes)) {
                CHECK_FALSE(reaches(includes, "<spdlog/"));
                CHECK_FALSE(reaches(includes, "<qcustomplot"));
            }
            if (reaches(includes, "<qcustomplot"))
                CHECK(room == "plots");
            CHECK(text.starts_with("// SPDX-License-Identifier: GPL-3.0-or-later"));
        }
}
