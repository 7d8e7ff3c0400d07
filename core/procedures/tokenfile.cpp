// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/tokenfile.h"

#include "checkpoint/tensorsource.h"
#include "error.h"
#include "nn/tensorfile.h"

#include <ATen/ATen.h>

namespace stillroom::procedures {
namespace {

at::Tensor readMatrix(const checkpoint::TensorSource &source, const std::string &name, const std::filesystem::path &file)
{
    at::Tensor matrix = nn::readTensor(source, name);
    if (matrix.scalar_type() != at::kLong)
        throw Error(ErrorCode::BadFile, file.string() + ": " + name + " must hold integers: write it as int64");
    if (matrix.dim() == 1)
        matrix = matrix.unsqueeze(0);
    if (matrix.dim() != 2 || matrix.numel() == 0)
        throw Error(ErrorCode::BadFile, file.string() + ": " + name + " must have the shape [batch, tokens] and not be empty");
    return matrix;
}

}  // namespace

TokenFile readTokenFile(const std::filesystem::path &file, std::int64_t vocabSize)
{
    const auto source = checkpoint::openSafetensors(file);
    if (!source->find("input_ids"))
        throw Error(ErrorCode::BadFile, file.string() + " holds no array input_ids: write it as int64 [batch, tokens]");
    TokenFile tokens;
    tokens.ids_BT = readMatrix(*source, "input_ids", file);
    if (source->find("attention_mask")) {
        tokens.mask_BT = readMatrix(*source, "attention_mask", file);
        if (tokens.mask_BT.sizes() != tokens.ids_BT.sizes())
            throw Error(ErrorCode::BadFile, file.string() + ": attention_mask must have the shape of input_ids");
        if (tokens.mask_BT.ne(0).logical_and(tokens.mask_BT.ne(1)).any().item<bool>())
            throw Error(ErrorCode::BadFile, file.string() + ": attention_mask may only hold 0 and 1");
    }
    const std::int64_t lowest = tokens.ids_BT.min().item<std::int64_t>();
    const std::int64_t highest = tokens.ids_BT.max().item<std::int64_t>();
    if (lowest < 0 || highest >= vocabSize)
        throw Error(ErrorCode::BadFile, file.string() + ": token ids run from " + std::to_string(lowest) + " to " + std::to_string(highest) +
                                          ", but the model knows 0 to " + std::to_string(vocabSize - 1) + "; write ids of this model's own tokenizer");
    return tokens;
}

std::int64_t TokenFile::longestRow() const { return mask_BT.defined() ? mask_BT.sum(1).max().item<std::int64_t>() : ids_BT.size(1); }

std::vector<std::vector<std::int64_t>> TokenFile::rows() const
{
    std::vector<std::vector<std::int64_t>> rows;
    for (std::int64_t b = 0; b < ids_BT.size(0); ++b) {
        const at::Tensor row = mask_BT.defined() ? ids_BT[b].masked_select(mask_BT[b].to(at::kBool)) : ids_BT[b].contiguous();
        rows.emplace_back(row.data_ptr<std::int64_t>(), row.data_ptr<std::int64_t>() + row.numel());
    }
    return rows;
}

}  // namespace stillroom::procedures
