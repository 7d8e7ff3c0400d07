// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// A text that somebody gave a model to read, as token ids: what is lost on the way is refused or counted, never passed over.
namespace stillroom::text {

struct WrittenText {
    std::vector<TokenId> ids;
    std::int64_t unknownTokens = 0;      ///< of `ids`, those that stand for what the tokenizer cannot spell
};

/// \param what  names the text in a sentence: "the prompt", a file. \throws Error(BadFile) for what is not UTF-8: a tokenizer would read "�" in its place
[[nodiscard]] WrittenText encodeWritten(const Tokenizer &tokenizer, std::string_view written, bool addSpecial, const std::string &what);

/// A warning in one sentence; empty where the tokenizer spells everything.
[[nodiscard]] std::string unknownWarning(std::int64_t unknownTokens, std::size_t numTokens, const std::string &what);

/// \throws Error(blame) for what is not UTF-8: of a file BadFile, of an option Usage
void requireUtf8(std::string_view written, const std::string &what, ErrorCode blame = ErrorCode::BadFile);

}  // namespace stillroom::text
