// SPDX-License-Identifier: GPL-3.0-or-later
// Every benchmark runs by one command, and the README says which.
#include "sourcetext.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

namespace benchmarks_tests {

namespace fs = std::filesystem;
using stillroom::test::sourceText;

TEST_CASE("every benchmark has a target that runs it, is built, and stands in the README")
{
    const fs::path source = STILLROOM_SOURCE, bench = source / "tests" / "bench";
    const std::string readme = sourceText(source / "README.md"), list = sourceText(bench / "CMakeLists.txt");
    int found = 0;
    for (const fs::directory_entry &entry : fs::directory_iterator(bench)) {
        if (!fs::exists(entry.path() / "CMakeLists.txt"))
            continue;
        ++found;
        const std::string name = entry.path().filename().string(), rules = sourceText(entry.path() / "CMakeLists.txt");
        CAPTURE(name);
        CHECK(rules.find("add_executable(bench_" + name + " ") != std::string::npos);
        CHECK((rules.find("add_custom_target(run_bench_" + name + " ") != std::string::npos || rules.find("add_custom_target(run_bench_" + name + "\n") != std::string::npos));
        CHECK(list.find(name) != std::string::npos);
        CHECK(readme.find("`tests/bench/run " + name + "`") != std::string::npos);
    }
    CHECK(found >= 12);
    CHECK((fs::status(bench / "run").permissions() & fs::perms::owner_exec) != fs::perms::none);
}

}  // namespace benchmarks_tests
