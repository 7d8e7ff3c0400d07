// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/kvcache.h"

#include "error.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace stillroom::nn {

KvCache::KvCache(const Shape &shape, at::TensorOptions options)
    : m_shape(shape)
{
    m_k_BGSK = at::empty({shape.batch, shape.kvHeads, shape.capacity(), shape.headDim}, options);
    m_v_BGSK = at::empty_like(m_k_BGSK);
}

std::int64_t KvCache::filled() const
{
    return std::min(m_numTokens, m_shape.capacity());
}

KvCache::Keys KvCache::filledKeys() const
{
    Keys keys;
    keys.k_BGSK = m_k_BGSK.narrow(2, 0, filled());
    keys.v_BGSK = m_v_BGSK.narrow(2, 0, filled());
    if (m_documents_BS.defined()) {
        keys.documents_BS = m_documents_BS.narrow(1, 0, filled());
    }
    return keys;
}

/// Writes the last tokens that fit, each into its slot.
void KvCache::write(const at::Tensor &k_BGTK, const at::Tensor &v_BGTK, const at::Tensor &documents_BT)
{
    const std::int64_t capacity = m_shape.capacity(), numNew = k_BGTK.size(2);
    std::int64_t token = std::max<std::int64_t>(0, numNew - capacity);
    while (token < numNew) {
        const std::int64_t slot = (m_numTokens + token) % capacity;
        const std::int64_t run = std::min(numNew - token, capacity - slot);
        m_k_BGSK.narrow(2, slot, run).copy_(k_BGTK.narrow(2, token, run));
        m_v_BGSK.narrow(2, slot, run).copy_(v_BGTK.narrow(2, token, run));
        if (m_documents_BS.defined()) {
            m_documents_BS.narrow(1, slot, run).copy_(documents_BT.narrow(1, token, run));
        }
        token += run;
    }
    m_numTokens += numNew;
}

KvCache::Keys KvCache::append(const at::Tensor &k_BGTK, const at::Tensor &v_BGTK, const at::Tensor &documents_BT)
{
    const std::int64_t numNew = k_BGTK.size(2), before = m_numTokens, capacity = m_shape.capacity();
    const bool ring = capacity < m_shape.maxTokens;
    if (k_BGTK.size(0) != m_shape.batch || (!ring && before + numNew > capacity)) {
        throw Error(ErrorCode::Usage, "The decode state was made for " + std::to_string(m_shape.batch) + " rows of " + std::to_string(m_shape.maxTokens) + " tokens and cannot take "
                                          + std::to_string(numNew) + " more after " + std::to_string(before) + " in " + std::to_string(k_BGTK.size(0)) + " rows: make a larger one.");
    }
    at::Tensor documents = documents_BT;
    if (documents.defined() && !m_documents_BS.defined()) {
        m_documents_BS = at::zeros({m_shape.batch, capacity}, documents.options());   // the tokens so far are one document
    } else if (!documents.defined() && m_documents_BS.defined()) {
        documents = at::zeros({m_shape.batch, numNew}, m_documents_BS.options());
    }
    if (before + numNew <= capacity || numNew == 1) {
        write(k_BGTK, v_BGTK, documents);
        Keys keys = filledKeys();
        keys.firstQuery = before;
        return keys;
    }
    Keys keys;
    keys.k_BGSK = k_BGTK;
    keys.v_BGSK = v_BGTK;
    keys.documents_BS = documents;
    if (before > 0) {
        // Oldest first: the queries of this call see different parts of the window before it.
        const at::Tensor slots = at::arange(before - filled(), before, at::TensorOptions(at::kLong).device(k_BGTK.device())).remainder(capacity);
        keys.k_BGSK = at::cat({m_k_BGSK.index_select(2, slots), k_BGTK}, 2);
        keys.v_BGSK = at::cat({m_v_BGSK.index_select(2, slots), v_BGTK}, 2);
        if (documents.defined()) {
            keys.documents_BS = at::cat({m_documents_BS.index_select(1, slots), documents}, 1);
        }
    }
    keys.firstKey = before - filled();
    keys.firstQuery = before;
    write(k_BGTK, v_BGTK, documents);
    return keys;
}

std::unique_ptr<LayerState> KvCache::clone() const
{
    auto copy = std::make_unique<KvCache>(*this);
    copy->m_k_BGSK = m_k_BGSK.clone();
    copy->m_v_BGSK = m_v_BGSK.clone();
    if (m_documents_BS.defined()) {
        copy->m_documents_BS = m_documents_BS.clone();
    }
    return copy;
}

std::int64_t KvCache::sizeBytes() const
{
    const auto bytes = m_k_BGSK.nbytes() + m_v_BGSK.nbytes() + (m_documents_BS.defined() ? m_documents_BS.nbytes() : 0);
    return static_cast<std::int64_t>(bytes);
}

std::vector<std::pair<std::string, at::Tensor>> KvCache::tensors() const
{
    const Keys keys = filledKeys();
    std::vector<std::pair<std::string, at::Tensor>> named = {{"k", keys.k_BGSK}, {"v", keys.v_BGSK}, {"num_tokens", at::scalar_tensor(m_numTokens, at::TensorOptions(at::kLong))}};
    if (keys.documents_BS.defined()) {
        named.emplace_back("documents", keys.documents_BS);
    }
    return named;
}

}  // namespace stillroom::nn
