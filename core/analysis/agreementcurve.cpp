// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/agreementcurve.h"

#include "analysis/chanceoverlap.h"
#include "error.h"

#include <algorithm>
#include <string>

namespace stillroom::analysis {
namespace {

/// How many layers the first 1, 2, … of both share; one object serves many pairs.
class SharedByDepth final {
public:
    explicit SharedByDepth(int numLayers) : m_seen(static_cast<std::size_t>(numLayers)) {}

    template <typename A, typename B>
    void operator()(const A &a, const B &b, std::vector<int> &shared)
    {
        std::fill(m_seen.begin(), m_seen.end(), 0);
        int count = 0;
        for (std::size_t place = 0; place < shared.size(); ++place) {
            count += ++m_seen[static_cast<std::size_t>(a[place])] == 2 ? 1 : 0;
            count += ++m_seen[static_cast<std::size_t>(b[place])] == 2 ? 1 : 0;
            shared[place] = count;
        }
    }

private:
    std::vector<char> m_seen;
};

double jaccardOfTops(int shared, int keep)
{
    return static_cast<double>(shared) / (2 * keep - shared);
}

/// The percentile interval of a number from 0 to `counts.size() - 1` that was seen so many times.
Band percentiles(const std::vector<int> &counts, int total, int keep, double level)
{
    const double tail = 0.5 * (1.0 - level) * total;
    int low = 0, high = 0, below = 0;
    for (int shared = 0; shared < static_cast<int>(counts.size()); ++shared) {
        if (below <= tail)
            low = shared;
        if (below < total - tail)
            high = shared;
        below += counts[static_cast<std::size_t>(shared)];
    }
    return {jaccardOfTops(low, keep), jaccardOfTops(high, keep)};
}

/// \param drawB  what stands beside draw i of A
template <typename DrawB>
std::vector<AgreementPoint> withBootstrap(const experiment::Ranking &a, const experiment::Ranking &b, const BootstrapRanks &drawsA, const DrawB &drawB, double level)
{
    std::vector<AgreementPoint> curve = agreementCurve(a, b, drawsA.numLayers(), level);
    std::vector<std::vector<int>> counts;          // [K-1][shared]
    for (const AgreementPoint &point : curve)
        counts.emplace_back(static_cast<std::size_t>(point.keep) + 1, 0);
    SharedByDepth sharedByDepth(drawsA.numLayers());
    std::vector<int> shared(curve.size());
    for (int index = 0; index < drawsA.numDraws(); ++index) {
        sharedByDepth(drawsA.draw(index), drawB(index), shared);
        for (std::size_t k = 0; k < shared.size(); ++k)
            ++counts[k][static_cast<std::size_t>(shared[k])];
    }
    for (std::size_t k = 0; k < curve.size(); ++k)
        curve[k].bootstrap = percentiles(counts[k], drawsA.numDraws(), curve[k].keep, level);
    return curve;
}

}  // namespace

std::vector<AgreementPoint> agreementCurve(const experiment::Ranking &a, const experiment::Ranking &b, int numLayers, double level)
{
    if (!(level > 0.0 && level < 1.0))
        throw Error(ErrorCode::Usage, "An interval needs a level between 0 and 1, not " + std::to_string(level) + ".");
    (void)experiment::validLayerSet(a, numLayers);
    (void)experiment::validLayerSet(b, numLayers);
    std::vector<int> shared(std::min(a.size(), b.size()));
    SharedByDepth sharedByDepth(numLayers);
    sharedByDepth(a, b, shared);
    std::vector<AgreementPoint> curve;
    for (int keep = 1; keep <= static_cast<int>(shared.size()); ++keep) {
        const ChanceOverlap chance(keep, keep, numLayers);
        const int both = shared[static_cast<std::size_t>(keep) - 1];
        curve.push_back({keep, jaccardOfTops(both, keep), chance.meanJaccard(), {chance.jaccardQuantile(0.5 * (1.0 - level)), chance.jaccardQuantile(0.5 * (1.0 + level))}, chance.atLeast(both), {}});
    }
    return curve;
}

std::vector<AgreementPoint> agreementCurve(const experiment::Ranking &a, const experiment::Ranking &b, const BootstrapRanks &drawsA, const BootstrapRanks &drawsB, double level)
{
    if (drawsA.numDraws() != drawsB.numDraws() || drawsA.numLayers() != drawsB.numLayers())
        throw Error(ErrorCode::Usage, "Two bootstraps are compared draw by draw, so both need the same number of draws and of layers.");
    return withBootstrap(a, b, drawsA, [&](int index) { return drawsB.draw(index); }, level);
}

std::vector<AgreementPoint> agreementCurve(const experiment::Ranking &a, const experiment::Ranking &b, const BootstrapRanks &drawsA, double level)
{
    return withBootstrap(a, b, drawsA, [&](int) -> const experiment::Ranking & { return b; }, level);
}

}  // namespace stillroom::analysis
