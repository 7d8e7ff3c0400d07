// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace stillroom::text::test {

/// splitmix64 (Steele, Lea and Flood 2014), as tests/golden/tokenizers/hostile.py has it.
class SplitMix {
public:
    explicit SplitMix(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t below(std::uint64_t n);

private:
    std::uint64_t m_state;
};

/// The strings of tests/golden/tokenizers/hostile.py, from the same atoms (hostile.json) by the same rule.
class HostileStrings {
public:
    explicit HostileStrings(const std::filesystem::path &file);
    [[nodiscard]] std::string string(std::uint64_t index) const;
    /// Every character of a block of 64 in several surroundings.
    [[nodiscard]] static std::string characters(std::uint64_t block);
    [[nodiscard]] static std::vector<std::uint64_t> characterBlocks();

private:
    struct Plane {
        char32_t first;
        char32_t last;
    };
    std::vector<std::string> m_atoms;
    std::vector<Plane> m_planes;
};

[[nodiscard]] std::uint32_t fnv1a(std::string_view bytes);
[[nodiscard]] std::string hex8(std::uint32_t value);
/// Both halves of a hash folded into four digits.
[[nodiscard]] std::string folded(std::uint32_t value);

}  // namespace stillroom::text::test
