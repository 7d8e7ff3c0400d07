// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/budget.h"

#include "analysis/budgettext.h"
#include "error.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace stillroom::analysis;
using Kind = Budget::Kind;

namespace {

constexpr double mib = 1024.0 * 1024.0;

/// Qwen2.5-3B with GDN students: 1 KiB of cache a token and softmax layer, 1 MiB of state a linear layer.
LayerCosts qwen3b()
{
    return {.numLayers = 36, .kvBytesPerToken = 1024, .softmaxParameters = 9'400'000, .linearParameters = 21'000'000, .stateBytes = 1 << 20, .weightBytes = 6'000'000'000, .weightBytesPerParameter = 2};
}

std::optional<int> within(const Budget &budget)
{
    return largestKeep(qwen3b(), {budget});
}

}  // namespace

TEST_CASE("a percentage rounds half up")
{
    CHECK(within({Kind::Percent, 12.5}) == 5);
    CHECK(within({Kind::Percent, 25.0}) == 9);
    CHECK(within({Kind::Percent, 0.0}) == 0);
    CHECK(within({Kind::Percent, 100.0}) == 36);
}

TEST_CASE("KV cache at a context: 32 MiB a softmax layer at 32k")
{
    CHECK(within({Kind::KvBytes, 64 * mib, 32768}) == 2);
    CHECK(within({Kind::KvBytes, 64 * mib - 1, 32768}) == 1);
    CHECK(within({Kind::KvBytes, 31 * mib, 32768}) == 0);
    CHECK(within({Kind::KvBytes, 0.0, 0}) == 36);
}

TEST_CASE("cache and states together: below the break-even length more softmax layers take less")
{
    CHECK(within({Kind::StateBytes, 36 * 32 * mib, 32768}) == 36);
    CHECK(within({Kind::StateBytes, 36 * mib, 32768}) == 0);
    CHECK(within({Kind::StateBytes, 67 * mib, 32768}) == 1);
    CHECK(within({Kind::StateBytes, 67 * mib - 1, 32768}) == 0);
    CHECK_FALSE(within({Kind::StateBytes, 36 * mib - 1, 32768}));
    CHECK(within({Kind::StateBytes, 18 * mib, 512}) == 36);
    CHECK_FALSE(within({Kind::StateBytes, 18 * mib - 1, 512}));
}

TEST_CASE("bytes to decode a token: weights, cache, and states read and written")
{
    const LayerCosts costs = qwen3b();
    // K = 9: 27 layers add 11.6 M parameters of 2 bytes each and 2 MiB of state traffic
    const double nine = 6e9 + 27 * 11'600'000 * 2.0 + 9 * 32 * mib + 27 * 2 * mib;
    CHECK(spending(costs, 9, {Kind::DecodeBytes, 0.0, 32768}) == nine);
    CHECK(within({Kind::DecodeBytes, nine, 32768}) == 9);
    CHECK(within({Kind::DecodeBytes, nine - 1.0, 32768}) == 8);
    CHECK(within({Kind::DecodeBytes, 6e9 + 36.0 * 32 * mib, 32768}) == 36);
    CHECK_FALSE(within({Kind::DecodeBytes, 5e9, 32768}));
}

TEST_CASE("of several budgets the tightest decides, and the answer is what trying every K gives")
{
    const LayerCosts costs = qwen3b();
    CHECK(largestKeep(costs, {{Kind::Percent, 25.0}, {Kind::KvBytes, 200 * mib, 32768}}) == 6);
    CHECK(largestKeep(costs, {{Kind::Percent, 12.5}, {Kind::KvBytes, 200 * mib, 32768}}) == 5);
    CHECK(largestKeep(costs, {}) == 36);
    // At 512 tokens only K = 36 is small enough, and a KV budget forbids it.
    CHECK_FALSE(largestKeep(costs, {{Kind::StateBytes, 18 * mib, 512}, {Kind::KvBytes, 17 * mib, 512}}));
    for (const std::int64_t context : {0, 100, 1024, 5000, 131072})
        for (const Kind kind : {Kind::KvBytes, Kind::StateBytes, Kind::DecodeBytes})
            for (const double limit : {0.0, 30 * mib, 40 * mib, 500 * mib, 6.1e9, 7e9}) {
                std::optional<int> expected;
                for (int keep = 0; keep <= 36; ++keep)
                    if (spending(costs, keep, {kind, limit, context}) <= limit)
                        expected = keep;
                CHECK(within({kind, limit, context}) == expected);
            }
}

TEST_CASE("budgets that are none are refused")
{
    CHECK_THROWS_AS((void)within({Kind::KvBytes, -1.0, 10}), stillroom::Error);
    CHECK_THROWS_AS((void)within({Kind::KvBytes, std::nan(""), 10}), stillroom::Error);
    CHECK_THROWS_AS((void)within({Kind::KvBytes, INFINITY, 10}), stillroom::Error);
    CHECK_THROWS_AS((void)within({Kind::KvBytes, 1.0, -10}), stillroom::Error);
    CHECK_THROWS_AS((void)within({Kind::Percent, 101.0}), stillroom::Error);
    CHECK_THROWS_AS((void)spending(qwen3b(), 37, {Kind::KvBytes, 1.0, 1}), stillroom::Error);
}

TEST_CASE("budgets are read as people write them")
{
    const auto read = [](const char *text) { return kvBudgetFrom(text, 1000); };
    for (const char *text : {"64 MiB at 32k", "64MiB@32768", " 67108864 @ 32k ", "64 mib at 32K"}) {
        CAPTURE(text);
        CHECK(read(text).kind == Kind::KvBytes);
        CHECK(read(text).limit == 64 * mib);
        CHECK(read(text).context == 32768);
    }
    CHECK(read("1.5 GiB").limit == 1536 * mib);
    CHECK(read("1.5 GiB").context == 1000);
    CHECK(read("20 MB at 8k").limit == 20e6);
    CHECK(contextText(32768) == "32k");
    CHECK(contextText(1000) == "1000");
    CHECK(contextText(0) == "0");
    for (const char *text : {"", "at 32k", "64 MiB at", "64 MiB at ", "64 MiB@", "64 MiB at x", "much at 32k", "-1 MiB", "64 MiB at 1.5", "64 MiB at 0", "64 MiB at 0k", "64 MiB at 32k at 8k", "nan MiB"}) {
        CAPTURE(text);
        CHECK_THROWS_AS((void)read(text), stillroom::Error);
    }
}
