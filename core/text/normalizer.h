// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/textregex.h"

#include <cstddef>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace stillroom::text {

/// More than any sensible normalizer makes of a text; one that multiplies letters would fill the memory.
[[nodiscard]] constexpr std::size_t mostNormalizedBytes(std::size_t textBytes) { return 64 * textBytes + (std::size_t{1} << 20U); }

/// Text on its way through the normalizers.
struct NormalizedText {
    std::string text;
    bool headRemoved = false;   ///< the first character no longer comes from the start of the input
    std::size_t mostBytes = mostNormalizedBytes(text.size());      ///< that normalizers may make of it
};

/// A normalizer of a tokenizer.json: NFC, NFD, NFKC, NFKD, Replace, Prepend, Lowercase, Strip, StripAccents, ByteLevel, Sequence.
/// Immutable; text is valid UTF-8 before and after.
class Normalizer {
public:
    virtual ~Normalizer() = default;
    virtual void apply(NormalizedText &text, RegexScratch &scratch) const = 0;
};

/// nullptr for JSON null. \throws Error(BadFile | Unsupported) naming the component.
[[nodiscard]] std::unique_ptr<const Normalizer> makeNormalizer(const nlohmann::json &node);

}  // namespace stillroom::text
