// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace stillroom::test {

/// Golden values that come with the source: tests/data.
[[nodiscard]] std::filesystem::path testData();
/// Larger golden values beside the checkout, which need not be there: say "skipped" when they are not.
[[nodiscard]] std::filesystem::path sharedData();

}  // namespace stillroom::test
