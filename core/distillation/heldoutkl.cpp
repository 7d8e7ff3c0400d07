// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/heldoutkl.h"

#include "distillation/batchplaces.h"
#include "distillation/klhead.h"
#include "error.h"
#include "nn/torcherror.h"

#include <cmath>
#include <numeric>

#include <ATen/ATen.h>
#include <ATen/Context.h>

namespace stillroom::distillation {
namespace {

void refuseTf32(at::Device device)
{
    if (device.is_cuda() && at::globalContext().allowTF32CuBLAS())
        throw Error(ErrorCode::Usage, "Held-out KL needs full float32 matmuls, but TF32 is on; switch it off for this process.");
}

std::string sequenceName(const HeldOutKl &into, std::int64_t row) { return std::to_string(static_cast<std::int64_t>(into.klNats.size()) + row); }

}  // namespace

double HeldOutKl::mean() const
{
    return klNats.empty() ? 0.0 : std::accumulate(klNats.begin(), klNats.end(), 0.0) / static_cast<double>(klNats.size());
}

double HeldOutKl::se() const
{
    const auto n = static_cast<double>(klNats.size());
    if (klNats.size() < 2)
        return 0.0;
    const double average = mean();
    double squares = 0.0;
    for (const double kl : klNats)
        squares += (kl - average) * (kl - average);
    return std::sqrt(squares / (n - 1.0) / n);
}

std::int64_t HeldOutKl::totalTokens() const { return std::accumulate(tokens.begin(), tokens.end(), std::int64_t{0}); }

HeldOutKl pairedDifference(const HeldOutKl &a, const HeldOutKl &b)
{
    if (a.tokens != b.tokens || a.klNats.size() != b.klNats.size())
        throw Error(ErrorCode::Usage, "Two students can only be compared on the same held-out sequences.");
    HeldOutKl difference = a;
    for (std::size_t i = 0; i < a.klNats.size(); ++i)
        difference.klNats[i] = a.klNats[i] - b.klNats[i];
    return difference;
}

HeldOutSet::HeldOutSet(const nn::Transformer &teacher, std::vector<Batch> batches, HeldOutOptions options)
    : m_teacher(teacher), m_batches(std::move(batches)), m_options(std::move(options))
{
    if (m_batches.empty())
        throw Error(ErrorCode::Usage, "The held-out set is empty; give it at least one sequence.");
    std::int64_t keptBytes = 0;
    for (std::size_t i = 0; i < m_batches.size(); ++i) {
        checkBatch(m_batches[i], m_teacher.embedding_VD.size(0));
        if (!countedTokens(m_batches[i]).any(1).all().item<bool>())
            throw Error(ErrorCode::Usage, "A held-out sequence has no token that counts; leave it out.");
        const at::Tensor hidden_BTD = teacherHidden(i);
        keptBytes += static_cast<std::int64_t>(hidden_BTD.nbytes());
        m_hidden_BTD.push_back(keptBytes <= m_options.keepBytes ? hidden_BTD : at::Tensor());
    }
}

nn::TokenPlaces HeldOutSet::places(std::size_t index) const
{
    return placesOf(m_batches.at(index), m_teacher.device());
}

at::Tensor HeldOutSet::teacherHidden(std::size_t index) const
{
    if (index < m_hidden_BTD.size() && m_hidden_BTD[index].defined())
        return m_hidden_BTD[index];
    const at::NoGradGuard noGrad;
    nn::ForwardOptions options;
    options.stop = m_options.stop;
    const at::Tensor hidden_BTD = m_teacher.forward(m_batches[index].ids_BT, places(index), m_options.computeType, options).hidden_BTD;
    const at::Tensor counted_BT = countedTokens(m_batches[index]).to(hidden_BTD.device());
    if (!hidden_BTD.isfinite().all(-1).logical_or(counted_BT.logical_not()).all().item<bool>())
        throw Error(ErrorCode::NonFinite, "The teacher's hidden states on held-out batch " + std::to_string(index) + " are not finite; check the teacher, or compute in float32.");
    return hidden_BTD;
}

HeldOutKl HeldOutSet::measure(const nn::Transformer &student) const
{
    const at::NoGradGuard noGrad;
    HeldOutKl result;
    nn::ForwardOptions options;
    options.stop = m_options.stop;
    for (std::size_t i = 0; i < m_batches.size(); ++i)
        append(result, i, student.forward(m_batches[i].ids_BT, places(i), m_options.computeType, options).hidden_BTD, student.head_VD);
    return result;
}

void HeldOutSet::append(HeldOutKl &into, std::size_t index, const at::Tensor &hidden_BTD, const at::Tensor &head_VD) const
{
    nn::asStillroomError("The held-out KL", [&] {
        refuseTf32(hidden_BTD.device());
        const at::NoGradGuard noGrad;
        const Batch &batch = m_batches.at(index);
        const at::Tensor counted_BT = countedTokens(batch);
        const at::Tensor kl_N = klPerToken({teacherHidden(index), m_teacher.head_VD}, {hidden_BTD, head_VD}, counted_BT, m_options.headBudgetBytes, m_options.stop);
        const at::Tensor sum_B = kl_N.reshape(batch.ids_BT.sizes()).sum(1).to(at::kCPU), tokens_B = counted_BT.sum(1);
        HeldOutKl added;
        for (std::int64_t row = 0; row < sum_B.size(0); ++row) {
            const auto tokens = tokens_B[row].item<std::int64_t>();
            const double kl = sum_B[row].item<double>() / static_cast<double>(tokens);
            if (!std::isfinite(kl))
                throw Error(ErrorCode::NonFinite, "The held-out KL of sequence " + sequenceName(into, row) + " is not finite; the student diverged.");
            added.klNats.push_back(kl);
            added.tokens.push_back(tokens);
        }
        into.klNats.insert(into.klNats.end(), added.klNats.begin(), added.klNats.end());
        into.tokens.insert(into.tokens.end(), added.tokens.begin(), added.tokens.end());
    });
}

std::int64_t HeldOutSet::numSequences() const
{
    return std::accumulate(m_batches.begin(), m_batches.end(), std::int64_t{0}, [](std::int64_t sum, const Batch &batch) { return sum + batch.ids_BT.size(0); });
}

std::int64_t HeldOutSet::keptBytes() const
{
    return std::accumulate(m_hidden_BTD.begin(), m_hidden_BTD.end(), std::int64_t{0},
                           [](std::int64_t sum, const at::Tensor &hidden) { return sum + (hidden.defined() ? static_cast<std::int64_t>(hidden.nbytes()) : 0); });
}

}  // namespace stillroom::distillation
