// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/addedtokens.h"
#include "text/tokenizerextras.h"

#include <optional>
#include <vector>

namespace stillroom::text {

struct CompanionToken {
    AddedToken token;                  ///< without its id
    std::optional<std::uint64_t> id;   ///< as the file gives it
};

/// Added tokens as transformers gathers them from the files beside an older tokenizer: added_tokens_decoder of tokenizer_config.json (else added_tokens.json) in
/// order of their ids, then the named special tokens. \throws Error(BadFile)
[[nodiscard]] std::vector<CompanionToken> companionTokens(const CompanionFiles &files);

}  // namespace stillroom::text
