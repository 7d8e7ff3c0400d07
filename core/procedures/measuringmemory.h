// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"
#include "procedures/scoringstage.h"
#include "selection/branches.h"

#include <cstdint>

/// What a selector holds while it measures, of which each selector makes its formula (Selector::memory). Where something is measured by pieces, the code that allocates them says how large they are.
/// Legend: N held-out sequences, B of them in one batch, T tokens of each, D width, L layers.
namespace stillroom::procedures {

/// What a formula follows from: known before anything is computed.
struct Measuring {
    const ScoringPlan &plan;
    const nn::Transformer &teacher;
    const nn::Transformer &linear;                ///< with stage 1's mixers in place; the teacher itself where there are none
    at::ScalarType computeType = at::kFloat;
    [[nodiscard]] std::int64_t length() const;    ///< T
    [[nodiscard]] std::int64_t batch() const;     ///< B
    [[nodiscard]] distillation::HeldOutOptions heldOut() const;
};

/// Bytes at the peak, weights left out.
struct MeasuringBytes {
    std::int64_t kept = 0;                        ///< from the first batch to the last
    std::int64_t passing = 0;                     ///< comes and goes with each batch, block, slice or student
};

/// B' T D of the compute type, for B' sequences of `length` tokens.
[[nodiscard]] std::int64_t hiddenBytes(const Measuring &measuring, std::int64_t sequences, std::int64_t length);
/// N T D: the teacher's hidden states, up to HeldOutOptions::keepBytes.
[[nodiscard]] std::int64_t heldOutBytes(const Measuring &measuring);
/// One pass over `sequences` × `length` tokens by the larger of teacher and linear model. \param documents  forwardBytes
[[nodiscard]] std::int64_t passBytes(const Measuring &measuring, std::int64_t sequences, std::int64_t length, bool documents);
/// Whether the sequences of a spec's data hold several documents that do not see each other.
[[nodiscard]] bool hasDocuments(const nlohmann::json &data);

/// `students` on the held-out set, batch by batch, that share `prefixes` hidden states which are kept while they run:
///     N T D, kept, and prefixes B T D + max(waiting B T D + pass, 2 B T D + measure)
/// where the states of the students that wait stand beside the pass of the next one, and a student's states before and after the final norm beside what they are measured with (selection::measureBytes).
[[nodiscard]] MeasuringBytes studentsOnHeldOut(const Measuring &measuring, selection::HeldOutMeasure measure, std::int64_t students, std::int64_t prefixes);

/// Of selectors that train and read what they want off the training.
[[nodiscard]] MeasuringBytes nothingMeasured(const Measuring &measuring);

}  // namespace stillroom::procedures
