// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/layersamples.h"

#include <array>
#include <cstdint>
#include <vector>

namespace stillroom::analysis {

/// Racing for the best K layers (successive elimination): after every evaluation, layers whose place is sure are taken out of scoring, chosen or dropped,
/// and only the others go on training.
///
/// A layer is dropped when at least as many of those still racing are surely better than there are places left, and chosen when surely worse ones fill
/// all the others. *Surely* is a one-sided paired t-test of the two layers' values on the same sequences, at level error / (E' · K (L-K)) for E'
/// evaluations that may decide.
/// Guarantee: with probability ≥ 1 - error no layer of the true best K is ever dropped and no other chosen, however often one looks and however
/// the evaluations hang together. For as long as no decision was wrong, a wrong one needs a false claim about one of the K (L-K) pairs with one
/// layer of the true best K and one other, and each such claim has at most its level, at each of E' evaluations.
/// *True* is the mean over all texts that the sequences stand for, at the last evaluation.
///
/// What training still changes is part of the test (`drift`): the variance of a difference grows by 2 σ² for every evaluation to come. σ² is what layers'
/// means moved from one evaluation to the next, beyond what all share, beyond growing in proportion, and beyond what the sequences' spread
/// explains; it is pooled over the last two steps, since a training moves less and less, and decisions begin with the second evaluation. Assumed are normal
/// differences, and no larger steps than those two: a layer that breaks down later than it is chosen is not foreseen by anything.
class Race final {
public:
    struct Options {
        int keep = 1;                    ///< K, 1 … L-1
        int numEvaluations = 1;          ///< E, all that are planned
        double error = 0.05;             ///< of any wrong decision, over all evaluations
        bool drift = true;               ///< false: training changes the order no more, so E' = E; else E' = E-1 (1 for one evaluation)
        bool higherIsBetter = false;     ///< false for KL
    };
    enum class Standing { Racing, Chosen, Dropped };
    enum class Verdict {
        Open,            ///< evaluations are left
        Settled,         ///< every layer is chosen or dropped, within the error
        Likely,          ///< the last evaluation is over, some layers still race, but the K-th and the next are at least 2 SE apart
        NotSettled,      ///< they are not: which of them is kept is chance, and should be said to be
    };

    /// \throws Error(Usage) for an option out of range
    Race(int numLayers, Options options);

    /// The next evaluation. \param values_LS  by layer, the same sequences for all that still race; rows of the others are not read and may be empty.
    /// \throws Error(Usage) for what LayerSamples refuses, fewer than two sequences, or one evaluation more than planned
    void evaluate(const std::vector<std::vector<double>> &values_LS);

    [[nodiscard]] int numEvaluations() const { return m_numEvaluations; }      ///< so far
    [[nodiscard]] Standing standing(int layer) const { return m_standing.at(static_cast<std::size_t>(layer)); }
    [[nodiscard]] std::vector<int> racing() const;                             ///< ascending: these must go on
    [[nodiscard]] bool settled() const { return racing().empty(); }
    [[nodiscard]] Verdict verdict() const;

    /// All layers, best first: chosen ones in the order they were chosen, those racing by their last means, dropped ones, the last dropped first; ties to
    /// the lower layer. Its first K are the answer at any time. \throws Error(Usage) before the first evaluation
    [[nodiscard]] experiment::Ranking ranking() const;
    /// By layer: chance of being among the best K, by the bootstrap over the sequences of the last evaluation; 1 and 0 for the decided.
    [[nodiscard]] std::vector<double> chances(int numDraws = 2000, std::uint64_t seed = 0) const;
    /// How far the last place inside and the first outside are apart among those still racing, in SE of their paired difference; infinite when settled.
    [[nodiscard]] double gapInStandardErrors() const;

private:
    struct Row {
        int layer = 0;
        std::vector<double> values_S;
    };
    /// How far layers went from one evaluation to the next.
    struct Step {
        double squares = 0.0;                 ///< summed over layers, what sampling explains taken off
        int degrees = 0;
    };
    using Claims = std::vector<std::vector<char>>;    ///< [i][j] among `layers`: i is surely better than j
    [[nodiscard]] LayerSamples samplesOf(const std::vector<Row> &rows) const;
    [[nodiscard]] int placesLeft() const;
    [[nodiscard]] Standing asked(std::size_t i, const std::vector<int> &layers, const Claims &sure) const;
    [[nodiscard]] double driftVariance() const;       ///< σ², ≥ 0
    [[nodiscard]] int driftDegrees() const { return m_steps[0].degrees + m_steps[1].degrees; }
    void watchDrift(const std::vector<Row> &rows);
    void decide();
    void take(int layer, Standing standing);

    int m_numLayers;
    Options m_options;
    int m_numEvaluations = 0;
    std::vector<Standing> m_standing;
    std::vector<int> m_chosen, m_dropped;             ///< in the order of the decisions
    std::vector<Row> m_last;                          ///< of those that race, ascending
    std::array<Step, 2> m_steps;                      ///< the last two, the last one first
};

}  // namespace stillroom::analysis
