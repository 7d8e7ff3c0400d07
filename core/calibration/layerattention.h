// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/softmaxmixer.h"

#include <cstdint>
#include <limits>
#include <stop_token>
#include <vector>

/// What a teacher's attention does, and linear mixers that start from it (Taylor-Calibrate, arXiv 2606.16429).
/// Shape legend of this room: B batch, T tokens, D width, H heads, G key/value heads, K key channels, V value channels, R rows (queries) of a block, S keys,
/// N tokens that count. Everything is per query head; grouped key/value heads are read by whole heads.
namespace stillroom::calibration {

/// A mean with the standard error that sequences as independent draws give it (ratio estimator: long sequences weigh more); NaN for a single sequence.
struct Estimate {
    double value = 0.0;
    double standardError = std::numeric_limits<double>::quiet_NaN();
};

struct AttentionOptions {
    /// Keys at the beginning of every document that are taken out, the rest of each row renormalised; rows without another key do not count.
    /// Sinks at the first tokens otherwise make d̄ measure the length of the text. Sink mass, context and output are never affected. 0 … 1024
    std::int64_t droppedKeys = 0;
    bool lagHistogram = true;
    bool context = true;              ///< contexts and outputs too; false leaves their RMS at 0
};

/// One query head. A is its attention, renormalised where keys are dropped; t and s count the tokens of their document, without padding.
/// Means run over the rows (queries) t, all documents of all sequences with equal weight.
struct HeadAttention {
    Estimate meanDistanceTokens;       ///< d̄: Σ_s A_ts max(t − s, ½), not clamped; token; ½ … (T−1)/2 (above by what uniform attention is below)
    Estimate distanceVersusUniform;    ///< d̄ over that of uniform attention on the same rows; 0 … 2, above 1 points to a sink
    Estimate sinkMass;                 ///< mass on the first token of the document, before keys are dropped; 0 … 1
    Estimate entropyNats;              ///< E: −Σ_s A_ts ln A_ts; 0 … ln(T!)/T
    Estimate relativeEntropy;          ///< the same over ln(keys seen), rows that see one key left out; 0 … 1
    double concentration = 1.0;        ///< c: 1 − (E − min E) / max(max E − min E, 1e-3) over the layer's heads; 1: most peaked
    Estimate contextRms;               ///< mean over rows of √(mean_j y²), y = Σ_s A_ts v_s before the output projection
    Estimate contextSquare;            ///< mean over rows and channels of y²
    Estimate outputRms;                ///< RMS over rows and width of what the head adds to the layer's output, through its columns of W_o
    std::vector<double> lagShare;          ///< share of the mass at the lags t − s of each bin (headbins.h); sums to 1
    std::vector<double> entropyByPosition; ///< mean E of the rows t of each bin (headbins.h), nats; NaN where there was no row
};

struct LayerAttention {
    int layer = 0;
    std::int64_t numSequences = 0;
    std::int64_t numTokens = 0;        ///< rows, before any is left out
    std::vector<HeadAttention> heads;
    /// ρ_T of Taylor-Calibrate: mean over rows and heads of the context's RMS.
    [[nodiscard]] double contextRms() const;
    /// √ of the mean square over rows, heads and channels.
    [[nodiscard]] double contextRootMeanSquare() const;
};

/// Concentration of each head from the entropies of one layer: 1 − (E − min) / max(max − min, leastSpreadNats). Equal entropies, or one head, give 1.
[[nodiscard]] std::vector<double> concentrations(const std::vector<double> &entropies_H, double leastSpreadNats = 1e-3);

/// Sums of one softmax layer, sequence by sequence, in float64: the same whatever sequences came together. Probabilities exist a block of rows at a time, so
/// that memory grows with the tokens of one sequence and not with their square.
class LayerAttentionSums final {
public:
    LayerAttentionSums(int layer, AttentionOptions options);

    /// Adds one sequence. Documents are taken apart and padding taken out beforehand, wherever it stands: it costs nothing and changes nothing.
    /// \param x_1TD  normed layer input; scores and probabilities are in fp32 (fp64 for fp64). \param places  complete, [1,T].
    /// \return the contexts y [1,T,H,V] in that type, zero at padding; undefined without AttentionOptions::context. \throws Error(Cancelled), with nothing added
    at::Tensor add(const nn::SoftmaxMixer &mixer, const at::Tensor &x_1TD, const nn::TokenPlaces &places, const std::stop_token &stop = {});
    /// All zero before the first sequence.
    [[nodiscard]] LayerAttention result() const;

private:
    int m_layer;
    AttentionOptions m_options;
    at::Tensor m_moments_5PH;          ///< per ratio: Σn, Σd, Σn², Σnd, Σd² over sequences
    at::Tensor m_lags_HL, m_entropies_HL, m_rows_HL;   ///< by bin
    std::int64_t m_numSequences = 0, m_numTokens = 0;
    double m_width = 1.0;
};

}  // namespace stillroom::calibration
