// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "procedures/computesettings.h"
#include "procedures/stagerun.h"

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>

namespace stillroom::procedures {

/// \throws Error(Usage) unless exactly one of them is given
void checkAttentionInput(const std::string &text, const std::filesystem::path &tokensFile);

/// Attention statistics per layer and head on a text or on token ids (exactly one is given):
/// [{"layer", "heads": [{"mean_distance_tokens", "entropy_nats", "sink_mass", …}]}], each head as in calibrationreport.h, without the lists. Linear layers are left out.
/// `warn` gets checkpoint::contextWarning of the longest row that a file's mask keeps, and text::unknownWarning of a text, which is cut into windows that fit.
/// \throws Error(Usage), Error(BadFile) for a text that is not UTF-8 and a mask that keeps nothing, too, Error(Cancelled)
[[nodiscard]] nlohmann::json attentionSummary(const LoadedModel &model, const std::string &text, const std::filesystem::path &tokensFile,
                                              const ComputeSettings &settings, const std::function<void(std::string)> &warn, std::stop_token stop);

}  // namespace stillroom::procedures
