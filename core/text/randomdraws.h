// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "seed.h"

#include <cstdint>
#include <vector>

namespace stillroom::text {

/// Counter-based random numbers: draw n is SplitMix64's finaliser of (seed, n). The same on every compiler and standard library, unlike
/// the distributions of <random>.
class RandomDraws final {
public:
    explicit RandomDraws(std::uint64_t seed) noexcept : m_seed(mixBits(seed)) {}

    [[nodiscard]] std::uint64_t bits() noexcept { return mixBits(m_seed ^ mixBits(m_counter++)); }
    /// Uniform in (0, 1): 53 random bits, in the middle of their interval, so that neither end occurs.
    [[nodiscard]] double unit() noexcept { return (static_cast<double>(bits() >> 11U) + 0.5) * 0x1.0p-53; }
    /// Uniform in 0 … bound-1, without bias (numbers from the incomplete last interval are drawn again). bound ≥ 1.
    [[nodiscard]] std::int64_t below(std::int64_t bound) noexcept;
    /// `count` distinct numbers of 0 … bound-1, in random order (the head of a Fisher-Yates shuffle). 0 ≤ count ≤ bound.
    [[nodiscard]] std::vector<std::int64_t> distinct(std::int64_t count, std::int64_t bound);
    /// `count` slots of 0 … size-1 without replacement, each next one drawn with p(g) ∝ weight (g + 1)^exponent among those left, in the order drawn:
    /// the largest of log p(g) + Gumbel noise (Gumbel top-k; Vieira 2014, Kool et al. 2019, arXiv 1903.06059).
    [[nodiscard]] std::vector<std::int64_t> powerLawSlots(std::int64_t count, std::int64_t size, double exponent);

private:
    std::uint64_t m_seed;
    std::uint64_t m_counter = 0;
};

}  // namespace stillroom::text
