// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/sampling.h"

#include "error.h"
#include "seed.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace stillroom::nn {
namespace {

std::string shortText(double number)
{
    std::ostringstream text;
    text << number;
    return text.str();
}

}  // namespace

Sampler::Sampler(const SamplingOptions &options, std::int64_t row)
    : m_options(options), m_generator(seedFor(options.seed, "sampling", 0, row))
{
    if (!(options.temperature >= 0.0) || options.topK < 0 || !(options.topP > 0.0 && options.topP <= 1.0)) {
        throw Error(ErrorCode::Usage, "Sampling needs a temperature of at least 0, top-k of at least 0 and top-p above 0 and at most 1, not " + std::to_string(options.temperature) + ", "
                                          + std::to_string(options.topK) + " and " + std::to_string(options.topP) + ".");
    }
}

std::int64_t Sampler::draw(const at::Tensor &logits_V)
{
    if (m_options.temperature == 0.0) {
        return logits_V.argmax().item<std::int64_t>();
    }
    const at::Tensor scaled_V = logits_V.detach().to(at::kCPU, at::kDouble) / m_options.temperature;
    auto [sorted_V, ids_V] = scaled_V.sort(true, 0, true);   // stable: of equal ones the lower id first
    if (m_options.topK > 0) {
        sorted_V = sorted_V.narrow(0, 0, std::min<std::int64_t>(m_options.topK, sorted_V.size(0)));
    }
    if (!sorted_V.isfinite().all().item<bool>()) {
        throw Error(ErrorCode::Usage, "The temperature " + shortText(m_options.temperature) + " is so small that logits divided by it are beyond all numbers: take 0, which always takes the likeliest token.");
    }
    const at::Tensor mass_V = at::softmax(sorted_V, 0).cumsum(0).contiguous();
    const double *mass = mass_V.const_data_ptr<double>();
    const std::int64_t numKept = mass_V.size(0);
    std::int64_t numInNucleus = std::lower_bound(mass, mass + numKept, m_options.topP) - mass + 1;
    numInNucleus = m_options.topP < 1.0 ? std::min(numInNucleus, numKept) : numKept;
    const double uniform = static_cast<double>(m_generator() >> 11U) * 0x1p-53;
    const std::int64_t chosen = std::upper_bound(mass, mass + numInNucleus, uniform * mass[numInNucleus - 1]) - mass;
    return ids_V[std::min(chosen, numInNucleus - 1)].item<std::int64_t>();
}

}  // namespace stillroom::nn
