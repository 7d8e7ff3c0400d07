// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <doctest/doctest.h>

/// How often to repeat: `whole`, or `few` where the environment says STILLROOM_REDUCED_TESTS=1 (set for builds with sanitizers, which are several times slower).
inline int reduced(int whole, int few)
{
    const char *value = std::getenv("STILLROOM_REDUCED_TESTS");
    if (!value || *value != '1')
        return whole;
    MESSAGE("reduced: ", few, " instead of ", whole, " (STILLROOM_REDUCED_TESTS)");
    return few;
}
