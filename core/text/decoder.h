// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/textregex.h"

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace stillroom::text {

/// A decoder of a tokenizer.json: ByteLevel, ByteFallback, Fuse, Replace, Strip, Metaspace, BPEDecoder, Sequence. Immutable.
/// Tokens in, text parts out; what is decoded is the parts put together.
class Decoder {
public:
    virtual ~Decoder() = default;
    virtual void apply(std::vector<std::string> &tokens, RegexScratch &scratch) const = 0;
};

/// nullptr for JSON null (tokens are then joined by spaces). \throws Error(BadFile | Unsupported) naming the component.
[[nodiscard]] std::unique_ptr<const Decoder> makeDecoder(const nlohmann::json &node);

}  // namespace stillroom::text
