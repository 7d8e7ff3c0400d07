// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/layersamples.h"

#include <cstdint>
#include <optional>
#include <vector>

/// What another softmax layer is worth: KL to the teacher against K.
namespace stillroom::analysis {

/// Held-out KL of hybrids that keep 0 ≤ K_1 < K_2 < … layers, all on the same sequences: measured on distilled hybrids, or predicted.
struct KlCurve {
    std::vector<int> keeps;                        ///< K, ascending
    std::vector<std::vector<double>> klNats_KS;    ///< nats per token, by K and sequence
};

/// Predicts KL(K) for K < L as if gains added up: KL(K) = KL(∅) - Σ_{l in top K} (KL(∅) - KL({l})), sequence by sequence.
/// Gains of layers that do the same work do not add up, and those of layers that need each other come short: it is a guess, to be marked as one, and
/// falls below 0 where the gains are worth more than there was to gain. KL(L) = 0 is none: that hybrid is its teacher. What the gains would leave over there
/// says how far off they are, and is not in the curve.
/// \param onlyKept  KL of the students that keep one layer alone. \param allLinear_S  KL of the student that keeps none, on the same sequences.
/// \throws Error(Usage) for other layers in the ranking, another number of sequences, or values where higher is better
[[nodiscard]] KlCurve additivePrediction(const LayerSamples &onlyKept, const std::vector<double> &allLinear_S, const experiment::Ranking &ranking);

/// The mean at each K with its interval over sequences; a prediction's mean is not let below 0. \throws Error(Usage) for a curve that is not whole
[[nodiscard]] std::vector<Interval> meanKl(const KlCurve &curve, double level = 0.95);

/// Where further layers stop paying: the K that lies farthest below the straight line from the first point to the last one,
/// argmax_K [(KL_first - KL_K)/(KL_first - KL_last) - (K - K_first)/(K_last - K_first)], of equal ones the smallest (Kneedle, Satopää et al. 2011, without smoothing).
struct Elbow {
    int keep = 0;
    int low = 0, high = 0;          ///< percentile interval over sequences; with one sequence nothing is known, and it is the whole curve
    double share = 0.0;             ///< of all that the curve falls, what is reached at `keep`
    double found = 1.0;             ///< share of the draws that have an elbow at all
};

/// Empty for a curve of fewer than three points, one that does not fall, or one that never lies below that line.
/// \throws Error(Usage) for a curve that is not whole, fewer than one draw or a level outside (0, 1)
[[nodiscard]] std::optional<Elbow> elbow(const KlCurve &curve, int numDraws = 2000, std::uint64_t seed = 0, double level = 0.95);

/// A curve as it is shown.
struct KlPoint {
    int keep = 0;                   ///< K
    Interval klNats;                ///< with one sequence low and high are not finite: nothing is known
};
struct ShownKlCurve {
    std::vector<KlPoint> points;    ///< ascending K
    std::optional<Elbow> elbow;     ///< of the whole curve
    [[nodiscard]] const KlPoint *at(int keep) const;      ///< null where there is none
};
/// Below L, and up to the first K at which a prediction is not above 0: from there on the gains add up to more than there was to gain, and it says nothing.
/// The 0 at K = L is known without any score. A line drawn to it would show what the gains left over as the worth of the last layer, so the line ends before;
/// the elbow counts with it, since it is what the whole curve falls to.
/// \throws as meanKl, here as below
[[nodiscard]] ShownKlCurve shownPrediction(const KlCurve &curve);
/// As measured: the KL of a hybrid that is its teacher is 0, and rounding may put it below.
[[nodiscard]] ShownKlCurve shownMeasurement(const KlCurve &curve);

}  // namespace stillroom::analysis
