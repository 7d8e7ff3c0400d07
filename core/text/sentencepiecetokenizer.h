// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenizer.h"

namespace stillroom::text {

struct CompanionFiles;

/// A SentencePiece `tokenizer.model` run by libsentencepiece. Control pieces and added tokens are found in the text first; what lies between goes to the library,
/// with its own space prefix. `legacy: false` in tokenizer_config.json asks for what transformers then does: a prefix only at the very start, and not before a
/// space. BOS is added unless `add_bos_token` is false, EOS only if `add_eos_token` is true.
/// \throws Error(BadFile)
[[nodiscard]] std::shared_ptr<const Tokenizer> makeSentencePieceTokenizer(std::string model, const std::string &where, const CompanionFiles &companions);

}  // namespace stillroom::text
