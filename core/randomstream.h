// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "seed.h"

#include <cstdint>

namespace stillroom {

/// SplitMix64 (Steele, Lea and Flood 2014): the random numbers of the rooms without a tensor library, the same on every machine.
/// Each consumer makes its own from seedFor.
class RandomStream final {
public:
    explicit constexpr RandomStream(std::uint64_t seed) noexcept : m_state(seed) {}

    /// 64 uniform bits.
    constexpr std::uint64_t next() noexcept
    {
        const std::uint64_t drawn = mixBits(m_state);
        m_state += 0x9e3779b97f4a7c15U;
        return drawn;
    }

    /// Uniform over 0 … n-1, exactly: the few draws that would favour small numbers are taken again. n ≥ 1.
    constexpr std::uint64_t below(std::uint64_t n) noexcept
    {
        const std::uint64_t surplus = (0U - n) % n;       // 2^64 mod n
        std::uint64_t drawn = next();
        while (drawn < surplus)
            drawn = next();
        return drawn % n;
    }

    /// Uniform over [0, 1) in steps of 2^-53.
    constexpr double uniform() noexcept { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

private:
    std::uint64_t m_state;
};

}  // namespace stillroom
