// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/heldoutkl.h"
#include "distillation/stageone.h"
#include "experiment/score.h"
#include "nn/transformer.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace stillroom::selection {

/// What was measured of the students that keep some sets.
struct SetScores {
    std::vector<std::vector<double>> perSequence;   ///< by set, in the order given, and sequence of the held-out set; lower is better
    std::int64_t blockEvaluations = 0;              ///< per batch: what was run, instead of L a set
    std::int64_t headEvaluations = 0;               ///< per batch, for KL: a student each, and the teacher once a group; else 0
};

/// A value for each sequence of batch `index` from a student's hidden states after the final norm.
using StateMeasure = std::function<std::vector<double>(std::size_t index, const at::Tensor &hidden_BTD, const at::Tensor &head_VD)>;

struct MeasureSetsOptions {
    StateMeasure measure;                           ///< empty: KL(teacher ‖ student), nats per counted token
    std::function<void(std::int64_t batchesDone, std::int64_t batches)> progress;
    std::stop_token stop;
};

/// Blocks that `sets` need on one batch when students share what they have in common: the nodes of the tree of their choices, layer by layer.
[[nodiscard]] std::int64_t sharedBlocks(const std::vector<experiment::LayerSet> &sets, int numLayers);

/// Students whose choices agree in layers 0 … l-1 have the same hidden states there, so these layers are computed once for all of them: the sets form a
/// tree that is walked depth first, at most one hidden state a layer in memory. The same operations on the same values as one forward per student: every
/// bit of every value is equal. \throws Error(Usage) for a set that does not fit the teacher, or a linear layer without aligned mixer; Error(Cancelled | NonFinite).
[[nodiscard]] SetScores measureSets(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const std::vector<experiment::LayerSet> &sets,
                                    const distillation::HeldOutSet &heldOut, const MeasureSetsOptions &options = {});

}  // namespace stillroom::selection
