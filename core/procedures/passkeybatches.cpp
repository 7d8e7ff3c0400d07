// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/passkeybatches.h"

#include "error.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace stillroom::procedures {

std::vector<text::TokenId> tokensWithoutPadding(const distillation::Batch &batch, std::int64_t row)
{
    at::Tensor ids_T = batch.ids_BT[row];
    if (batch.documents_BT.defined())
        ids_T = ids_T.masked_select(batch.documents_BT[row].ge(0));
    ids_T = ids_T.contiguous();
    return {ids_T.const_data_ptr<std::int64_t>(), ids_T.const_data_ptr<std::int64_t>() + ids_T.numel()};
}

PasskeyBatches::PasskeyBatches(std::unique_ptr<distillation::BatchSource> sequences, text::PasskeyDocuments documents, std::uint64_t seed, bool answersOnly)
    : m_sequences(std::move(sequences)), m_documents(std::move(documents)), m_seed(seed), m_answersOnly(answersOnly)
{
}

distillation::Batch PasskeyBatches::batch(std::int64_t step)
{
    const distillation::Batch filler = m_sequences->batch(step);
    const std::int64_t rows = filler.ids_BT.size(0), length = filler.ids_BT.size(1);
    distillation::Batch made;
    made.ids_BT = at::empty({rows, length}, at::kLong);
    if (m_answersOnly)
        made.lossMask_BT = at::zeros({rows, length}, at::kBool);
    for (std::int64_t row = 0; row < rows; ++row) {
        const text::PasskeyDocument document = m_documents.document(tokensWithoutPadding(filler, row), length, m_seed, step * rows + row);
        std::copy(document.ids.begin(), document.ids.end(), made.ids_BT.data_ptr<std::int64_t>() + row * length);
        if (m_answersOnly)
            std::copy(document.answers.begin(), document.answers.end(), made.lossMask_BT.data_ptr<bool>() + row * length);
    }
    return made;
}

std::string PasskeyBatches::description() const { return "passkeys, seed " + std::to_string(m_seed) + ", in " + m_sequences->description(); }

}  // namespace stillroom::procedures
