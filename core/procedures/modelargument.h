// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelfiles.h"
#include "text/tokenizer.h"

#include <filesystem>
#include <memory>
#include <string>

namespace stillroom::procedures {

/// Whether there is something at all at what a person wrote as MODEL; whether it can be read is another question.
[[nodiscard]] bool isModelThere(const std::string &model, const std::filesystem::path &workspace = {});

/// What a person may write where a MODEL is taken: "demo", a Hugging Face folder, a GGUF file, a hybrid of ours, the key of a model artifact in `workspace`
/// or its beginning, or the run or stage that made it.
/// \throws Error(BadFile) naming what was tried, or the artifact that lacks a file or a part of one; Error(Usage) for a run that made no model or several
[[nodiscard]] checkpoint::ModelFiles openModelArgument(const std::string &model, const std::filesystem::path &workspace = {});

/// The tokenizer that belongs to a model. \throws Error(BadFile) when it has none.
[[nodiscard]] std::shared_ptr<const text::Tokenizer> tokenizerOf(const checkpoint::ModelFiles &files);

}  // namespace stillroom::procedures
