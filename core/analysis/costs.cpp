// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/costs.h"

#include "error.h"

#include <string>

namespace stillroom::analysis {

double HybridCost::decodeBytes(std::int64_t context) const
{
    return static_cast<double>(weightBytes) + static_cast<double>(cacheBytesPerToken) * static_cast<double>(context) + 2.0 * static_cast<double>(stateBytes);
}

double HybridCost::teacherDecodeBytes(std::int64_t context) const
{
    return static_cast<double>(teacherWeightBytes) + static_cast<double>(teacherCacheBytesPerToken) * static_cast<double>(context);
}

std::int64_t softmaxParameters(const ModelShape &shape)
{
    const std::int64_t queries = shape.numHeads * shape.headDim;
    const std::int64_t keys = shape.numKvHeads * shape.headDim;
    std::int64_t parameters = 2 * shape.hiddenSize * queries + 2 * shape.hiddenSize * keys;
    if (shape.qkvBias)
        parameters += queries + 2 * keys;
    if (shape.outputBias)
        parameters += shape.hiddenSize;
    if (shape.qkNorm)
        parameters += 2 * shape.headDim;
    return parameters;
}

LayerCosts layerCosts(const ModelShape &shape, const MixerShape &mixer, int bytesPerCacheElement, int bytesPerStateElement)
{
    return {.numLayers = shape.numLayers,
            .kvBytesPerToken = 2 * shape.numKvHeads * shape.headDim * bytesPerCacheElement,
            .softmaxParameters = softmaxParameters(shape),
            .linearParameters = mixer.numParameters,
            .stateBytes = mixer.numHeads * mixer.keyDim * mixer.valueDim * bytesPerStateElement,
            .weightBytes = shape.numParameters * bytesPerCacheElement,
            .weightBytesPerParameter = bytesPerCacheElement};
}

HybridCost hybridCost(const LayerCosts &costs, int keep)
{
    if (keep < 0 || keep > costs.numLayers)
        throw Error(ErrorCode::Usage, "K is " + std::to_string(keep) + ": it must lie between 0 and " + std::to_string(costs.numLayers));
    const std::int64_t linear = costs.numLayers - keep;
    HybridCost cost;
    cost.addedParameters = linear * (costs.linearParameters - costs.softmaxParameters);
    cost.teacherCacheBytesPerToken = costs.numLayers * costs.kvBytesPerToken;
    cost.cacheBytesPerToken = keep * costs.kvBytesPerToken;
    cost.stateBytes = linear * costs.stateBytes;
    cost.teacherWeightBytes = costs.weightBytes;
    cost.weightBytes = costs.weightBytes + cost.addedParameters * costs.weightBytesPerParameter;
    if (linear > 0 && costs.kvBytesPerToken > 0)
        cost.breakEvenTokens = static_cast<double>(costs.stateBytes) / static_cast<double>(costs.kvBytesPerToken);
    return cost;
}

}  // namespace stillroom::analysis
