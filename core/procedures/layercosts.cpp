// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/layercosts.h"

#include "mixers/registry.h"

#include <ATen/ATen.h>

namespace stillroom::procedures {

analysis::LayerCosts layerCosts(const checkpoint::ModelConfig &teacher, const std::string &mixerKind)
{
    const auto mixer = mixers::blank(mixerKind, mixers::completeOptions(mixerKind, "{}", teacher), teacher, 0, at::kCPU);
    const analysis::ModelShape shape{.numLayers = teacher.numLayers, .hiddenSize = teacher.hiddenSize, .numHeads = teacher.numHeads, .numKvHeads = teacher.numKvHeads, .headDim = teacher.headDim,
                                     .qkvBias = teacher.qkvBias, .outputBias = teacher.outputBias, .qkNorm = teacher.qkNorm, .numParameters = teacher.numParameters()};
    analysis::MixerShape linear;
    linear.numParameters = mixer->numParameters();
    analysis::LayerCosts costs = analysis::layerCosts(shape, linear);
    costs.stateBytes = mixer->stateBytes(1, 1, at::kFloat);      // with what a mixer keeps beside S, such as the inputs of a short convolution
    return costs;
}

}  // namespace stillroom::procedures
