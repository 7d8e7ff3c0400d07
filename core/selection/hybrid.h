// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/stageone.h"
#include "experiment/score.h"
#include "nn/transformer.h"

#include <vector>

namespace stillroom::selection {

/// The student that keeps softmax in `keep` and takes the aligned mixers elsewhere. Handles only: nothing is copied, a block points to its mixer.
/// \throws Error(Usage) when a layer outside `keep` has no aligned mixer.
[[nodiscard]] nn::Transformer hybrid(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const experiment::LayerSet &keep);

}  // namespace stillroom::selection
