// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mixers/registry.h"
#include "nn/seed.h"
#include "nn/tinymodel.h"
#include "distillation/batchsource.h"
#include "distillation/stageone.h"

#include <ATen/ATen.h>

#include <string>
#include <vector>

namespace stillroom::test {

/// A random teacher, of four layers where nothing else is said, fresh mixers for them, and two held-out batches of three sequences.
struct Setting {
    nn::Transformer teacher;
    std::vector<distillation::AlignedLayer> aligned;
    std::vector<distillation::Batch> heldOut;
};

inline distillation::Batch randomBatch(const nn::Transformer &teacher, std::int64_t rows, std::int64_t length, std::int64_t index)
{
    distillation::Batch batch;
    batch.ids_BT = at::randint(0, teacher.config.vocabSize, {rows, length}, nn::generatorFor(7, "test batch", 0, index), at::TensorOptions(at::kLong));
    return batch;
}

inline Setting setting(const std::string &mixer = "gdn", int numLayers = 4)
{
    checkpoint::ModelConfig config = tinyConfig();
    config.numLayers = numLayers;
    config.slidingWindow.assign(static_cast<std::size_t>(numLayers), 0);
    config.layers.assign(static_cast<std::size_t>(numLayers), {});
    Setting made{tinyModel(config), {}, {}};
    for (int layer = 0; layer < numLayers; ++layer)
        made.aligned.push_back({layer, mixers::fromTeacher(mixer, "{}", made.teacher, layer, 3)});
    for (std::int64_t i = 0; i < 2; ++i)
        made.heldOut.push_back(randomBatch(made.teacher, 3, 20, i));
    return made;
}

}  // namespace stillroom::test
