// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::experiment {

/// Of a spec: what may differ between repetitions of one experiment.
inline constexpr std::array<const char *, 3> fieldsOfRepetition{"seed", "name", "notes"};

/// One experiment among others that would be called the same.
struct Sibling {
    std::string settings;                    ///< JSON of its spec, whose fieldsOfRepetition are not looked at; what is no object has no fields
    std::optional<std::int64_t> seed;
};

/// A field of a spec and what stands in it.
struct SpecValue {
    std::string path;            ///< as Difference::path
    std::string json;            ///< compact; empty where the spec has no such field
    friend bool operator==(const SpecValue &a, const SpecValue &b) = default;
};

/// What tells each from the others, the same fields of all: as few as tell apart whom the settings tell apart at all, those first that tell most apart; last the seed, where settings leave some alike that it
/// tells apart. Empty for those with nothing that differs.
[[nodiscard]] std::vector<std::vector<SpecValue>> distinctions(const std::vector<Sibling> &siblings);

}  // namespace stillroom::experiment
