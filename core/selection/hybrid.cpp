// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/hybrid.h"

#include "error.h"

#include <algorithm>

namespace stillroom::selection {

nn::Transformer hybrid(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const experiment::LayerSet &keep)
{
    const auto numLayers = static_cast<int>(teacher.blocks.size());
    const experiment::LayerSet kept = experiment::validLayerSet(keep, numLayers);
    nn::Transformer student = teacher;
    for (int layer = 0; layer < numLayers; ++layer) {
        if (std::binary_search(kept.begin(), kept.end(), layer))
            continue;
        const auto found = std::find_if(aligned.begin(), aligned.end(), [&](const distillation::AlignedLayer &one) { return one.layer == layer; });
        if (found == aligned.end())
            throw Error(ErrorCode::Usage, "layer " + std::to_string(layer) + " has no aligned mixer: align every layer that is to become linear");
        student.blocks[static_cast<std::size_t>(layer)].mixer = found->mixer;
        auto &description = student.config.layers[static_cast<std::size_t>(layer)];
        description.kind = std::string(found->mixer->kind());
        description.optionsJson = found->mixer->optionsJson();
    }
    return student;
}

}  // namespace stillroom::selection
