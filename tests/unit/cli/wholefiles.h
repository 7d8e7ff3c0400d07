// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/ggufbuilder.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

/// Small files of every format, whole, made by the project's own writers where it has them.
namespace whole {

/// What config.json of the tiny model says: Llama, 2 layers, 48 tokens.
[[nodiscard]] nlohmann::json config();
/// A byte-pair tokenizer of 48 tokens with a normalizer, a pattern, a post-processor and a decoder.
[[nodiscard]] nlohmann::json tokenizer();
/// config.json, model.safetensors and tokenizer.json.
void writeModel(const std::filesystem::path &folder);
/// The same model with Gated DeltaNet in its second layer.
void writeHybrid(const std::filesystem::path &folder);
/// input_ids [2,6] and attention_mask.
void writeTokens(const std::filesystem::path &file);
/// A model of one layer and 8 tokens with its vocabulary.
[[nodiscard]] GgufBuilder gguf();

}  // namespace whole
