// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>

#include <ATen/core/Tensor.h>

/// The one linear recurrence behind every linear mixer.
///
///     S_t = diag(exp g_t) S_{t-1} + k_t v_t^T + b_t (a_t^T S_{t-1})        S in R^{K x V}, one per batch row and head
///     o_t = S_t^T q_t      (Read::AfterWrite)     or     S_{t-1}^T q_t     (Read::BeforeWrite)
///
/// Shape legend: B batch, T tokens, H heads, K key channels, V value channels, C chunk length, N chunks.
namespace stillroom::recurrence {

enum class Read { AfterWrite, BeforeWrite };

/// What drives the recurrence. No scale, norm or activation is applied here: q comes scaled, keys normalised.
struct Inputs {
    at::Tensor q_BTHK, k_BTHK;
    at::Tensor v_BTHV;
    at::Tensor g;                 ///< log decay <= 0, natural log, fp32 or fp64: [B,T,H] (scalar per head), [B,T,H,K] (per channel), or undefined (no decay). Never clamped.
    at::Tensor a_BTHK;            ///< erase direction; undefined: additive recurrence
    at::Tensor b_BTHK;            ///< write-back direction; undefined while `a` is defined: b = k (delta rules; cheaper, no separate scores)
    at::Tensor initialState_BHKV; ///< undefined: zero
    at::Tensor documents_BT;      ///< int64: tokens with different ids never meet, -1 is padding (leaves the state alone, reads zero). Undefined: one document. Ids are constant on contiguous runs (padding may interrupt one)
    Read read = Read::AfterWrite;
};

struct Options {
    int chunkLength = 64;
    std::stop_token stop{};       ///< read between chunks; throws Error(Cancelled)
};

struct Outputs {
    at::Tensor o_BTHV;            ///< in the type of v
    at::Tensor finalState_BHKV;   ///< fp32 (fp64 for fp64 inputs): the state after the last token that is not padding (of the last document)
};

/// Chunked form with a hand-written backward (one autograd Function for all inputs incl. the initial state; gradients also flow from finalState).
/// Cost linear in T; keeps per-chunk states only, recomputes the rest. Decay, state and triangular solve in fp32 (fp64 for fp64 inputs);
/// bf16 inputs use bf16 matmuls on CUDA.
/// \throws Error(Usage) naming the argument whose shape or type does not fit; Error(Cancelled); Error(NonFinite) on the CPU where finite inputs overflow:
/// keys of a delta rule that were not normalised, which it names.
[[nodiscard]] Outputs chunked(const Inputs &inputs, const Options &options = {});

/// One token for decoding; the same inputs with T = 1. Returns o and writes the new state in place into `state_BHKV` (fp32). No autograd.
[[nodiscard]] at::Tensor step(const Inputs &inputs, at::Tensor &state_BHKV);

/// The causal map M with o = M v when the initial state is zero: [B,H,T,T], differentiable (plain autograd), memory T^2.
[[nodiscard]] at::Tensor matrix(const Inputs &inputs);

/// Bytes that `chunked` keeps between forward and backward, per token and head (for memory estimates).
[[nodiscard]] double savedBytesPerTokenHead(std::int64_t keyDim, std::int64_t valueDim, const Inputs &shape, const Options &options = {});

}  // namespace stillroom::recurrence
