// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/stageone.h"
#include "distillation/stagetwo.h"
#include "nn/transformer.h"

#include <cstdint>
#include <vector>

namespace stillroom::distillation {

/// Bytes that one student takes in stage 2.
struct StudentBytes {
    std::int64_t weights = 0;       ///< masters of its own (those that train)
    std::int64_t gradients = 0;
    std::int64_t moments = 0;       ///< two per trained parameter
    std::int64_t activations = 0;   ///< kept from forward to backward for one micro-batch, weights cast to the compute type among them
    std::int64_t head = 0;          ///< what the KL head keeps for it until its backward
    [[nodiscard]] std::int64_t total() const { return weights + gradients + moments + activations + head; }
};
/// Weights, gradients and moments are counted. Activations are measured on one block of each kind (forward passes of one and two sequences of at
/// most 1024 tokens) and scaled to the model and the micro-batch, so that no formula has to follow what a mixer keeps.
/// \param sequences, length  of one micro-batch. \throws Error(Usage) when they are below 1.
[[nodiscard]] StudentBytes studentBytes(const nn::Transformer &student, const StageTwoOptions &options, std::int64_t sequences, std::int64_t length);

/// What all students in lock-step share: the teacher's weights and forward pass, the KL head's slices, the temporaries of one student's backward.
[[nodiscard]] std::int64_t sharedBytes(const nn::Transformer &teacher, const StageTwoOptions &options, std::int64_t sequences, std::int64_t length);

/// What a forward pass without gradients allocates at its peak: the embeddings, the residual stream, one block (measured as above, the largest of all kinds) and the tables that blocks share.
/// \param documents  sequences hold several, or padding: then every sequence has a mask of length². \throws Error(Usage) as studentBytes
[[nodiscard]] std::int64_t forwardBytes(const nn::Transformer &model, at::ScalarType computeType, std::int64_t sequences, std::int64_t length, bool documents);

/// What stage 1 allocates for one micro-batch at its peak, weights, gradients and moments left out: what lies between the teacher's blocks, and one layer's target beside the larger of the teacher's block and a
/// mixer's forward, loss and backward (measured as above, each kind of mixer once).
/// \param documents  as in forwardBytes. \throws Error(Usage) as studentBytes
[[nodiscard]] std::int64_t alignmentBytes(const nn::Transformer &teacher, const std::vector<AlignedLayer> &students, const StageOneOptions &options, std::int64_t sequences, std::int64_t length, bool documents);

/// How many students fit in `budgetBytes` at once, at most `numStudents`. \throws Error(OutOfMemory) when not one does, saying what it takes.
[[nodiscard]] int lockStepGroup(std::int64_t budgetBytes, const StudentBytes &student, std::int64_t sharedBytes, int numStudents);

}  // namespace stillroom::distillation
