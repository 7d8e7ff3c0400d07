// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// What names that stand in specs and results are called before a person.
namespace stillroom::experiment {

/// "kl_nats" → "KL (nats/token)", "perplexity_tokens" → "perplexity, tokens". One that is not known keeps its words: its underscores become spaces.
[[nodiscard]] std::string measureWords(const std::string &measure);
/// The last part of a path, or the model's name where a hub's cache keeps it by a hash: ".../models--org--SmolLM2-135M/snapshots/<hash>" → "SmolLM2-135M".
[[nodiscard]] std::string teacherName(const std::string &argument);

}  // namespace stillroom::experiment
