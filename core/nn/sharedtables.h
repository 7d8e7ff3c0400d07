// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/rope.h"
#include "nn/tokenmixer.h"

#include <mutex>

namespace stillroom::nn {

/// Which keys a query may see, as what attention adds to its scores: 0 where it may, -inf where not. [B or 1, 1, T, S].
/// Query t stands at index firstQuery + t, key s at index firstKey + s; it sees s ≤ t, within the same document, and less than `window` back.
/// \param queryDocuments_BT, keyDocuments_BS  int64, or both undefined. \param window  tokens including self; 0: no limit.
struct MaskSpec {
    std::int64_t numQueries = 0, numKeys = 0;
    std::int64_t firstQuery = 0, firstKey = 0;
    std::int64_t window = 0;
    at::Tensor queryDocuments_BT, keyDocuments_BS;
};
[[nodiscard]] at::Tensor attentionMask(const MaskSpec &spec, at::Device device, at::ScalarType type);

/// What the layers of one forward share: made on first use, kept until the forward's last holder lets go.
class SharedTables final {
public:
    /// The rotary table for `places`; shared between equal `rope` objects only.
    [[nodiscard]] RotaryTable rotary(const std::shared_ptr<const RotaryEmbedding> &rope, const TokenPlaces &places, at::ScalarType type);
    /// The mask of whole sequences; undefined where plain causal attention says the same.
    [[nodiscard]] at::Tensor mask(const TokenPlaces &places, std::int64_t window, at::ScalarType type);

private:
    struct Table {
        std::shared_ptr<const RotaryEmbedding> rope;
        at::Tensor positions_BT;
        at::ScalarType type;
        RotaryTable table;
    };
    struct Mask {
        at::Tensor documents_BT;
        std::int64_t window;
        at::ScalarType type;
        at::Tensor mask;
    };
    std::mutex m_mutex;
    std::vector<Table> m_tables;
    std::vector<Mask> m_masks;
};

/// `places.shared`'s tables, or made anew where it has none.
[[nodiscard]] RotaryTable rotaryTable(const std::shared_ptr<const RotaryEmbedding> &rope, const TokenPlaces &places, at::ScalarType type);
[[nodiscard]] at::Tensor sequenceMask(const TokenPlaces &places, std::int64_t window, at::ScalarType type);

}  // namespace stillroom::nn
