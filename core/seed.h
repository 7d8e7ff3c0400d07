// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace stillroom {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every input bit reaches every output bit.
[[nodiscard]] constexpr std::uint64_t mixBits(std::uint64_t x) noexcept
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

/// The seed of one consumer of random numbers: a hash of (run seed, purpose, layer, index), the bytes of `purpose` one by one and its length
/// among them. Each consumer draws from a generator of its own, so order, grouping, device and resume change no number.
/// Changing this function changes every run: raise the revision of every kind of experiment when you do.
[[nodiscard]] constexpr std::uint64_t seedFor(std::uint64_t runSeed, std::string_view purpose, std::int64_t layer = 0, std::int64_t index = 0) noexcept
{
    std::uint64_t hash = mixBits(runSeed);
    for (const char c : purpose)
        hash = mixBits(hash ^ static_cast<unsigned char>(c));
    hash = mixBits(hash ^ static_cast<std::uint64_t>(purpose.size()));
    hash = mixBits(hash ^ static_cast<std::uint64_t>(layer));
    return mixBits(hash ^ static_cast<std::uint64_t>(index));
}

}  // namespace stillroom
