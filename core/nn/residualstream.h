// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/transformer.h"

#include <cstddef>
#include <stop_token>

namespace stillroom::nn {

/// What one layer's mixer read and wrote.
struct MixerValues {
    at::Tensor x_BTD;      ///< its normed input
    at::Tensor y_BTD;      ///< after the output projection
};

/// The residual stream of one batch on its way up through a model of which nothing is changed (teacher forcing). Layers are asked for in ascending order, each block runs once.
/// Refers to the model.
class ResidualStream final {
public:
    /// \param ids_BT int64, on any device. \param computeType as Transformer::forward's. \param stop  read at every layer; Error(Cancelled)
    ResidualStream(const Transformer &model, const at::Tensor &ids_BT, TokenPlaces places, at::ScalarType computeType, std::stop_token stop = {});
    /// Runs on through `layer`. \throws Error(Usage) for a layer that it has passed, or that the model does not have
    [[nodiscard]] MixerValues through(std::size_t layer);
    [[nodiscard]] const TokenPlaces &places() const { return m_places; }

private:
    const Transformer *m_model;
    TokenPlaces m_places;
    std::stop_token m_stop;
    at::Tensor m_h_BTD;           ///< before block m_next
    std::size_t m_next = 0;
};

}  // namespace stillroom::nn
