// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "nn/transformer.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace stillroom::selection {

/// How lazy each softmax layer is (LightTransfer, arXiv 2410.13846): r = the attention mass that the last queries of a document put on its first and
/// its most recent tokens. A layer that looks nowhere else loses little when it becomes linear. Needs no student and no training.
struct LazinessScores {
    std::vector<std::vector<double>> perSequence_LN;   ///< r in [0,1] by layer and sequence: mean over the sequence's last queries and all heads, each weighing the same
    std::int64_t tokens = 0;                           ///< read; padding not counted
    std::int64_t longDocuments = 0;                    ///< with more than sink + recent tokens: shorter ones give exactly 1 in every layer

    [[nodiscard]] double mean(int layer) const;        ///< over sequences
    [[nodiscard]] double se(int layer) const;          ///< standard error of that mean over sequences; NaN for one sequence
    /// The frequency variant: share of the sequences in which the layer is among the laziest L − keep. In a sequence equally lazy layers are
    /// ordered as everywhere: the lower one is kept first. \throws Error(Usage) for a `keep` outside 0 … L.
    [[nodiscard]] std::vector<double> lazyShare_L(int keep) const;
};

struct LazinessOptions {
    std::int64_t lastQueries = 32;       ///< w_last, of each document; all of a shorter one
    std::int64_t sinkTokens = 4;         ///< a document's first keys
    std::int64_t recentTokens = 1020;    ///< a document's last keys, the queries' own among them
    at::ScalarType computeType = at::kFloat;
    std::int64_t blockElements = std::int64_t{1} << 23;   ///< probabilities held at once: 32 MiB in fp32; one query's always may
    std::function<void(std::int64_t batchesDone, std::int64_t batches)> progress;
    std::function<void(const LazinessScores &)> onBatch;   ///< what is known so far; may be empty
    std::stop_token stop;
};

/// With p_hts the probability that head h's query t gives to key s, and a document of n tokens,
///     r_l = mean over h and over t = n − w_last … n − 1 of Σ_{s < sink or s ≥ n − recent} p_hts.
/// Only the last queries' scores are ever computed, a block of rows at a time: memory grows with the tokens and not with their square.
/// Probabilities are fp32 (fp64 for fp64) and sums float64. Documents packed into a sequence are each a prompt of its own; padding counts nowhere.
/// Cost: one forward pass of the teacher over the tokens, without its head.
/// \throws Error(Usage) for a layer that is not softmax, a sequence of padding alone, or counts out of range; Error(Cancelled).
[[nodiscard]] LazinessScores scoreLaziness(const nn::Transformer &teacher, const std::vector<distillation::Batch> &sequences, const LazinessOptions &options);

/// What `scoreLaziness` allocates for one layer's input of `sequences` × `length` tokens beside the forward pass: the layer's queries, keys and values, and the scores of a block of one
/// document's last queries, three times: as they are, masked, and as probabilities.
[[nodiscard]] std::int64_t lazinessBytes(const nn::Transformer &teacher, const LazinessOptions &options, std::int64_t sequences, std::int64_t length);

}  // namespace stillroom::selection
