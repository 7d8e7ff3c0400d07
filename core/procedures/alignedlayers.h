// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelfiles.h"
#include "distillation/stageone.h"
#include "nn/transformer.h"

#include <filesystem>
#include <string>
#include <vector>

/// Aligned mixers as an artifact: aligned.json (teacher's hash, mixer, layers) and layers/layer-NNN.safetensors, one file a layer.
namespace stillroom::procedures {

struct AlignedArtifact {
    std::string teacherHash;
    std::string mixerKind, optionsJson;
    std::vector<distillation::AlignedLayer> layers;
};

/// \throws Error(Io)
void saveAligned(const std::filesystem::path &folder, const AlignedArtifact &aligned);
/// \throws Error(BadFile) when it is not one, Error(Usage) when it belongs to another teacher.
[[nodiscard]] AlignedArtifact loadAligned(const std::filesystem::path &folder, const checkpoint::ModelConfig &teacher, const std::string &teacherHash, at::Device device);

/// New mixers for `layers` (empty: all) of a teacher, weights copied, the rest drawn from `seed`. \throws Error(Usage) for a layer that the teacher does not have
[[nodiscard]] std::vector<distillation::AlignedLayer> freshMixers(const nn::Transformer &teacher, const std::string &kind, const std::string &optionsJson,
                                                                  const std::vector<int> &layers, std::uint64_t seed);

}  // namespace stillroom::procedures
