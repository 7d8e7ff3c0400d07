// SPDX-License-Identifier: GPL-3.0-or-later
#include "largeblocks.h"

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <vector>

using stillroom::LargeBlocks;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

void *touched(LargeBlocks &blocks, std::size_t bytes)
{
    void *block = blocks.take(bytes);
    REQUIRE(block != nullptr);
    std::memset(block, 1, bytes);
    return block;
}

}  // namespace

TEST_CASE("a large block that was given back is taken again by what fits it closely")
{
    LargeBlocks blocks;
    void *const other = touched(blocks, 64 * mebibyte), *const first = touched(blocks, 8 * mebibyte);
    CHECK(blocks.giveBack(first));
    void *const much = touched(blocks, 4 * mebibyte);
    CHECK(much != first);
    CHECK(touched(blocks, 8 * mebibyte - 5000) == first);
    CHECK(blocks.heldBytes() == 76 * mebibyte);
    int stranger = 0;
    CHECK_FALSE(blocks.giveBack(&stranger));
    CHECK(blocks.giveBack(other));
    CHECK_FALSE(blocks.giveBack(other));
}

TEST_CASE("large blocks of ever other sizes hold little more than what was in use at once, though small ones stay between them")
{
    LargeBlocks blocks;
    std::vector<void *> staying;
    std::size_t inUse = 0, most = 0;
    for (std::size_t layer = 0; layer < 24; ++layer) {
        std::vector<void *> passing;
        for (std::size_t i = 1; i <= 6; ++i) {
            const std::size_t bytes = (3 * i + layer % 5) * mebibyte;
            passing.push_back(touched(blocks, bytes));
            inUse += bytes;
        }
        staying.push_back(touched(blocks, mebibyte));
        inUse += mebibyte;
        most = std::max(most, inUse);
        CHECK(static_cast<double>(blocks.heldBytes()) <= LargeBlocks::largestShareHeld * 1.125 * static_cast<double>(most));      // a block may be an eighth larger than asked
        for (void *block : passing)
            CHECK(blocks.giveBack(block));
        inUse = staying.size() * mebibyte;
    }
    CHECK(blocks.heldBytes() > 2 * inUse);      // what waits is there for the next step
    blocks.dropWaiting();
    CHECK(blocks.heldBytes() == inUse);
}

TEST_CASE("a large block that the system does not have costs only those that wait")
{
    LargeBlocks blocks;
    void *const used = touched(blocks, 2 * mebibyte), *const waiting = touched(blocks, 4 * mebibyte);
    CHECK(blocks.giveBack(waiting));
    CHECK(blocks.take(std::size_t{1} << 60) == nullptr);
    CHECK(blocks.heldBytes() == 2 * mebibyte);      // what waited was given up for it
    CHECK(blocks.isInUse(used));
    CHECK(blocks.giveBack(used));
    CHECK_FALSE(blocks.isInUse(used));
}
