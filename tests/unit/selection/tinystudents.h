// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "distillation/stageone.h"
#include "mixers/registry.h"
#include "nn/seed.h"
#include "nn/tinymodel.h"

#include <ATen/ATen.h>

#include <string>
#include <vector>

namespace stillroom::test {

inline nn::Transformer tinyTeacherOf(int numLayers)
{
    checkpoint::ModelConfig config = tinyConfig();
    config.numLayers = numLayers;
    config.slidingWindow.assign(static_cast<std::size_t>(numLayers), 0);
    config.layers.assign(static_cast<std::size_t>(numLayers), {});
    return tinyModel(config);
}

inline std::vector<distillation::AlignedLayer> tinyMixers(const nn::Transformer &teacher, const std::string &kind = "gdn")
{
    std::vector<distillation::AlignedLayer> made;
    for (int layer = 0; layer < static_cast<int>(teacher.blocks.size()); ++layer)
        made.push_back({layer, mixers::fromTeacher(kind, "{}", teacher, layer, 3)});
    return made;
}

inline distillation::Batch tinyBatch(const nn::Transformer &teacher, std::int64_t rows, std::int64_t length, std::uint64_t seed = 1)
{
    distillation::Batch batch;
    batch.ids_BT = randomIds(rows, length, teacher.config.vocabSize, seed);
    return batch;
}

/// Two documents in the first row, padding in the second, and a loss mask in all.
inline distillation::Batch raggedBatch(const nn::Transformer &teacher, std::int64_t rows, std::int64_t length, std::uint64_t seed = 1)
{
    distillation::Batch batch = tinyBatch(teacher, rows, length, seed);
    batch.documents_BT = at::zeros_like(batch.ids_BT);
    batch.documents_BT[0].narrow(0, length / 3, length - length / 3).fill_(1);
    batch.documents_BT[1].narrow(0, length - 4, 4).fill_(-1);
    batch.lossMask_BT = at::ones_like(batch.ids_BT, at::kBool);
    batch.lossMask_BT.narrow(1, 2, 3).fill_(false);
    return batch;
}

}  // namespace stillroom::test
