// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

/// What attention statistics ask of a mixer's decay and write strength: plain numbers, one for each head.
namespace stillroom::calibration {

enum class DecayRule {
    HalfLife,   ///< ĝ = ln 2 / d̄: half is forgotten after the teacher's mean look-back, as published
    MeanLag,    ///< ĝ = 1 / d̄: an exponential kernel whose mean lag is the teacher's (1.44 times as fast)
};

struct DecayTargetOptions {
    DecayRule rule = DecayRule::HalfLife;
    double longestDistanceTokens = 0.0;      ///< cap on d̄; 0: none. With sinks in it, d̄ measures the text's length rather than memory (trap 4)
    double leastRate = 1e-3, mostRate = 5.0; ///< nats per token; the upper one is out of reach, since d̄ ≥ ½
};

/// ĝ, nats forgotten per token, from d̄ (tokens), which counts as at least ½. \throws Error(Usage) for options out of range or a d̄ that is not finite.
[[nodiscard]] double decayTarget(double meanDistanceTokens, const DecayTargetOptions &options = {});
/// ln 2 / ĝ.
[[nodiscard]] double halfLifeTokens(double rate);

struct WriteTargetOptions {
    double least = 0.3, most = 0.7;          ///< β* of the least and of the most concentrated head of a layer
    double leastSpreadNats = 1e-3;           ///< entropies closer than this do not fill the range. With 1e-3 a layer's heads always do, however alike (trap 6)
};

/// β* = least + (most − least) · c from the entropies of a layer's heads (nats); one head, or equal ones, get `most`.
/// \throws Error(Usage) unless 0 < least ≤ most < 1 and the spread is above 0.
[[nodiscard]] std::vector<double> writeTargets(const std::vector<double> &entropies_H, const WriteTargetOptions &options = {});

/// One value for each of `states` heads from those of H query heads: the mean over the query heads that share a state, or the query head's own where several
/// states belong to one. \throws Error(Usage) unless one count divides the other.
[[nodiscard]] std::vector<double> byState(const std::vector<double> &values_H, std::size_t states);

}  // namespace stillroom::calibration
