// SPDX-License-Identifier: GPL-3.0-or-later
#include "testdata.h"

namespace stillroom::test {

std::filesystem::path testData() { return STILLROOM_TEST_DATA; }

std::filesystem::path sharedData() { return STILLROOM_SHARED_DATA; }

}  // namespace stillroom::test
