// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenizer.h"

namespace stillroom::text {

struct CompanionFiles;

/// A SentencePiece `tokenizer.model` run by libsentencepiece, framed as transformers' Llama tokenizer frames it: control pieces and added tokens are found in
/// the text first, only text at the very start takes the model's space prefix (everywhere with `legacy: true` in tokenizer_config.json), BOS is added unless
/// `add_bos_token` is false, EOS only if `add_eos_token` is true.
/// \throws Error(BadFile)
[[nodiscard]] std::shared_ptr<const Tokenizer> makeSentencePieceTokenizer(std::string model, const std::string &where, const CompanionFiles &companions);

}  // namespace stillroom::text
