// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/ggufmodel.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stillroom::checkpoint {

namespace {

// By what Llama 3.1's rule divides the frequency theta^(−2i/K) (transformers, _compute_llama3_parameters).
double divisor(const Rope &rope, std::size_t i, std::size_t half) {
    const double wavelength = 2 * std::numbers::pi * std::pow(rope.theta, static_cast<double>(i) / static_cast<double>(half));
    const auto original = static_cast<double>(rope.originalMaxPositions);
    if (wavelength < original / rope.highFreqFactor)
        return 1;
    if (wavelength > original / rope.lowFreqFactor)
        return rope.factor;
    const double smooth = (original / wavelength - rope.lowFreqFactor) / (rope.highFreqFactor - rope.lowFreqFactor);
    return 1 / ((1 - smooth) / rope.factor + smooth);
}

bool agrees(const Rope &rope, const std::vector<float> &factors) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const double expected = divisor(rope, i, factors.size());
        if (!(std::abs(static_cast<double>(factors[i]) - expected) <= 1e-5 * expected))
            return false;
    }
    return true;
}

}  // namespace

Rope ropeFromFactors(const std::vector<float> &factors, const Rope &rope, const std::string &where) {
    if (std::all_of(factors.begin(), factors.end(), [](float factor) { return factor == 1.0F; }))
        return rope;
    Rope scaled = rope;
    scaled.kind = Rope::Kind::Llama3;
    scaled.factor = static_cast<double>(factors.back());   // the lowest frequency is divided in full
    if (std::abs(scaled.factor - std::round(scaled.factor)) <= 1e-5 * scaled.factor)
        scaled.factor = std::round(scaled.factor);          // a float32 quotient's last bits
    scaled.lowFreqFactor = 1;
    scaled.highFreqFactor = 4;
    const bool possible = rope.kind == Rope::Kind::Default && std::isfinite(scaled.factor) && scaled.factor > 1;
    for (scaled.originalMaxPositions = 32; possible && scaled.originalMaxPositions <= 1 << 20; scaled.originalMaxPositions *= 2)
        if (agrees(scaled, factors))
            return scaled;
    throw Error(ErrorCode::Unsupported, where + " scales its rotary frequencies (rope_freqs.weight) by a rule other than Llama 3.1's; use the model's Hugging Face folder.");
}

}  // namespace stillroom::checkpoint
