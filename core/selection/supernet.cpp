// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/supernet.h"

#include "error.h"
#include "randomstream.h"
#include "selection/hybrid.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

namespace stillroom::selection {
namespace {

void checkSupernet(const SupernetOptions &options, int numLayers)
{
    if (options.largestKeep < 0 || options.largestKeep > numLayers)
        throw Error(ErrorCode::Usage, "the supernet keeps up to " + std::to_string(options.largestKeep) + " softmax layers: give 0 to " + std::to_string(numLayers));
    if (!(options.keepProbability >= 0.0 && options.keepProbability <= 1.0))
        throw Error(ErrorCode::Usage, "the supernet keeps a layer with probability " + std::to_string(options.keepProbability) + ": give 0 to 1");
}

}  // namespace

SamplingLaw parseSamplingLaw(const std::string &text)
{
    if (text == "uniform-size")
        return SamplingLaw::UniformSize;
    if (text == "bernoulli")
        return SamplingLaw::Bernoulli;
    throw Error(ErrorCode::Usage, "there is no law of sampling \"" + text + "\": choose uniform-size or bernoulli");
}

experiment::LayerSet supernetSet(const SupernetOptions &options, int numLayers, std::int64_t step)
{
    checkSupernet(options, numLayers);
    RandomStream random(seedFor(options.seed, "supernet", 0, step));
    experiment::LayerSet kept;
    if (options.law == SamplingLaw::Bernoulli) {
        for (int layer = 0; layer < numLayers; ++layer)
            if (random.uniform() < options.keepProbability)
                kept.push_back(layer);
        return kept;
    }
    const auto size = static_cast<std::size_t>(random.below(static_cast<std::uint64_t>(options.largestKeep) + 1));
    experiment::LayerSet shuffled(static_cast<std::size_t>(numLayers));
    std::iota(shuffled.begin(), shuffled.end(), 0);
    for (std::size_t i = 0; i < size; ++i)
        std::swap(shuffled[i], shuffled[i + random.below(shuffled.size() - i)]);
    kept.assign(shuffled.begin(), shuffled.begin() + static_cast<std::ptrdiff_t>(size));
    std::sort(kept.begin(), kept.end());
    return kept;
}

SupernetTraining::SupernetTraining(const nn::Transformer &givenTeacher, const std::vector<distillation::AlignedLayer> &aligned, distillation::BatchSource &source, SupernetOptions options)
    : HiddenStateTraining("supernet", givenTeacher, source, options.training), m_mixers(frozenMixers(givenTeacher, aligned)), m_options(std::move(options))
{
    checkSupernet(m_options, static_cast<int>(m_mixers.size()));
    std::vector<distillation::TrainedParameter> parameters;
    for (distillation::AlignedLayer &one : m_mixers)
        one.mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits traits) {
            tensor = tensor.clone(at::MemoryFormat::Contiguous).requires_grad_(true);
            parameters.push_back({std::to_string(one.layer) + "/" + name, tensor, traits});
        });
    train(std::move(parameters));
}

nn::Transformer SupernetTraining::student(std::int64_t step) const
{
    return hybrid(teacher(), m_mixers, supernetSet(m_options, static_cast<int>(m_mixers.size()), step));
}

}  // namespace stillroom::selection
