// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/rankedsamples.h"

#include "error.h"

#include <utility>

namespace stillroom::comparison {

std::optional<analysis::LayerSamples> rankedSamples(const std::filesystem::path &workspace, const std::string &artifact, const experiment::Ranking &ranking)
{
    auto values = store::heldOutValues(workspace, artifact, static_cast<int>(ranking.size()));
    if (!values)
        return std::nullopt;
    try {
        analysis::LayerSamples samples(std::move(values->values_LS), values->higherIsBetter);
        return samples.numSequences() >= 2 && samples.ranking() == ranking ? std::optional(std::move(samples)) : std::nullopt;
    } catch (const Error &) {      // a value that is not finite, lists that differ in length: what is a by-product is done without
        return std::nullopt;
    }
}

}  // namespace stillroom::comparison
