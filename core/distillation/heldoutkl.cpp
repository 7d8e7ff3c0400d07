// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/heldoutkl.h"

#include "distillation/batchplaces.h"
#include "error.h"
#include "nn/torcherror.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <ATen/Context.h>

namespace stillroom::distillation {
namespace {

void refuseTf32(at::Device device)
{
    if (device.is_cuda() && at::globalContext().allowTF32CuBLAS())
        throw Error(ErrorCode::Usage, "Held-out KL needs full float32 matmuls, but TF32 is on; switch it off for this process.");
}

/// \param first  of the rows' sequences, in the whole set: names them in the error.
HeldOutKl meansOfRows(const at::Tensor &sum_B, const at::Tensor &tokens_B, std::int64_t first)
{
    HeldOutKl means;
    for (std::int64_t row = 0; row < sum_B.size(0); ++row) {
        const auto tokens = tokens_B[row].item<std::int64_t>();
        const double kl = sum_B[row].item<double>() / static_cast<double>(tokens);
        if (!std::isfinite(kl))
            throw Error(ErrorCode::NonFinite, "The held-out KL of sequence " + std::to_string(first + row) + " is not finite; the student diverged.");
        means.klNats.push_back(kl);
        means.tokens.push_back(tokens);
    }
    return means;
}

}  // namespace

double HeldOutKl::mean() const
{
    return klNats.empty() ? 0.0 : std::accumulate(klNats.begin(), klNats.end(), 0.0) / static_cast<double>(klNats.size());
}

double HeldOutKl::se() const
{
    const auto n = static_cast<double>(klNats.size());
    if (klNats.size() < 2)
        return std::numeric_limits<double>::quiet_NaN();
    const double average = mean();
    double squares = 0.0;
    for (const double kl : klNats)
        squares += (kl - average) * (kl - average);
    return std::sqrt(squares / (n - 1.0) / n);
}

std::int64_t HeldOutKl::totalTokens() const { return std::accumulate(tokens.begin(), tokens.end(), std::int64_t{0}); }

void HeldOutKl::append(const HeldOutKl &more)
{
    klNats.insert(klNats.end(), more.klNats.begin(), more.klNats.end());
    tokens.insert(tokens.end(), more.tokens.begin(), more.tokens.end());
}

HeldOutKl pairedDifference(const HeldOutKl &a, const HeldOutKl &b)
{
    if (a.tokens != b.tokens || a.klNats.size() != b.klNats.size())
        throw Error(ErrorCode::Usage, "Two students can only be compared on the same held-out sequences.");
    HeldOutKl difference = a;
    for (std::size_t i = 0; i < a.klNats.size(); ++i)
        difference.klNats[i] = a.klNats[i] - b.klNats[i];
    return difference;
}

std::int64_t mostWaiting(std::int64_t bytes, const HeldOutOptions &options)
{
    return std::max<std::int64_t>(1, options.waitingBytes / std::max<std::int64_t>(1, bytes));
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

HeldOutKl HeldOutSet::measure(const nn::Transformer &student) const { return std::move(measure({&student, 1}).front()); }

std::vector<HeldOutKl> HeldOutSet::measure(std::span<const nn::Transformer> students) const
{
    const at::NoGradGuard noGrad;
    std::vector<HeldOutKl> results(students.size());
    nn::ForwardOptions options;
    options.stop = m_options.stop;
    for (std::size_t index = 0; index < m_batches.size(); ++index) {
        StudentsOnBatch together(*this, index);
        for (std::size_t i = 0; i < students.size(); ++i)
            together.add(results[i], students[i].forward(m_batches[index].ids_BT, places(index), m_options.computeType, options).hidden_BTD, students[i].head_VD);
        together.finish();
    }
    return results;
}

std::vector<HeldOutKl> HeldOutSet::measureBatch(std::size_t index, std::span<const Head> students) const
{
    return nn::asStillroomError("The held-out KL", [&] {
        const Head teacher{teacherHidden(index), m_teacher.head_VD};
        refuseTf32(teacher.hidden_ND.device());
        const at::Tensor counted_BT = countedTokens(m_batches.at(index)), tokens_B = counted_BT.sum(1);
        std::vector<HeldOutKl> measured;
        for (const at::Tensor &kl_N : klPerToken(teacher, students, counted_BT, m_options.headBudgetBytes, m_options.stop))
            measured.push_back(meansOfRows(kl_N.reshape(counted_BT.sizes()).sum(1).to(at::kCPU), tokens_B, firstSequence(index)));
        return measured;
    });
}

std::int64_t HeldOutSet::firstSequence(std::size_t index) const
{
    std::int64_t before = 0;
    for (std::size_t i = 0; i < index; ++i)
        before += m_batches[i].ids_BT.size(0);
    return before;
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

void StudentsOnBatch::add(HeldOutKl &into, const at::Tensor &hidden_BTD, const at::Tensor &head_VD)
{
    if (std::ssize(m_waiting) >= mostWaiting(static_cast<std::int64_t>(hidden_BTD.nbytes()), m_set.options()))
        finish();
    m_into.push_back(&into);
    m_waiting.push_back({hidden_BTD, head_VD});
}

void StudentsOnBatch::finish()
{
    if (m_waiting.empty())
        return;
    const std::vector<HeldOutKl> measured = m_set.measureBatch(m_index, m_waiting);
    for (std::size_t i = 0; i < measured.size(); ++i)
        m_into[i]->append(measured[i]);
    m_headEvaluations += 1 + static_cast<std::int64_t>(m_waiting.size());
    m_into.clear();
    m_waiting.clear();
}

}  // namespace stillroom::distillation
