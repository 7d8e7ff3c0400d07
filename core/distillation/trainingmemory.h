// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/stagetwo.h"
#include "nn/transformer.h"

#include <cstdint>

namespace stillroom::distillation {

/// Bytes that one student takes in stage 2, by estimate.
struct StudentBytes {
    std::int64_t weights = 0;       ///< fp32 masters of its own (those that train)
    std::int64_t gradients = 0;
    std::int64_t moments = 0;       ///< two per trained parameter
    std::int64_t activations = 0;   ///< kept from forward to backward for one micro-batch, by formula from the shapes
    std::int64_t head = 0;          ///< results of the KL head that wait for backward
    [[nodiscard]] std::int64_t total() const { return weights + gradients + moments + activations + head; }
};
/// \param sequences, length  of one micro-batch.
[[nodiscard]] StudentBytes studentBytes(const nn::Transformer &student, const StageTwoOptions &options, std::int64_t sequences, std::int64_t length);

/// What all students in lock-step share: the teacher's weights, its forward pass, the KL head's slices.
[[nodiscard]] std::int64_t sharedBytes(const nn::Transformer &teacher, const StageTwoOptions &options, std::int64_t sequences, std::int64_t length);

/// How many students fit in `budgetBytes` at once, at most `numStudents`. \throws Error(OutOfMemory) when not one does, saying how much one takes.
[[nodiscard]] int lockStepGroup(std::int64_t budgetBytes, const StudentBytes &student, std::int64_t sharedBytes, int numStudents);

}  // namespace stillroom::distillation
