// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/batchsource.h"
#include "error.h"

#include <doctest/doctest.h>
#include <set>

#include <ATen/ATen.h>

namespace batches_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

Batch numbered(std::int64_t sequences) { return {at::arange(sequences * 3, at::kLong).reshape({sequences, 3}), {}, {}}; }

std::set<std::int64_t> rowsSeen(TensorBatchSource &source, std::int64_t firstStep, std::int64_t lastStep)
{
    std::set<std::int64_t> seen;
    for (std::int64_t step = firstStep; step < lastStep; ++step) {
        const at::Tensor ids_BT = source.batch(step).ids_BT;
        for (std::int64_t row = 0; row < ids_BT.size(0); ++row)
            seen.insert(ids_BT[row][0].item<std::int64_t>() / 3);
    }
    return seen;
}

}  // namespace

TEST_CASE("a pass shows every sequence once, the next one in another order")
{
    TensorBatchSource source(numbered(12), 4, 5);
    CHECK(rowsSeen(source, 0, 3).size() == 12);
    CHECK(rowsSeen(source, 3, 6).size() == 12);
    CHECK_FALSE(at::equal(source.batch(0).ids_BT, source.batch(3).ids_BT));
}

TEST_CASE("a batch is a function of seed and step, whatever was asked before")
{
    TensorBatchSource one(numbered(10), 3, 5), other(numbered(10), 3, 5), otherSeed(numbered(10), 3, 6);
    const at::Tensor seventh = one.batch(7).ids_BT;
    for (const std::int64_t step : {0, 3, 20, 7})
        CHECK((at::equal(other.batch(step).ids_BT, seventh) == (step == 7)));
    CHECK_FALSE(at::equal(otherSeed.batch(7).ids_BT, seventh));
}

TEST_CASE("documents and masks go with their sequences")
{
    Batch sequences = numbered(5);
    sequences.documents_BT = sequences.ids_BT + 100;
    sequences.lossMask_BT = sequences.ids_BT.remainder(2).eq(0);
    TensorBatchSource source(sequences, 2, 1);
    const Batch batch = source.batch(4);
    CHECK(at::equal(batch.documents_BT, batch.ids_BT + 100));
    CHECK(at::equal(batch.lossMask_BT, batch.ids_BT.remainder(2).eq(0)));
    CHECK(at::equal(rowsOf(batch, 1, 1).ids_BT[0], batch.ids_BT[1]));
}

TEST_CASE("padding never counts and labels stay within their document")
{
    Batch batch{at::tensor({10, 11, 12, 13, 14, 15}, at::kLong).reshape({1, 6}), at::tensor({0, 0, 0, 1, 1, -1}, at::kLong).reshape({1, 6}),
                at::tensor({1, 0, 1, 1, 1, 1}, at::kLong).reshape({1, 6}).to(at::kBool)};
    CHECK(at::equal(countedTokens(batch), at::tensor({1, 0, 1, 1, 1, 0}, at::kLong).reshape({1, 6}).to(at::kBool)));
    CHECK(at::equal(nextTokenLabels(batch), at::tensor({11, -100, -100, 14, -100, -100}, at::kLong).reshape({1, 6})));
    CHECK(at::equal(nextTokenLabels({at::tensor({4}, at::kLong).reshape({1, 1}), {}, {}}), at::tensor({-100}, at::kLong).reshape({1, 1})));
}

TEST_CASE("a batch is checked")
{
    CHECK_THROWS_AS(TensorBatchSource(numbered(4), 0, 1), Error);
    CHECK_THROWS_AS(TensorBatchSource({at::zeros({2, 3}), {}, {}}, 1, 1), Error);
    CHECK_THROWS_AS(checkBatch(numbered(4), 11), Error);
    CHECK_NOTHROW(checkBatch(numbered(4), 12));
    CHECK_THROWS_AS(checkBatch({numbered(4).ids_BT, at::zeros({1, 3}, at::kLong), {}}, 12), Error);
    TensorBatchSource source(numbered(4), 2, 1);
    CHECK_THROWS_AS((void)source.batch(-1), Error);
}

}  // namespace batches_tests
