// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"
#include "text/recalltask.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace stillroom::procedures {

/// Ids behind the task's symbols in a teacher's vocabulary: what another word becomes, and the end of a text. Neither stands in a training sequence.
inline constexpr int numSpecialTokens = 2;
[[nodiscard]] inline std::int64_t unknownId(const text::RecallMix &task) { return task.vocabSize(); }
[[nodiscard]] inline std::int64_t endId(const text::RecallMix &task) { return task.vocabSize() + 1; }

/// Writes a teacher as an ordinary Hugging Face folder: config.json, model.safetensors, generation_config.json, a word-level tokenizer.json (words between
/// blanks: k00 …, v00 …, f00 …) with tokenizer_config.json, and training.json, which holds `origin`. \throws Error(Io)
void writeTeacherFolder(nn::Transformer &teacher, const text::RecallMix &task, const nlohmann::json &origin, const std::filesystem::path &folder);

}  // namespace stillroom::procedures
