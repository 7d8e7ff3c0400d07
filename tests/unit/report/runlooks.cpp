// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/runlooks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace stillroom::report;

namespace {

std::string identity(int number) { return "0b0c5a9e-3c1d-4e55-9c4f-" + std::to_string(100000000000 + 7919LL * number) + "/"; }

}  // namespace

TEST_CASE("a run looks the same in any order")
{
    std::vector<std::string> runs;
    for (int i = 0; i < 6; ++i)
        runs.push_back(identity(i));
    const std::vector<int> looks = runLooks(runs);
    CHECK(runLooks(runs) == looks);
    std::vector<std::string> backwards(runs.rbegin(), runs.rend());
    std::vector<int> turned = runLooks(backwards);
    std::reverse(turned.begin(), turned.end());
    CHECK(turned == looks);
}

TEST_CASE("runs shown together differ in colour, up to six of them")
{
    for (int first = 0; first < 200; ++first) {
        std::vector<std::string> runs;
        for (int i = 0; i < 6; ++i)
            runs.push_back(identity(first + 31 * i));
        std::set<int> colours;
        for (const int look : runLooks(runs)) {
            CHECK(look >= 0);
            CHECK(look < 30);
            colours.insert(look % numRunColours);
        }
        CHECK(colours.size() == 6);
    }
}

TEST_CASE("a run keeps its own look beside others, unless one of them has its colour")
{
    int kept = 0, pairs = 0;
    for (int i = 0; i < 60; ++i)
        for (int j = i + 1; j < 60; ++j, ++pairs) {
            const int a = runLooks({identity(i)}).front(), b = runLooks({identity(j)}).front();
            const std::vector<int> both = runLooks({identity(i), identity(j)});
            CHECK(both[0] % numRunPatterns == a % numRunPatterns);
            CHECK(both[1] % numRunPatterns == b % numRunPatterns);
            if (a % numRunColours == b % numRunColours)
                continue;
            ++kept;
            CHECK(both == std::vector<int>{a, b});
        }
    CHECK(kept > 3 * pairs / 4);      // 5 of 6 where colours are even
}

TEST_CASE("the look of a run is that of its letters, whatever machine draws it")
{
    CHECK(runLooks({"aaaabbbb-cccc-4ddd-8eee-100000000001/"}) == runLooks({"aaaabbbb-cccc-4ddd-8eee-100000000001/"}));
    CHECK(runLooks({}).empty());
    CHECK(runLooks({"a", "a"})[0] == runLooks({"a", "a"})[1]);
}
