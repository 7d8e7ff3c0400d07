// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

/// HALO's layer score (arXiv 2601.22156): a layer matters when recall suffers from its being linear and common sense does not.
namespace stillroom::choices {

struct HaloFormula {
    double epsilon = 1e-6;
    std::optional<double> cap;      ///< scores above it become it
};
inline constexpr HaloFormula haloOfPaper{};
/// What the published code computes. Without a cap the layer whose C is the best of all gets a score in the thousands; with it, all such layers tie.
inline constexpr HaloFormula haloOfCode{1e-10, 50.0};

/// s_i = (max_j R_j - R_i) / (max_j C_j - C_i + ε), at most the cap. Higher is kept first; ties go to the lower layer; the paper keeps ⌊L/4⌋.
/// \param recall_L  R_i: mean recall (SQuAD, FDA, SWDE) of the teacher with only layer i replaced by its linear one, 0 … 1
/// \param commonsense_L  C_i: mean normalised accuracy (HellaSwag, ARC-e, ARC-c) of the same model
/// \throws Error(Usage) for lists that are empty, differ in length or hold a value that is not finite, or ε ≤ 0
[[nodiscard]] std::vector<double> haloScores(const std::vector<double> &recall_L, const std::vector<double> &commonsense_L, const HaloFormula &formula = haloOfPaper);

}  // namespace stillroom::choices
