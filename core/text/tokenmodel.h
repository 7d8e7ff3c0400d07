// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/encodescratch.h"
#include "text/tokenizerjson.h"
#include "text/tokentable.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stillroom::text {

/// Turns one piece of pre-tokenized text into ids: BPE or WordLevel. Immutable.
class TokenModel {
public:
    virtual ~TokenModel() = default;
    /// Appends the ids of a non-empty piece.
    virtual void encode(std::string_view piece, EncodeScratch &scratch, std::vector<std::uint32_t> &out) const = 0;
    [[nodiscard]] virtual const TokenTable &vocabulary() const noexcept = 0;
    [[nodiscard]] virtual std::optional<std::uint32_t> unknownId() const noexcept = 0;
    [[nodiscard]] virtual std::string description() const = 0;
    /// Everything that decides encoding, as bytes to be hashed.
    virtual void appendIdentity(std::string &out) const = 0;
};

/// The `model` of a tokenizer.json, whose tables it takes over.
/// \param rawBytes  pieces come as raw bytes where the vocabulary spells them byte-level (PreTokenizerChain::rawBytes).
/// \throws Error(BadFile | Unsupported) naming what is not understood.
[[nodiscard]] std::unique_ptr<const TokenModel> makeTokenModel(TokenizerJson &file, bool rawBytes);

}  // namespace stillroom::text
