// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelconfig.h"
#include "checkpoint/tensorsource.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stillroom::checkpoint {

/// A weight that a config asks for, by Hugging Face's name. Matrices are [out, in].
struct ExpectedTensor {
    std::string name;
    std::vector<std::int64_t> shape;
};

/// Every weight of the model, in the order of the network. Linear layers of a hybrid bring their own, below `mixerPrefix`.
[[nodiscard]] std::vector<ExpectedTensor> expectedTensors(const ModelConfig &config);

/// "model.layers.N."
[[nodiscard]] std::string layerPrefix(int layer);
/// "model.layers.N.mixer.": where the tensors of a linear layer lie.
[[nodiscard]] std::string mixerPrefix(int layer);

/// Checks that the source holds exactly the weights that the config asks for.
/// \param where names the model in messages.
/// \throws Error(BadFile) for one that is missing, of the wrong shape or of an integer type; Error(Unsupported) for one that nothing reads.
void checkTensors(const ModelConfig &config, const TensorSource &source, const std::string &where);

}  // namespace stillroom::checkpoint
