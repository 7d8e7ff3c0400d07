// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace stillroom::text {

/// How a byte-level tokenizer in a GGUF splits text, by its `tokenizer.ggml.pre`: as llama.cpp does.
struct GgufPreType {
    std::string_view name;
    std::span<const std::string_view> patterns;   ///< each splits what the one before left
    bool ignoreMerges = false;                    ///< a piece that is a token as it stands is not merged
    bool addBos = false;                          ///< where tokenizer.ggml.add_bos_token says nothing
};

/// nullptr for a name that is not known. An empty name is "default", as llama.cpp takes it.
[[nodiscard]] const GgufPreType *ggufPreType(std::string_view name) noexcept;

}  // namespace stillroom::text
