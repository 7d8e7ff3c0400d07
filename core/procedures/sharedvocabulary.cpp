// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/sharedvocabulary.h"

#include "error.h"
#include "procedures/modelargument.h"
#include "shownname.h"
#include "text/tokenizer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>

namespace stillroom::procedures {
namespace {

constexpr double forgivenShare = 0.02;      // of the ids in use: special tokens that a chat model renames

std::set<std::int64_t> idsIn(const std::vector<distillation::Batch> &batches)
{
    std::set<std::int64_t> ids;
    for (const distillation::Batch &batch : batches) {
        const at::Tensor flat_N = batch.ids_BT.to(at::kCPU).reshape({-1}).contiguous();
        ids.insert(flat_N.const_data_ptr<std::int64_t>(), flat_N.const_data_ptr<std::int64_t>() + flat_N.numel());
    }
    return ids;
}

/// What one id stands for. Spaces at its ends are left out: whether a decoder keeps the first one is a matter of the file, not of the vocabulary.
std::string meaning(const text::Tokenizer &tokenizer, std::int64_t id)
{
    if (id >= tokenizer.vocabSize())      // padding of the vocabulary
        return {};
    const auto one = static_cast<text::TokenId>(id);
    const std::string text = tokenizer.decode(std::span(&one, 1));
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? std::string() : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

[[noreturn]] void refuse(const std::string &why)
{
    throw Error(ErrorCode::Usage, "the teacher has other tokens than the model: " + why + "; name a teacher with the model's own tokenizer, or leave it out");
}

}  // namespace

void checkSharedVocabulary(const std::vector<distillation::Batch> &heldOut, const checkpoint::ModelFiles &model, const checkpoint::ModelFiles &teacher)
{
    const std::set<std::int64_t> ids = idsIn(heldOut);
    if (!ids.empty() && *ids.rbegin() >= teacher.config.vocabSize)
        refuse("it has " + std::to_string(teacher.config.vocabSize) + ", and the held-out data holds id " + std::to_string(*ids.rbegin()));
    if (model.tokenizerPath.empty() || teacher.tokenizerPath.empty())
        return;
    const auto own = tokenizerOf(model), other = tokenizerOf(teacher);
    std::vector<std::int64_t> differing;
    std::copy_if(ids.begin(), ids.end(), std::back_inserter(differing), [&](std::int64_t id) { return meaning(*own, id) != meaning(*other, id); });
    if (static_cast<double>(differing.size()) > forgivenShare * static_cast<double>(ids.size()))
        refuse("id " + std::to_string(differing.front()) + " is \"" + shownName(meaning(*own, differing.front())) + "\" to the model and \"" + shownName(meaning(*other, differing.front())) + "\" to the teacher");
}

}  // namespace stillroom::procedures
