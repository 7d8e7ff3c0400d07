// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/klcurve.h"

#include "error.h"
#include "randomstream.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace stillroom::analysis {
namespace {

void checkCurve(const KlCurve &curve)
{
    bool whole = !curve.keeps.empty() && curve.keeps.size() == curve.klNats_KS.size() && !curve.klNats_KS.front().empty();
    for (std::size_t k = 0; whole && k < curve.keeps.size(); ++k) {
        whole = curve.klNats_KS[k].size() == curve.klNats_KS.front().size() && (k == 0 ? curve.keeps[k] >= 0 : curve.keeps[k] > curve.keeps[k - 1]);
        whole = whole && std::all_of(curve.klNats_KS[k].begin(), curve.klNats_KS[k].end(), [](double kl) { return std::isfinite(kl); });
    }
    if (!whole)
        throw Error(ErrorCode::Usage, "A curve of KL against K needs ascending K and, at each, finite values of the same sequences.");
}

/// Index of the elbow, or nothing.
std::optional<std::size_t> elbowOf(const std::vector<int> &keeps, const std::vector<double> &kl_K)
{
    const double fall = kl_K.front() - kl_K.back(), width = keeps.back() - keeps.front();
    if (keeps.size() < 3 || !(fall > 0.0))
        return std::nullopt;
    std::optional<std::size_t> best;
    double farthest = 0.0;
    for (std::size_t k = 1; k + 1 < keeps.size(); ++k) {
        const double below = (kl_K.front() - kl_K[k]) / fall - (keeps[k] - keeps.front()) / width;
        // Points of a straight line differ from it by rounding alone.
        if (below > farthest + 1e-12) {
            farthest = below;
            best = k;
        }
    }
    return best;
}

/// Means of the sequences that one draw takes.
std::vector<double> resampledMeans(const KlCurve &curve, RandomStream stream)
{
    const std::size_t numSequences = curve.klNats_KS.front().size();
    std::vector<double> sums(curve.keeps.size(), 0.0);
    for (std::size_t i = 0; i < numSequences; ++i) {
        const std::size_t s = stream.below(numSequences);
        for (std::size_t k = 0; k < sums.size(); ++k)
            sums[k] += curve.klNats_KS[k][s];
    }
    for (double &sum : sums)
        sum = std::max(0.0, sum / static_cast<double>(numSequences));
    return sums;
}

}  // namespace

KlCurve additivePrediction(const LayerSamples &onlyKept, const std::vector<double> &allLinear_S, const experiment::Ranking &ranking)
{
    const int numLayers = onlyKept.numLayers();
    if (onlyKept.higherIsBetter())
        throw Error(ErrorCode::Usage, "A KL curve is predicted from KLs, where lower is better.");
    if (static_cast<int>(allLinear_S.size()) != onlyKept.numSequences() || static_cast<int>(ranking.size()) != numLayers)
        throw Error(ErrorCode::Usage, "A KL curve is predicted from the all-linear student and every layer's, all measured on the same sequences.");
    (void)experiment::validLayerSet(ranking, numLayers);
    KlCurve curve;
    std::vector<double> kl_S = allLinear_S;
    for (int keep = 0;; ++keep) {
        if (keep == numLayers)
            std::fill(kl_S.begin(), kl_S.end(), 0.0);
        curve.keeps.push_back(keep);
        curve.klNats_KS.push_back(kl_S);
        if (keep == numLayers)
            return curve;
        const std::vector<double> &alone_S = onlyKept.values(ranking[static_cast<std::size_t>(keep)]);
        for (std::size_t s = 0; s < kl_S.size(); ++s)
            kl_S[s] -= allLinear_S[s] - alone_S[s];
    }
}

std::vector<Interval> meanKl(const KlCurve &curve, double level)
{
    checkCurve(curve);
    std::vector<Interval> means;
    for (const std::vector<double> &kl_S : curve.klNats_KS) {
        Interval interval = tInterval(kl_S, level);
        for (double *bound : {&interval.mean, &interval.low, &interval.high})
            *bound = std::max(0.0, *bound);
        means.push_back(interval);
    }
    return means;
}

std::optional<Elbow> elbow(const KlCurve &curve, int numDraws, std::uint64_t seed, double level)
{
    checkCurve(curve);
    if (numDraws < 1 || !(level > 0.0 && level < 1.0))
        throw Error(ErrorCode::Usage, "The elbow's interval needs at least one draw and a level between 0 and 1.");
    std::vector<double> means;
    for (const Interval &interval : meanKl(curve))
        means.push_back(interval.mean);
    const auto at = elbowOf(curve.keeps, means);
    if (!at)
        return std::nullopt;
    std::vector<int> drawn;
    for (int index = 0; index < numDraws; ++index)
        if (const auto one = elbowOf(curve.keeps, resampledMeans(curve, RandomStream(seedFor(seed, "elbow", 0, index)))))
            drawn.push_back(curve.keeps[*one]);
    Elbow found{curve.keeps[*at], curve.keeps[*at], curve.keeps[*at], (means.front() - means[*at]) / (means.front() - means.back()), static_cast<double>(drawn.size()) / numDraws};
    if (curve.klNats_KS.front().size() < 2) {
        found.low = curve.keeps.front();
        found.high = curve.keeps.back();
    } else if (!drawn.empty()) {
        std::sort(drawn.begin(), drawn.end());
        const auto last = static_cast<double>(drawn.size() - 1);
        found.low = drawn[static_cast<std::size_t>(std::floor(0.5 * (1.0 - level) * last))];
        found.high = drawn[static_cast<std::size_t>(std::ceil(0.5 * (1.0 + level) * last))];
    }
    return found;
}

const KlPoint *ShownKlCurve::at(int keep) const
{
    const auto found = std::find_if(points.begin(), points.end(), [&](const KlPoint &one) { return one.keep == keep; });
    return found == points.end() ? nullptr : &*found;
}

ShownKlCurve shownPrediction(const KlCurve &curve)
{
    ShownKlCurve shown;
    const std::vector<Interval> means = meanKl(curve);
    for (std::size_t k = 0; k < means.size() && means[k].mean > 0.0; ++k)
        shown.points.push_back({curve.keeps[k], means[k]});
    shown.elbow = elbow(curve);
    return shown;
}

ShownKlCurve shownMeasurement(const KlCurve &curve)
{
    checkCurve(curve);
    ShownKlCurve shown;
    for (std::size_t k = 0; k < curve.keeps.size(); ++k)
        shown.points.push_back({curve.keeps[k], tInterval(curve.klNats_KS[k])});
    shown.elbow = elbow(curve);
    return shown;
}

}  // namespace stillroom::analysis
