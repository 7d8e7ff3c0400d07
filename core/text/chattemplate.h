// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenizer.h"

#include <string>
#include <string_view>
#include <vector>

namespace stillroom::text {

struct ChatMessage {
    std::string role;       ///< "system", "user", "assistant"
    std::string content;
};

/// A conversation as the model was trained to read it: the tokenizer's own chat template (Jinja, the part of the language that chat templates use)
/// with `messages`, `add_generation_prompt`, `bos_token` and `eos_token`, rendered as transformers does (trim_blocks, lstrip_blocks).
/// \throws Error(BadFile) when the tokenizer has no template; Error(Unsupported) naming the construct that is not understood; Error(Usage) when the
/// template itself raises an exception (a role it does not know, say). A template comes from strangers: Error(Unsupported) also for one that is longer than 256 KiB,
/// nests more than 100 deep, makes more than 4 MiB and four times the messages, or makes 64 times as much in all, where a step counts 512 bytes.
[[nodiscard]] std::string renderChat(const Tokenizer &tokenizer, const std::vector<ChatMessage> &messages, bool addGenerationPrompt);

/// The same for a template's source. \param bosToken, eosToken  may be empty.
[[nodiscard]] std::string renderTemplate(std::string_view source, const std::vector<ChatMessage> &messages, bool addGenerationPrompt,
                                         const std::string &bosToken, const std::string &eosToken);

}  // namespace stillroom::text
