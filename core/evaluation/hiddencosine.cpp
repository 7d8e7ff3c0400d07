// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/hiddencosine.h"

#include "error.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace stillroom::evaluation {
namespace {

/// Per sequence: the mean over its counted tokens of cos(a, b).
std::vector<double> meanCosines(const at::Tensor &a_BTD, const at::Tensor &b_BTD, const at::Tensor &counted_BT, const std::string &place)
{
    const at::Tensor a = a_BTD.to(at::kDouble), b = b_BTD.to(at::kDouble);
    const at::Tensor cosine_BT = (a * b).sum(-1) / (a.norm(2, -1) * b.norm(2, -1)).clamp_min(1e-300);
    // Padding may hold anything: it is left out by choice, not multiplied by zero.
    const at::Tensor mean_B = (at::where(counted_BT, cosine_BT, at::zeros({}, cosine_BT.options())).sum(1) / counted_BT.sum(1)).to(at::kCPU).contiguous();
    std::vector<double> means(mean_B.const_data_ptr<double>(), mean_B.const_data_ptr<double>() + mean_B.numel());
    for (const double mean : means)
        if (!std::isfinite(mean))
            throw Error(ErrorCode::NonFinite, "The hidden states after " + place + " are not finite; the student diverged, or compute in float32.");
    return means;
}

void checkComparable(const nn::Transformer &teacher, const nn::Transformer &student, const at::Tensor &counted_BT)
{
    if (teacher.blocks.size() != student.blocks.size() || teacher.embedding_VD.size(1) != student.embedding_VD.size(1))
        throw Error(ErrorCode::Usage, "Hidden states can only be compared between models of the same depth and width.");
    if (!counted_BT.any(1).all().item<bool>())
        throw Error(ErrorCode::Usage, "A sequence has no token that counts; leave it out.");
}

void appendTo(std::vector<double> &sequences, const std::vector<double> &more) { sequences.insert(sequences.end(), more.begin(), more.end()); }

}  // namespace

void HiddenCosines::append(const HiddenCosines &more)
{
    afterBlock.resize(std::max(afterBlock.size(), more.afterBlock.size()));
    for (std::size_t layer = 0; layer < more.afterBlock.size(); ++layer)
        appendTo(afterBlock[layer], more.afterBlock[layer]);
    appendTo(final, more.final);
}

HiddenCosines hiddenCosines(const nn::Transformer &teacher, const nn::Transformer &student, const at::Tensor &ids_BT, const nn::TokenPlaces &places,
                            const at::Tensor &counted_BT, at::ScalarType computeType, const std::stop_token &stop)
{
    checkComparable(teacher, student, counted_BT);
    return nn::asStillroomError("Comparing hidden states", [&] {
        const at::NoGradGuard noGrad;
        nn::ForwardOptions options;
        options.stop = stop;
        const at::Tensor ids = ids_BT.to(teacher.device()), counted = counted_BT.to(teacher.device());
        at::Tensor t_BTD = teacher.embed(ids, computeType), s_BTD = student.embed(ids, computeType);
        HiddenCosines cosines;
        for (std::size_t layer = 0; layer < teacher.blocks.size(); ++layer) {
            t_BTD = teacher.runBlocks(t_BTD, places, layer, layer + 1, options);
            s_BTD = student.runBlocks(s_BTD, places, layer, layer + 1, options);
            cosines.afterBlock.push_back(meanCosines(t_BTD, s_BTD, counted, "layer " + std::to_string(layer)));
        }
        cosines.final = meanCosines(teacher.normFinal(t_BTD), student.normFinal(s_BTD), counted, "the final norm");
        return cosines;
    });
}

}  // namespace stillroom::evaluation
