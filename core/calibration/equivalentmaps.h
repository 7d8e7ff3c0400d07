// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/stageone.h"
#include "nn/transformer.h"

#include <cstdint>

namespace stillroom::calibration {

/// One head's causal maps over one short sequence, float32 on the CPU, [T,T]: row t says with what weight each token s ≤ t enters.
struct EquivalentMaps {
    at::Tensor teacher_TT;   ///< softmax probabilities A
    at::Tensor student_TT;   ///< M of the linear mixer, o = M v before norm and gate: signed, rows not normalised
    double cosine = 0.0;     ///< of the two as vectors: the shape they share, whatever their amplitude
};
inline constexpr std::int64_t longestMap = 1024;   ///< tokens

/// The maps of all query heads of one mixer over one short sequence, float32 on the CPU, [H,T,T]. A mixer with other head counts shows for each query head the one that stands for it.
/// \param x_1TD  its input. \param numHeads  query heads of the teacher.
[[nodiscard]] at::Tensor mapsOf(const nn::TokenMixer &mixer, const at::Tensor &x_1TD, const nn::TokenPlaces &places, std::int64_t numHeads);

/// \param student  a linear mixer for a softmax layer of the teacher. \param head  query head. \param ids_1T  at most longestMap tokens.
/// \throws Error(Usage) for a layer, head or length out of range.
[[nodiscard]] EquivalentMaps equivalentMaps(const nn::Transformer &teacher, const distillation::AlignedLayer &student, int head, const at::Tensor &ids_1T);

}  // namespace stillroom::calibration
