// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/transfer.h"

#include "error.h"

#include <ATen/ATen.h>

#include <map>
#include <string>

namespace stillroom::mixers {

TeacherAttention teacherAttention(const nn::Transformer &teacher, int layer)
{
    if (layer < 0 || layer >= static_cast<int>(teacher.blocks.size()))
        throw Error(ErrorCode::Usage, "There is no layer " + std::to_string(layer) + ": the teacher's layers are 0 to " + std::to_string(teacher.blocks.size() - 1) + '.');
    const auto &mixer = teacher.blocks[static_cast<std::size_t>(layer)].mixer;
    if (mixer->kind() != "softmax")
        throw Error(ErrorCode::Usage, "Layer " + std::to_string(layer) + " is \"" + std::string(mixer->kind()) + "\" already: only a softmax layer's weights can be carried over.");
    std::map<std::string, at::Tensor> weights;
    mixer->clone()->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { weights[name] = tensor.detach(); });
    const auto take = [&](const char *name) {
        const auto found = weights.find(name);
        return found == weights.end() ? at::Tensor() : found->second;
    };
    TeacherAttention attention{.q_HKxD = take("q_proj.weight"), .k_JKxD = take("k_proj.weight"), .v_JKxD = take("v_proj.weight"), .o_DxHK = take("o_proj.weight"),
                               .qBias_HK = take("q_proj.bias"), .kBias_JK = take("k_proj.bias"), .vBias_JK = take("v_proj.bias"), .oBias_D = take("o_proj.bias"),
                               .qNorm_K = take("q_norm.weight"), .kNorm_K = take("k_norm.weight"),
                               .heads = teacher.config.numHeads, .kvHeads = teacher.config.numKvHeads, .headDim = teacher.config.headDim};
    if (!attention.q_HKxD.defined() || !attention.k_JKxD.defined() || !attention.v_JKxD.defined() || !attention.o_DxHK.defined())
        throw Error(ErrorCode::Failed, "Layer " + std::to_string(layer) + " lacks one of the projections q, k, v, o: its weights cannot be carried over.");
    return attention;
}

at::Tensor widenRows(const at::Tensor &rows, std::int64_t heads, std::int64_t toHeads, Expand expand)
{
    const std::int64_t repeats = toHeads / heads;
    if (repeats == 1)
        return rows;
    if (expand == Expand::Row)
        return rows.repeat_interleave(repeats, 0);
    std::vector<std::int64_t> byHead = rows.sizes().vec();
    byHead[0] /= heads;
    byHead.insert(byHead.begin(), heads);
    std::vector<std::int64_t> widened = rows.sizes().vec();
    widened[0] *= repeats;
    return rows.reshape(byHead).repeat_interleave(repeats, 0).reshape(widened);
}

at::Tensor shareColumns(const at::Tensor &columns, std::int64_t heads, std::int64_t toHeads)
{
    const std::int64_t repeats = toHeads / heads;
    if (repeats == 1)
        return columns;
    const auto widened = widenRows(columns.t(), heads, toHeads, Expand::Head).t();
    return widened / static_cast<double>(repeats);
}

}  // namespace stillroom::mixers
