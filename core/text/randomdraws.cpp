// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/randomdraws.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace stillroom::text {

std::int64_t RandomDraws::below(std::int64_t bound) noexcept
{
    const auto range = static_cast<std::uint64_t>(bound);
    const std::uint64_t limit = std::numeric_limits<std::uint64_t>::max() - std::numeric_limits<std::uint64_t>::max() % range;
    std::uint64_t drawn = bits();
    while (drawn >= limit)
        drawn = bits();
    return static_cast<std::int64_t>(drawn % range);
}

std::vector<std::int64_t> RandomDraws::distinct(std::int64_t count, std::int64_t bound)
{
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(bound));
    std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
    for (std::int64_t i = 0; i < count; ++i)
        std::swap(numbers[static_cast<std::size_t>(i)], numbers[static_cast<std::size_t>(i + below(bound - i))]);
    numbers.resize(static_cast<std::size_t>(count));
    return numbers;
}

std::vector<std::int64_t> RandomDraws::powerLawSlots(std::int64_t count, std::int64_t size, double exponent)
{
    std::vector<std::pair<double, std::int64_t>> keyed;
    keyed.reserve(static_cast<std::size_t>(size));
    for (std::int64_t g = 0; g < size; ++g) {
        const double gumbel = -std::log(-std::log(unit()));
        keyed.emplace_back(exponent * std::log(static_cast<double>(g + 1)) + gumbel, g);
    }
    const auto chosen = keyed.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(keyed.begin(), chosen, keyed.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    std::vector<std::int64_t> slots;
    slots.reserve(static_cast<std::size_t>(count));
    for (auto it = keyed.begin(); it != chosen; ++it)
        slots.push_back(it->second);
    return slots;
}

}  // namespace stillroom::text
