// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "choices/keeprule.h"

#include <filesystem>

namespace stillroom::choices {

/// A choice of layers from a JSON file: {"ranking": [layers]} or {"scores": [{"layer", "score" or "kl_nats", "higher_is_better"}]}, as `select` and `score` print
/// them, become a ranking; {"selected": [layers]}, {"keep": [layers]}, as in a hybrid's spec, or just [layers] a fixed set. The first that is there counts.
/// \param numLayers  L of the model that it is for
/// \throws Error(BadFile) in one sentence for anything else: no such field, a layer named twice or not of this model, "num_layers" of another one
[[nodiscard]] KeepRule readSetFile(const std::filesystem::path &file, int numLayers);

}  // namespace stillroom::choices
