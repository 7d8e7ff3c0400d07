// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/scores.h"

#include <limits>
#include <vector>

#include <ATen/ATen.h>

#include "recurrence/products.h"

namespace stillroom::recurrence {
namespace {

constexpr std::int64_t blockRows = 16;

/// bool [1 or L, R, W]: which scores exist.
at::Tensor scoreMask(const ChunkSegments &segments, const Form &form, const at::Device &device) {
    const auto all_CC = at::ones({form.C, form.C}, at::TensorOptions().dtype(at::kBool).device(device));
    const auto q_CC = all_CC.tril(form.read == Read::AfterWrite ? 0 : -1);
    auto mask = form.readers() == 1 ? q_CC : at::cat({q_CC, all_CC.tril(-1)}, 0);
    mask = mask.repeat({1, form.writers()}).unsqueeze(0);
    return segments.defined() ? mask.logical_and(segments.sameSegment_LCC.repeat({1, form.readers(), form.writers()})) : mask;
}

/// exp(rho_r - G_i) where the mask allows, else 0; [L,R,W] for scalar decay. Masked before the exponential: masked differences may be huge.
at::Tensor scalarWeights(const LogDecay &decay, const at::Tensor &mask, const Form &form) {
    auto reader_LR1 = decay.ofReader(0, form);
    if (form.readers() == 2)
        reader_LR1 = at::cat({reader_LR1, decay.before_LCD}, 1);
    auto writer_L1W = decay.through_LCD.transpose(1, 2);
    if (form.writers() == 2)
        writer_L1W = at::cat({writer_L1W, writer_L1W}, 2);
    return (reader_LR1 - writer_L1W)
        .to(form.type)
        .masked_fill(mask.logical_not(), -std::numeric_limits<double>::infinity())
        .exp();
}

/// Per-channel decay, walked in pairs (reader, writer) of [L,C,K] blocks.
class ChannelScores {
public:
    ChannelScores(const at::Tensor &readers_LRK, const at::Tensor &writers_LWK, const LogDecay &decay, const Form &form)
        : m_readers(readers_LRK), m_writers(writers_LWK), m_decay(decay), m_form(form) {}

    at::Tensor forward() const {
        auto scores_LRW = m_readers.new_zeros({m_readers.size(0), m_readers.size(1), m_writers.size(1)});
        for (std::int64_t reader = 0; reader < m_form.readers(); ++reader) {
            for (std::int64_t writer = 0; writer < m_form.writers(); ++writer) {
                auto scores_LCC = part(part(scores_LRW, 1, reader), 2, writer);
                for (std::int64_t row = blockRows; row < m_form.C; row += blockRows) {
                    const auto rows = readerRows(reader, row);
                    const auto columns = writerRowsBefore(writer, row);
                    scores_LCC.slice(1, row, row + blockRows)
                        .slice(2, 0, row)
                        .copy_(product(rows.values * rows.weights, (columns.values * columns.weights).transpose(1, 2), m_form));
                }
                diagonalForward(reader, writer, scores_LCC);
            }
        }
        return scores_LRW;
    }

    std::pair<at::Tensor, at::Tensor> backward(const at::Tensor &gradient_LRW) const {
        auto readersGrad = at::zeros_like(m_readers), writersGrad = at::zeros_like(m_writers);
        for (std::int64_t reader = 0; reader < m_form.readers(); ++reader) {
            for (std::int64_t writer = 0; writer < m_form.writers(); ++writer) {
                const auto gradient_LCC = part(part(gradient_LRW, 1, reader), 2, writer);
                auto readerGrad = part(readersGrad, 1, reader), writerGrad = part(writersGrad, 1, writer);
                for (std::int64_t row = blockRows; row < m_form.C; row += blockRows) {
                    const auto rows = readerRows(reader, row);
                    const auto columns = writerRowsBefore(writer, row);
                    const auto block = gradient_LCC.slice(1, row, row + blockRows).slice(2, 0, row);
                    readerGrad.slice(1, row, row + blockRows)
                        .add_(product(block, columns.values * columns.weights, m_form) * rows.weights);
                    writerGrad.slice(1, 0, row)
                        .add_(product(block.transpose(1, 2), rows.values * rows.weights, m_form) * columns.weights);
                }
                diagonalBackward(reader, writer, gradient_LCC, readerGrad, writerGrad);
            }
        }
        return {readersGrad, writersGrad};
    }

private:
    struct Rows {
        at::Tensor values, weights;
    };

    at::Tensor part(const at::Tensor &stack, std::int64_t dim, std::int64_t index) const {
        return stack.narrow(dim, index * m_form.C, m_form.C);
    }

    /// One block of reader rows with its decay since the pivot, which is the decay up to the block's first row.
    Rows readerRows(std::int64_t reader, std::int64_t row) const {
        const auto pivot_L1K = m_decay.before_LCD.slice(1, row, row + 1);
        const auto log = m_decay.ofReader(reader, m_form).slice(1, row, row + blockRows) - pivot_L1K;
        return {part(m_readers, 1, reader).slice(1, row, row + blockRows), log.exp().to(m_form.type)};
    }

    /// Every writer row before `row` with its decay up to the same pivot.
    Rows writerRowsBefore(std::int64_t writer, std::int64_t row) const {
        const auto pivot_L1K = m_decay.before_LCD.slice(1, row, row + 1);
        const auto log = pivot_L1K - m_decay.through_LCD.slice(1, 0, row);
        return {part(m_writers, 1, writer).slice(1, 0, row), log.exp().to(m_form.type)};
    }

    /// [L,C,K] as [L,blocks,16,K]
    static at::Tensor inBlocks(const at::Tensor &x_LCK) {
        return x_LCK.unflatten(1, {x_LCK.size(1) / blockRows, blockRows});
    }

    /// The 16x16 blocks on the diagonal as a view [L,blocks,16,16].
    static at::Tensor diagonalBlocks(const at::Tensor &x_LCC) {
        const auto blocks = x_LCC.size(1) / blockRows;
        return x_LCC.as_strided({x_LCC.size(0), blocks, blockRows, blockRows},
                                {x_LCC.stride(0), blockRows * (x_LCC.stride(1) + x_LCC.stride(2)), x_LCC.stride(1), x_LCC.stride(2)});
    }

    std::int64_t firstRow(std::int64_t reader, std::int64_t column) const {
        return reader == 0 && m_form.read == Read::AfterWrite ? column : column + 1;
    }

    void diagonalForward(std::int64_t reader, std::int64_t writer, const at::Tensor &scores_LCC) const {
        const auto readers = inBlocks(part(m_readers, 1, reader)), writers = inBlocks(part(m_writers, 1, writer));
        const auto readerLog = inBlocks(m_decay.ofReader(reader, m_form)), writerLog = inBlocks(m_decay.through_LCD);
        auto blocks = diagonalBlocks(scores_LCC);
        for (std::int64_t column = 0; column < blockRows; ++column) {
            const auto first = firstRow(reader, column);
            if (first == blockRows)
                continue;
            const auto weights = (readerLog.slice(2, first) - writerLog.narrow(2, column, 1)).exp().to(m_form.type);
            blocks.slice(2, first).select(3, column).copy_(
                (readers.slice(2, first) * (weights * writers.narrow(2, column, 1))).sum(3));
        }
    }

    void diagonalBackward(std::int64_t reader, std::int64_t writer, const at::Tensor &gradient_LCC, const at::Tensor &readerGrad,
                          const at::Tensor &writerGrad) const {
        const auto readers = inBlocks(part(m_readers, 1, reader)), writers = inBlocks(part(m_writers, 1, writer));
        const auto readerLog = inBlocks(m_decay.ofReader(reader, m_form)), writerLog = inBlocks(m_decay.through_LCD);
        const auto blocks = diagonalBlocks(gradient_LCC);
        auto readerGrads = inBlocks(readerGrad), writerGrads = inBlocks(writerGrad);
        for (std::int64_t column = 0; column < blockRows; ++column) {
            const auto first = firstRow(reader, column);
            if (first == blockRows)
                continue;
            const auto weights = (readerLog.slice(2, first) - writerLog.narrow(2, column, 1)).exp().to(m_form.type);
            const auto scaled = weights * blocks.slice(2, first).narrow(3, column, 1);
            readerGrads.slice(2, first).addcmul_(scaled, writers.narrow(2, column, 1));
            writerGrads.narrow(2, column, 1).add_((scaled * readers.slice(2, first)).sum(2, /*keepdim=*/true));
        }
    }

    const at::Tensor &m_readers, &m_writers;
    const LogDecay &m_decay;
    const Form &m_form;
};

}  // namespace

at::Tensor scores(const at::Tensor &readers_LRK, const at::Tensor &writers_LWK, const LogDecay &decay,
                  const ChunkSegments &segments, const Form &form) {
    const auto mask = scoreMask(segments, form, readers_LRK.device());
    if (form.decay == DecayKind::Channel)
        return ChannelScores(readers_LRK, writers_LWK, decay, form).forward().masked_fill_(mask.logical_not(), 0);
    auto scores_LRW = product(readers_LRK, writers_LWK.transpose(1, 2), form);
    return form.decay == DecayKind::Scalar ? scores_LRW.mul_(scalarWeights(decay, mask, form))
                                           : scores_LRW.masked_fill_(mask.logical_not(), 0);
}

std::pair<at::Tensor, at::Tensor> scoresBackward(const at::Tensor &gradient_LRW, const at::Tensor &readers_LRK,
                                                 const at::Tensor &writers_LWK, const LogDecay &decay, const ChunkSegments &segments,
                                                 const Form &form) {
    const auto mask = scoreMask(segments, form, readers_LRK.device());
    if (form.decay == DecayKind::Channel)
        return ChannelScores(readers_LRK, writers_LWK, decay, form).backward(gradient_LRW.masked_fill(mask.logical_not(), 0));
    const auto weighted_LRW = form.decay == DecayKind::Scalar ? gradient_LRW * scalarWeights(decay, mask, form)
                                                              : gradient_LRW.masked_fill(mask.logical_not(), 0);
    return {product(weighted_LRW, writers_LWK, form), product(weighted_LRW.transpose(1, 2), readers_LRK, form)};
}

}  // namespace stillroom::recurrence
