// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenizerextras.h"
#include "text/tokenizerjson.h"
#include "text/tokentable.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stillroom::checkpoint {
class GgufFile;
}

namespace stillroom::text {

/// What `tokenizer.ggml.token_type` says of a token, with llama.cpp's corrections.
struct GgufTokenKind {
    bool normal = false;
    bool unknown = false;
    bool control = false;
    bool userDefined = false;
    bool byte = false;
    bool stripsAfter = false;   ///< takes the ASCII white space after it (Phi-3)

    [[nodiscard]] bool special() const noexcept { return unknown || control; }
    /// Found in the text before anything else.
    [[nodiscard]] bool added() const noexcept { return unknown || control || userDefined; }
};

/// The tokenizer of a GGUF file as its metadata holds it.
struct GgufVocabulary {
    std::string model;    ///< "gpt2" or "llama"
    std::string pre;      ///< tokenizer.ggml.pre; "default" when absent
    TokenTable tokens;    ///< spellings may be any bytes
    std::vector<GgufTokenKind> kinds;
    std::vector<float> scores;   ///< "llama" only
    MergeList merges;            ///< "gpt2" only
    bool addBos = false;
    bool addEos = false;
    bool addSpacePrefix = false;
    std::optional<TokenId> unknownId;
    std::optional<TokenId> eosId;
    TokenizerExtras extras;
};

/// \throws Error(BadFile) for metadata that contradict each other, Error(Unsupported) for another model or an unknown pre-tokenizer type, by name.
[[nodiscard]] GgufVocabulary readGgufVocabulary(const checkpoint::GgufFile &file);

}  // namespace stillroom::text
