// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/gguf.h"
#include "checkpoint/modelfiles.h"

namespace stillroom::checkpoint {

/// Opens a GGUF file of the architectures llama (Llama, Mistral, SmolLM2 …), qwen2 and qwen3 under Hugging Face's names.
/// \throws Error(BadFile | Unsupported)
[[nodiscard]] ModelFiles openGguf(const std::filesystem::path &path);

/// The RoPE that a file's `rope_freqs.weight` stands for. llama.cpp stores, per frequency, what it is divided by; Llama 3.1's rule
/// (low_freq_factor 1, high_freq_factor 4) is recognised by computing it for every original length that is a power of two from 32 to 2^20.
/// \param rope the RoPE without the factors: gives theta.
/// \throws Error(Unsupported) when no rule gives these factors within 1e-5.
[[nodiscard]] Rope ropeFromFactors(const std::vector<float> &factors, const Rope &rope, const std::string &where);

}  // namespace stillroom::checkpoint
