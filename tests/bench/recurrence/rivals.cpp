// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/rivals.h"

#include <limits>
#include <vector>

#include <ATen/ATen.h>

// Legend: L = B·H·N chunk-heads, P = B·H, N chunks, C = 64 rows, K key and V value channels.
namespace stillroom::bench {
namespace {

constexpr std::int64_t C = 64, blockRows = 16;

/// [B,T,H,D] to [P,N,C,D]
at::Tensor chunks(const at::Tensor &x_BTHD) {
    const auto B = x_BTHD.size(0), T = x_BTHD.size(1), H = x_BTHD.size(2);
    return x_BTHD.reshape({B, T / C, C, H, -1}).permute({0, 3, 1, 2, 4}).reshape({B * H, T / C, C, -1});
}

at::Tensor joined(const at::Tensor &o_PNCV, const at::Tensor &like) {
    const auto B = like.size(0), T = like.size(1), H = like.size(2);
    return o_PNCV.reshape({B, H, T / C, C, -1}).permute({0, 2, 3, 1, 4}).reshape({B, T, H, -1}).to(like.scalar_type());
}

at::Tensor causalMask(const at::Tensor &like, std::int64_t diagonal) {
    return at::ones({C, C}, like.options().dtype(at::kBool)).tril(diagonal);
}

/// Gated delta rule: M = strictly lower beta k·k Gamma, A = (I+M)^{-1}; then Vn = U - W S chunk after chunk. `a` and `k` carry beta and e^g.
at::Tensor gatedDeltaRule(const recurrence::Inputs &inputs) {
    const auto q = chunks(inputs.q_BTHK), k = chunks(inputs.k_BTHK), v = chunks(inputs.v_BTHV), a = chunks(inputs.a_BTHK);
    const auto g = chunks(inputs.g);  // [P,N,C,1]
    const auto G = g.cumsum(2), X = G - g, last = G.narrow(2, C - 1, 1);
    const auto minusInfinity = -std::numeric_limits<float>::infinity();
    const auto gamma = (G - G.transpose(2, 3)).masked_fill(causalMask(g, 0).logical_not(), minusInfinity).exp();
    const auto gammaBefore = (X - G.transpose(2, 3)).masked_fill(causalMask(g, -1).logical_not(), minusInfinity).exp();
    const auto kT = k.transpose(2, 3);
    const auto identity = at::eye(C, g.options());
    const auto inverse = at::linalg_solve_triangular(identity - at::matmul(a, kT).to(g.scalar_type()) * gammaBefore, identity.expand_as(gamma), false, true, true)
                             .to(v.scalar_type());
    const auto W = at::matmul(inverse, (a * X.exp()).to(v.scalar_type())), U = at::matmul(inverse, v);
    const auto writeT = (k * (last - G).exp()).to(v.scalar_type()).transpose(2, 3);
    const auto W_N = W.unbind(1), U_N = U.unbind(1), writeT_N = writeT.unbind(1), carry_N = last.exp().unbind(1);
    auto S = at::zeros({q.size(0), k.size(3), v.size(3)}, g.options());
    std::vector<at::Tensor> states, written;
    for (std::size_t n = 0; n < W_N.size(); ++n) {
        states.push_back(S.to(v.scalar_type()));
        written.push_back(U_N[n] + at::bmm(W_N[n], states.back()));
        S = S * carry_N[n] + at::bmm(writeT_N[n], written.back());
    }
    const auto scores = (at::matmul(q, kT) * gamma).to(v.scalar_type());
    const auto o = at::matmul((q * G.exp()).to(v.scalar_type()), at::stack(states, 1)) + at::matmul(scores, at::stack(written, 1));
    return joined(o, inputs.v_BTHV);
}

/// Scores with per-channel decay: 16-row blocks, pivot at the first row of the reading block, diagonal blocks column by column.
at::Tensor channelScores(const at::Tensor &q, const at::Tensor &k, const at::Tensor &G) {
    std::vector<at::Tensor> blockRowsOfScores;
    for (std::int64_t row = 0; row < C; row += blockRows) {
        const auto pivot = G.narrow(2, row, 1);
        const auto qRows = q.narrow(2, row, blockRows), GRows = G.narrow(2, row, blockRows), kRows = k.narrow(2, row, blockRows);
        std::vector<at::Tensor> columns;
        if (row > 0)
            columns.push_back(at::matmul(qRows * (GRows - pivot).exp(), (k.narrow(2, 0, row) * (pivot - G.narrow(2, 0, row)).exp()).transpose(2, 3)));
        for (std::int64_t column = 0; column < blockRows; ++column) {
            const auto difference = GRows.narrow(2, column, blockRows - column) - GRows.narrow(2, column, 1);
            const auto below = (qRows.narrow(2, column, blockRows - column) * kRows.narrow(2, column, 1) * difference.exp()).sum(3, true);
            columns.push_back(at::constant_pad_nd(below, {0, 0, column, 0}));
        }
        if (row + blockRows < C)
            columns.push_back(at::zeros({q.size(0), q.size(1), blockRows, C - row - blockRows}, G.options()));
        blockRowsOfScores.push_back(at::cat(columns, 3));
    }
    return at::cat(blockRowsOfScores, 2);
}

at::Tensor gatedLinearAttention(const recurrence::Inputs &inputs) {
    const auto q = chunks(inputs.q_BTHK), k = chunks(inputs.k_BTHK), v = chunks(inputs.v_BTHV);
    const auto G = chunks(inputs.g).cumsum(2), last = G.narrow(2, C - 1, 1);
    const auto increments_N = at::matmul((k * (last - G).exp()).to(v.scalar_type()).transpose(2, 3), v).unbind(1);
    const auto carry_N = last.exp().transpose(2, 3).unbind(1);
    auto S = at::zeros({q.size(0), k.size(3), v.size(3)}, G.options());
    std::vector<at::Tensor> states;
    for (std::size_t n = 0; n < increments_N.size(); ++n) {
        states.push_back(S.to(v.scalar_type()));
        S = S * carry_N[n] + increments_N[n];
    }
    const auto scores = channelScores(q, k, G).to(v.scalar_type());
    return joined(at::matmul((q * G.exp()).to(v.scalar_type()), at::stack(states, 1)) + at::matmul(scores, v), inputs.v_BTHV);
}

}  // namespace

at::Tensor eagerChunks(const recurrence::Inputs &inputs) {
    return inputs.a_BTHK.defined() ? gatedDeltaRule(inputs) : gatedLinearAttention(inputs);
}

at::Tensor tokenLoop(const recurrence::Inputs &inputs) {
    const auto q = inputs.q_BTHK.unbind(1), k = inputs.k_BTHK.unbind(1), v = inputs.v_BTHV.unbind(1);
    const auto decay = (inputs.g.dim() == 4 ? inputs.g.unsqueeze(4) : inputs.g.unsqueeze(3).unsqueeze(4)).exp().unbind(1);
    const auto a = inputs.a_BTHK.defined() ? inputs.a_BTHK.unbind(1) : std::vector<at::Tensor>{};
    auto S = at::zeros({q[0].size(0), q[0].size(1), q[0].size(2), v[0].size(2)}, inputs.g.options());
    std::vector<at::Tensor> outputs;
    for (std::size_t t = 0; t < q.size(); ++t) {
        const auto value = a.empty() ? v[t] : v[t] + at::matmul(a[t].unsqueeze(2), S).squeeze(2);
        S = S * decay[t] + k[t].unsqueeze(3) * value.unsqueeze(2);
        outputs.push_back(at::matmul(q[t].unsqueeze(2), S).squeeze(2));
    }
    return at::stack(outputs, 1);
}

}  // namespace stillroom::bench
