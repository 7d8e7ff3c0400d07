// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/heldouthash.h"

#include "experiment/digest.h"

#include <ATen/ATen.h>

namespace stillroom::procedures {
namespace {

/// One row as text; nothing for what a batch leaves undefined.
std::string rowText(const at::Tensor &values_BT, std::int64_t row)
{
    std::string text;
    if (!values_BT.defined())
        return text;
    const at::Tensor values_T = values_BT[row].to(at::kCPU, at::kLong).contiguous();
    const std::int64_t *values = values_T.const_data_ptr<std::int64_t>();
    for (std::int64_t t = 0; t < values_T.numel(); ++t)
        text += std::to_string(values[t]) + ' ';
    return text;
}

}  // namespace

std::string heldOutHash(const std::vector<distillation::Batch> &heldOut)
{
    std::string sequences;
    for (const distillation::Batch &batch : heldOut)
        for (std::int64_t row = 0; row < batch.ids_BT.size(0); ++row)
            sequences += experiment::sha256Hex(rowText(batch.ids_BT, row) + '|' + rowText(batch.documents_BT, row) + '|' + rowText(batch.lossMask_BT, row));
    return experiment::sha256Hex(sequences);
}

}  // namespace stillroom::procedures
