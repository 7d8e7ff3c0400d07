// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/documentrows.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace stillroom::calibration {

namespace {

constexpr std::int64_t blockElements = std::int64_t{1} << 19;
constexpr std::int64_t leastRows = 32;
constexpr double never = -std::numeric_limits<double>::infinity();

}  // namespace

at::Tensor Document::of(const at::Tensor &x, std::int64_t dim) const
{
    return contiguous ? x.narrow(dim, first, count) : x.index_select(dim, index_N);
}

std::vector<Document> documentsOf(const nn::TokenPlaces &places, std::int64_t numTokens, at::Device device)
{
    if (!places.documents_BT.defined())
        return {{at::arange(numTokens, at::TensorOptions(at::kLong).device(device)), 0, numTokens, true}};
    const at::Tensor ids_T = places.documents_BT.flatten().to(at::kCPU, at::kLong).contiguous();
    const std::int64_t *ids = ids_T.const_data_ptr<std::int64_t>();
    std::map<std::int64_t, std::vector<std::int64_t>> tokens;
    for (std::int64_t t = 0; t < numTokens; ++t)
        if (ids[t] >= 0)
            tokens[ids[t]].push_back(t);
    std::vector<Document> documents;
    for (const auto &[id, at_N] : tokens) {
        const auto count = static_cast<std::int64_t>(at_N.size());
        documents.push_back({at::tensor(at_N, at::TensorOptions(at::kLong)).to(device), at_N.front(), count, at_N.back() - at_N.front() + 1 == count});
    }
    return documents;
}

DocumentRows::DocumentRows(const nn::SoftmaxMixer &mixer, const Document &document, const nn::SoftmaxMixer::Qkv &qkv, at::ScalarType type)
    : m_heads(mixer.options().numHeads), m_groups(mixer.options().numKvHeads), m_count(document.count), m_index_N(document.index_N)
{
    m_q_HNK = document.of(qkv.q_BHTK[0], 1).to(type) / std::sqrt(static_cast<double>(mixer.options().headDim));
    m_k_GKN = document.of(qkv.k_BGTK[0], 1).to(type).transpose(1, 2).contiguous();
    m_v_GNV = document.of(qkv.v_BGTK[0], 1).to(type).contiguous();
    const std::int64_t window = mixer.options().slidingWindow;
    if (window > 0)
        m_firstSeen_N = at::searchsorted(m_index_N, m_index_N - (window - 1));
}

std::int64_t DocumentRows::rowsPerBlock() const
{
    return std::clamp(blockElements / (m_heads * m_count), std::min(leastRows, m_count), m_count);
}

at::Tensor DocumentRows::scores(std::int64_t first, std::int64_t count) const
{
    return at::matmul(grouped(m_q_HNK.narrow(1, first, count)), m_k_GKN.narrow(2, 0, first + count)).view({m_heads, count, first + count});
}

at::Tensor DocumentRows::visible(std::int64_t first, std::int64_t count) const
{
    const at::Tensor key_S = at::arange(first + count, m_index_N.options()), row_R1 = key_S.narrow(0, first, count).unsqueeze(1);
    const at::Tensor before = key_S <= row_R1;
    return m_firstSeen_N.defined() ? before.logical_and(key_S >= m_firstSeen_N.narrow(0, first, count).unsqueeze(1)) : before;
}

at::Tensor DocumentRows::probabilities(std::int64_t first, std::int64_t count) const
{
    at::Tensor scores_HRS = scores(first, count);
    if (m_firstSeen_N.defined())
        scores_HRS.masked_fill_(visible(first, count).logical_not_(), never);
    else   // later keys stand in the last square only
        scores_HRS.narrow(2, first, count).masked_fill_(at::ones({count, count}, m_index_N.options().dtype(at::kBool)).triu_(1), never);
    return at::softmax(scores_HRS, -1);
}

at::Tensor DocumentRows::weighted(const at::Tensor &weights_HRS) const
{
    return at::matmul(grouped(weights_HRS), m_v_GNV.narrow(1, 0, weights_HRS.size(2))).view({m_heads, weights_HRS.size(1), -1});
}

at::Tensor DocumentRows::keysSeen(std::int64_t first, std::int64_t count, std::int64_t dropped) const
{
    const at::Tensor row_R = at::arange(first, first + count, m_index_N.options());
    at::Tensor start_R = at::full_like(row_R, dropped);
    if (m_firstSeen_N.defined())
        start_R = at::maximum(start_R, m_firstSeen_N.narrow(0, first, count));
    return (row_R - start_R + 1).clamp_min(0).to(at::kDouble);
}

}  // namespace stillroom::calibration
