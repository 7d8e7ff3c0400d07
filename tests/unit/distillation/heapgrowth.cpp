// SPDX-License-Identifier: GPL-3.0-or-later
// A program of its own: what other tests have freed would be there to be used again.
#include "distillation/klhead.h"
#include "freedpages.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <vector>
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#include <malloc.h>
#endif

namespace heapgrowth_tests {

using namespace stillroom;
using namespace stillroom::distillation;

/// A small result that is kept while large temporaries come and go lies at the head of the place of the last one, where the next one does not fit any more:
/// 4,096 tokens of 29 students once took 20 GB so.
TEST_CASE("the heap does not grow with the tokens and students whose KL is measured")
{
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
    keepFreedPages();      // and no blocks of largeblocks.h, which would hide it: where those are off, and for tensors that are too small for them
    constexpr std::int64_t numTokens = 2048, width = 8, vocabulary = 32768, budgetBytes = std::int64_t{64} << 20;
    const auto head = [&](double scale) { return Head{at::randn({numTokens, width}) * scale, at::randn({vocabulary, width})}; };
    const Head teacher = head(1.0);
    std::vector<Head> students;
    for (int i = 0; i < 6; ++i)
        students.push_back(head(0.5));
    const at::Tensor counted_N = at::ones({numTokens}, at::kBool);
    // Small pieces that are free would take the small results in; a long run has none left.
    std::vector<void *> small;
    for (int i = 0; i < 200'000; ++i)
        small.push_back(std::malloc(256));
    const std::size_t before = mallinfo2().arena;
    const std::vector<at::Tensor> kl = klPerToken(teacher, students, counted_N, budgetBytes, {});
    const std::size_t grown = mallinfo2().arena - before;
    for (void *piece : small)
        std::free(piece);
    CHECK(kl.size() == students.size());
    MESSAGE("the heap has grown by " << (grown >> 20U) << " MiB");
    CHECK(grown < static_cast<std::size_t>(3 * budgetBytes));
#else
    MESSAGE("skipped: this C library keeps its own ways with freed memory");
#endif
}

}  // namespace heapgrowth_tests
