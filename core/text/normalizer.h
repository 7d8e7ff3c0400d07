// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/textregex.h"

#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace stillroom::text {

/// Text on its way through the normalizers.
struct NormalizedText {
    std::string text;
    bool headRemoved = false;   ///< the first character no longer comes from the start of the input
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
