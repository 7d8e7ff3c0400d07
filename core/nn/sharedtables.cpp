// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/sharedtables.h"

#include <ATen/ATen.h>

#include <limits>

namespace stillroom::nn {

namespace {

at::Tensor makeSequenceMask(const TokenPlaces &places, std::int64_t window, at::ScalarType type)
{
    const std::int64_t numTokens = places.positions_BT.size(1);
    const std::int64_t reach = window < numTokens ? window : 0;
    if (!places.documents_BT.defined() && reach == 0) {
        return {};
    }
    return attentionMask({numTokens, numTokens, 0, 0, reach, places.documents_BT, places.documents_BT}, places.positions_BT.device(), type);
}

}  // namespace

at::Tensor attentionMask(const MaskSpec &spec, at::Device device, at::ScalarType type)
{
    const auto integers = at::TensorOptions(at::kLong).device(device);
    const at::Tensor query_T1 = at::arange(spec.firstQuery, spec.firstQuery + spec.numQueries, integers).unsqueeze(1);
    const at::Tensor key_S = at::arange(spec.firstKey, spec.firstKey + spec.numKeys, integers);
    at::Tensor seen = key_S <= query_T1;
    if (spec.window > 0) {
        seen = seen.logical_and(key_S > query_T1 - spec.window);
    }
    if (spec.queryDocuments_BT.defined()) {
        seen = spec.queryDocuments_BT.unsqueeze(2).eq(spec.keyDocuments_BS.unsqueeze(1)).logical_and_(seen);
    } else {
        seen = seen.unsqueeze(0);
    }
    at::Tensor mask = at::zeros(seen.sizes(), at::TensorOptions(type).device(device));
    mask.masked_fill_(seen.logical_not(), -std::numeric_limits<double>::infinity());
    return mask.unsqueeze(1);
}

RotaryTable SharedTables::rotary(const std::shared_ptr<const RotaryEmbedding> &rope, const TokenPlaces &places, at::ScalarType type)
{
    const std::lock_guard lock(m_mutex);
    for (const Table &entry : m_tables) {
        if (entry.rope == rope && entry.type == type && entry.positions_BT.is_same(places.positions_BT)) {
            return entry.table;
        }
    }
    m_tables.push_back({rope, places.positions_BT, type, rope->table(places.positions_BT, type)});
    return m_tables.back().table;
}

at::Tensor SharedTables::mask(const TokenPlaces &places, std::int64_t window, at::ScalarType type)
{
    const std::lock_guard lock(m_mutex);
    for (const Mask &entry : m_masks) {
        if (entry.window == window && entry.type == type && entry.documents_BT.is_same(places.documents_BT)) {
            return entry.mask;
        }
    }
    m_masks.push_back({places.documents_BT, window, type, makeSequenceMask(places, window, type)});
    return m_masks.back().mask;
}

RotaryTable rotaryTable(const std::shared_ptr<const RotaryEmbedding> &rope, const TokenPlaces &places, at::ScalarType type)
{
    return places.shared ? places.shared->rotary(rope, places, type) : rope->table(places.positions_BT, type);
}

at::Tensor sequenceMask(const TokenPlaces &places, std::int64_t window, at::ScalarType type)
{
    return places.shared ? places.shared->mask(places, window, type) : makeSequenceMask(places, window, type);
}

}  // namespace stillroom::nn
