// SPDX-License-Identifier: GPL-3.0-or-later
// A program of its own: what other tests have freed would be there to be used again.
#include "distillation/allocationmeter.h"
#include "distillation/stageone.h"
#include "freedpages.h"
#include "largeblocks.h"
#include "nn/tensorblocks.h"
#include "tinystudents.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

namespace stageonememory_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

double residentBytes(const std::string &which)
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(which))
            return 1024.0 * std::stod(line.substr(which.size()));
    return 0.0;
}

}  // namespace

/// Gradients of one layer, which stay to the end of the step, once cut the place of its activations, and the process grew with every layer.
TEST_CASE("stage 1 holds little more than what it allocates at once")
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    MESSAGE("skipped: a sanitizer keeps freed memory");
#else
    keepFreedPages();      // as the programs do
    nn::keepTensorsInLargeBlocks();
    const nn::Transformer teacher = test::softmaxModel(12, 384, 301, 6, 64);
    const auto students = test::linearLayers(teacher, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    test::FixedSource source({test::raggedBatch(16, 128).ids_BT, {}, {}});
    StageOneOptions options;
    options.steps = 2;
    const double before = residentBytes("VmRSS:");
    const auto meter = measureAllocations([&] {
        StageOne stage(teacher, students, source, options);
        stage.advance({});
        stage.advance({});
    });
    const double allocated = static_cast<double>(meter->peakBytes()), grown = residentBytes("VmHWM:") - before;
    MESSAGE("allocated " << allocated / 1e6 << " MB at once, grown by " << grown / 1e6 << " MB");
    constexpr double codeBytes = 40e6;      // LibTorch's code that is first run here, and tensors below LargeBlocks::leastBytes
    CHECK(allocated > 2 * codeBytes);
    CHECK(grown <= 1.25 * allocated + codeBytes);
    CHECK(largeBlocks().heldBytes() > 0);
#endif
}

}  // namespace stageonememory_tests
