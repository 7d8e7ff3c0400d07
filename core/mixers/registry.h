// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelfiles.h"
#include "error.h"
#include "nn/transformer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Linear token mixers: one file each, registered by one line in registry.cpp.
namespace stillroom::mixers {

/// How teacher K/V heads are widened to H heads.
enum class Expand {
    Head,   ///< whole head blocks: query head n uses key/value head ⌊n/G⌋ (right)
    Row,    ///< single rows repeated, as two public code bases do: scrambles K and V; only to reproduce them
};

/// Kinds that exist, in display order: "gdn", "gla".
[[nodiscard]] std::vector<std::string> kinds();

/// `optionsJson` with every default filled in for this teacher; unknown or ill-typed options are errors that name the nearest valid one.
/// \throws Error(Usage)
[[nodiscard]] std::string completeOptions(const std::string &kind, const std::string &optionsJson, const checkpoint::ModelConfig &teacher);

/// A mixer for `layer` of `teacher`, with Q, K, V, O (and what else it carries) copied from the teacher's softmax mixer in that layer
/// and the rest drawn from a generator made from hash(seed, "mixer-init", layer): the same whatever else is drawn.
/// \throws Error(Usage) for an unknown kind or option.
[[nodiscard]] std::shared_ptr<nn::TokenMixer> fromTeacher(const std::string &kind, const std::string &optionsJson, const nn::Transformer &teacher, int layer, std::uint64_t seed);

/// An uninitialised mixer of the right shapes (zeros), for loading weights into.
[[nodiscard]] std::shared_ptr<nn::TokenMixer> blank(const std::string &kind, const std::string &optionsJson, const checkpoint::ModelConfig &config, int layer, at::Device device);

/// The mixer that a model's config.json describes for `layer`, on the meta device: shapes only, so what a file asks for is not allocated before it is checked.
/// \throws Error(BadFile) saying which layer cannot be built and why
[[nodiscard]] std::shared_ptr<nn::TokenMixer> shapesOf(const checkpoint::LayerMixer &described, const checkpoint::ModelConfig &config, int layer);

/// Checks that the files of a hybrid hold what its linear layers need, each in the shape that its config asks for, and nothing beside it: what loadModel checks, in the same
/// words, without reading a weight. \throws Error(BadFile) naming the model and the tensor or the layer
void checkLinearLayers(const checkpoint::ModelFiles &files);

/// `error` with the model's path before it where it blames the file without naming it.
[[nodiscard]] Error naming(const checkpoint::ModelFiles &files, const Error &error);

/// nn::loadTransformer with the linear mixers of this room: loads teachers and hybrids alike.
[[nodiscard]] nn::Transformer loadModel(const checkpoint::ModelFiles &files, at::Device device);

}  // namespace stillroom::mixers
