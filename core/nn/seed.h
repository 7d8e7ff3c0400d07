// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "../seed.h"   // the folder's own name would find this file

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>

#include <cstdint>
#include <string_view>

namespace stillroom::nn {

/// A CPU generator of its own for one consumer, seeded with seedFor(…). Draw on the CPU and move the result, so that the device changes no number.
/// (LibTorch's Mersenne Twister takes the low 32 bits of the seed: streams of one run may coincide by chance, once in about 65000 consumers.)
[[nodiscard]] inline at::Generator generatorFor(std::uint64_t runSeed, std::string_view purpose, std::int64_t layer = 0, std::int64_t index = 0)
{
    return at::make_generator<at::CPUGeneratorImpl>(seedFor(runSeed, purpose, layer, index));
}

}  // namespace stillroom::nn
