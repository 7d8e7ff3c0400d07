// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdlib>
#include <doctest/doctest.h>

/// Whether the environment says STILLROOM_REDUCED_TESTS=1, as it does for builds with sanitizers, which are several times slower.
inline bool testsAreReduced()
{
    const char *value = std::getenv("STILLROOM_REDUCED_TESTS");
    return value && *value == '1';
}

/// How often to repeat: `whole`, or `few` where tests are reduced; then it says so.
inline int reduced(int whole, int few)
{
    if (!testsAreReduced())
        return whole;
    MESSAGE("reduced: ", few, " instead of ", whole, " (STILLROOM_REDUCED_TESTS)");
    return few;
}

/// The step through a list of cases: 1, or `step` where tests are reduced; then it says so.
inline std::size_t reducedStep(std::size_t step)
{
    if (!testsAreReduced())
        return 1;
    MESSAGE("reduced: one case in ", step, " (STILLROOM_REDUCED_TESTS)");
    return step;
}
