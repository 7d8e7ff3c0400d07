// SPDX-License-Identifier: GPL-3.0-or-later
// Scores between the rows of one chunk, with their decay, and the gradients back through them. Included by headkernel.cpp only.
//     score[r,i] = sum_d reader_rd writer_id exp(rho_rd - G_id),  rho = G (through the row) or X (before it)
#pragma once

#include "recurrence/kernel/chunkbuffers.h"

namespace stillroom::recurrence::STILLROOM_KERNEL {

/// Whether a reader sees its own row's write.
template <typename T>
inline bool seesOwnRow(const HeadCall<T> &call, int readerIndex) {
    return readerIndex == 0 && call.readsAfterWrite;
}

/// Row of gamma that weighs reader row r.
template <typename T>
inline const T *gammaRow(const HeadCall<T> &call, const Buffers<T> &buffers, const Widths<T> &w, int readerIndex, std::int64_t r) {
    return buffers.gamma + (seesOwnRow(call, readerIndex) ? r + 1 : r) * w.C;
}

/// Zeroes scores between documents.
template <typename T>
inline void maskDocuments(const Buffers<T> &buffers, const Widths<T> &w, ChunkSpan span, T *scores) {
    const std::int32_t *segment = buffers.segment + 1;
    for (std::int64_t r = 0; r < span.rows; ++r)
        for (std::int64_t i = 0; i < r; ++i)
            if (segment[i] != segment[r])
                scores[r * w.C + i] = 0;
}

/// No decay, or one per head: one product, then the weights. Rows of 16 take only the columns that causality leaves them.
template <typename T>
inline void uniformScores(const HeadCall<T> &call, const Buffers<T> &buffers, const Widths<T> &w, ChunkSpan span, int x, int y) {
    T *scores = buffers.scores[x][y];
    if (x == 0)
        transpose(span.rows, w.K, buffers.writer[y], w.keyWidth, buffers.writerT[y], w.C);
    for (std::int64_t first = 0; first < span.rows; first += 16) {
        const std::int64_t width = first + 16;
        multiply<T>(Target::Overwrite, 16, width, w.K, {buffers.reader[x] + first * w.keyWidth, w.keyWidth, 1}, buffers.writerT[y], w.C,
                    scores + first * w.C, w.C);
        for (std::int64_t r = first; r < first + 16; ++r) {
            const T *weights = gammaRow(call, buffers, w, x, r);
            for (std::int64_t j = 0; j < width; j += lanes<T>)
                store(scores + r * w.C + j, load(scores + r * w.C + j) * load(weights + j));
        }
    }
}

/// d scores [C,C] to d reader and d writer (added), through the same weights.
template <typename T>
inline void uniformScoresBackward(const HeadCall<T> &call, const Buffers<T> &buffers, const Widths<T> &w, ChunkSpan span, int x, int y) {
    T *grad = buffers.scoresGrad;
    for (std::int64_t first = 0; first < span.rows; first += 16) {
        const std::int64_t width = first + 16;
        for (std::int64_t r = first; r < first + 16; ++r) {
            const T *weights = gammaRow(call, buffers, w, x, r);
            for (std::int64_t j = 0; j < width; j += lanes<T>)
                store(grad + r * w.C + j, load(grad + r * w.C + j) * load(weights + j));
        }
        multiply<T>(Target::Add, 16, w.keyWidth, first + 16, {grad + first * w.C, w.C, 1}, buffers.writer[y], w.keyWidth,
                    buffers.readerGrad[x] + first * w.keyWidth, w.keyWidth);
    }
    upperProduct(Target::Add, span.rows, w.keyWidth, grad, w.C, buffers.reader[x], buffers.writerGrad[y]);
}

/// Decay between rows [pivot, end) and the pivot, by running products of numbers <= 1: exact for any decay, no exponential of a sum.
template <typename T>
inline void scaleAfterPivot(const Buffers<T> &buffers, const Widths<T> &w, bool ownRow, const T *rows, std::int64_t pivot,
                            std::int64_t end) {
    for (std::int64_t j = 0; j < w.keyWidth; j += lanes<T>) {
        Vector<T> weight = Vector<T>{} + static_cast<T>(1);
        for (std::int64_t r = pivot; r < end; ++r) {
            const std::int64_t at = r * w.keyWidth + j;
            const Vector<T> through = weight * load(buffers.decay + at);
            const Vector<T> used = ownRow ? through : weight;
            store(buffers.readerWeight + at, used);
            store(buffers.scaledReader + at, load(rows + at) * used);
            weight = through;
        }
    }
}

/// The same for rows [begin, pivot): decay from after the row up to the pivot.
template <typename T>
inline void scaleBeforePivot(const Buffers<T> &buffers, const Widths<T> &w, const T *rows, std::int64_t begin, std::int64_t pivot) {
    for (std::int64_t j = 0; j < w.keyWidth; j += lanes<T>) {
        Vector<T> weight = Vector<T>{} + static_cast<T>(1);
        for (std::int64_t r = pivot - 1; r >= begin; --r) {
            const std::int64_t at = r * w.keyWidth + j;
            store(buffers.writerWeight + at, weight);
            store(buffers.scaledWriter + at, load(rows + at) * weight);
            weight *= load(buffers.decay + at);
        }
    }
}

/// 16 rows against themselves, per channel: for each writer row the decay runs down the rows as a product. Four vectors of channels at a time.
template <typename T, int numVectors>
inline void diagonalStrip(const T *reader, const T *writer, const T *decay, std::int64_t stride, bool ownRow, T *scores,
                          std::int64_t scoresStride) {
    for (std::int64_t i = 0; i < 16; ++i) {
        Vector<T> carried[std::size_t{numVectors}];
        for (int j = 0; j < numVectors; ++j)
            carried[j] = load(writer + i * stride + j * lanes<T>);
        for (std::int64_t r = i; r < 16; ++r) {
            if (r == i && !ownRow)
                continue;
            Vector<T> sum{};
            for (int j = 0; j < numVectors; ++j) {
                const Vector<T> through = r == i ? carried[j] : carried[j] * load(decay + r * stride + j * lanes<T>);
                sum += load(reader + r * stride + j * lanes<T>) * (ownRow ? through : carried[j]);
                carried[j] = through;
            }
            scores[r * scoresStride + i] += sumOfLanes<T>(sum);
        }
    }
}

template <typename T, int numVectors>
inline void diagonalStripBackward(const T *reader, const T *writer, const T *decay, std::int64_t stride, bool ownRow, const T *grad,
                                  std::int64_t gradStride, T *readerGrad, T *writerGrad) {
    for (std::int64_t i = 0; i < 16; ++i) {
        Vector<T> product[std::size_t{numVectors}], collected[std::size_t{numVectors}], row[std::size_t{numVectors}];
        for (int j = 0; j < numVectors; ++j) {
            product[j] = Vector<T>{} + static_cast<T>(1);
            collected[j] = Vector<T>{};
            row[j] = load(writer + i * stride + j * lanes<T>);
        }
        for (std::int64_t r = i; r < 16; ++r) {
            if (r == i && !ownRow)
                continue;
            const T weight = grad[r * gradStride + i];
            for (int j = 0; j < numVectors; ++j) {
                const std::int64_t at = r * stride + j * lanes<T>;
                const Vector<T> through = r == i ? product[j] : product[j] * load(decay + at);
                const Vector<T> scaled = weight * (ownRow ? through : product[j]);
                store(readerGrad + at, load(readerGrad + at) + scaled * row[j]);
                collected[j] += scaled * load(reader + at);
                product[j] = through;
            }
        }
        for (int j = 0; j < numVectors; ++j) {
            const std::int64_t at = i * stride + j * lanes<T>;
            store(writerGrad + at, load(writerGrad + at) + collected[j]);
        }
    }
}

/// Calls `strip` with 4, 2 or 1 as its number of vectors until every channel is done.
template <typename T, typename Strip>
inline void overChannels(std::int64_t width, const Strip &strip) {
    std::int64_t j = 0;
    for (; j + 4 * lanes<T> <= width; j += 4 * lanes<T>)
        strip.template operator()<4>(j);
    for (; j + 2 * lanes<T> <= width; j += 2 * lanes<T>)
        strip.template operator()<2>(j);
    for (; j < width; j += lanes<T>)
        strip.template operator()<1>(j);
}

/// Per-channel decay. Halves are joined at a pivot between them, down to 16 rows, so every weight is a product of decays <= 1.
template <typename T>
class ChannelScores {
public:
    ChannelScores(const HeadCall<T> &call, const Buffers<T> &buffers, const Widths<T> &w, int x, int y)
        : m_buffers(buffers), m_w(w), m_x(x), m_y(y), m_ownRow(seesOwnRow(call, x)) {}

    void forward(std::int64_t begin, std::int64_t end) const {
        T *scores = m_buffers.scores[m_x][m_y];
        if (end - begin == 16) {
            for (std::int64_t r = begin; r < end; ++r)
                for (std::int64_t i = begin; i < end; ++i)
                    scores[r * m_w.C + i] = 0;
            overChannels<T>(m_w.keyWidth, [&]<int numVectors>(std::int64_t j) {
                const std::int64_t at = begin * m_w.keyWidth + j;
                diagonalStrip<T, numVectors>(m_buffers.reader[m_x] + at, m_buffers.writer[m_y] + at, m_buffers.decay + at, m_w.keyWidth,
                                             m_ownRow, scores + begin * m_w.C + begin, m_w.C);
            });
            return;
        }
        const std::int64_t pivot = middle(begin, end);
        forward(begin, pivot);
        forward(pivot, end);
        scaleAfterPivot(m_buffers, m_w, m_ownRow, m_buffers.reader[m_x], pivot, end);
        scaleBeforePivot(m_buffers, m_w, m_buffers.writer[m_y], begin, pivot);
        T *transposed = m_buffers.writerT[m_y];
        transpose(pivot - begin, m_w.K, m_buffers.scaledWriter + begin * m_w.keyWidth, m_w.keyWidth, transposed, m_w.C);
        multiply<T>(Target::Overwrite, end - pivot, pivot - begin, m_w.K, {m_buffers.scaledReader + pivot * m_w.keyWidth, m_w.keyWidth, 1},
                    transposed, m_w.C, scores + pivot * m_w.C + begin, m_w.C);
    }

    void backward(std::int64_t begin, std::int64_t end) const {
        const T *grad = m_buffers.scoresGrad;
        if (end - begin == 16) {
            overChannels<T>(m_w.keyWidth, [&]<int numVectors>(std::int64_t j) {
                const std::int64_t at = begin * m_w.keyWidth + j;
                diagonalStripBackward<T, numVectors>(m_buffers.reader[m_x] + at, m_buffers.writer[m_y] + at, m_buffers.decay + at,
                                                     m_w.keyWidth, m_ownRow, grad + begin * m_w.C + begin, m_w.C,
                                                     m_buffers.readerGrad[m_x] + at, m_buffers.writerGrad[m_y] + at);
            });
            return;
        }
        const std::int64_t pivot = middle(begin, end);
        backward(begin, pivot);
        backward(pivot, end);
        scaleAfterPivot(m_buffers, m_w, m_ownRow, m_buffers.reader[m_x], pivot, end);
        scaleBeforePivot(m_buffers, m_w, m_buffers.writer[m_y], begin, pivot);
        const T *block = grad + pivot * m_w.C + begin;
        const std::int64_t upper = begin * m_w.keyWidth, lower = pivot * m_w.keyWidth;
        T *product = m_buffers.product;
        multiply<T>(Target::Overwrite, end - pivot, m_w.keyWidth, pivot - begin, {block, m_w.C, 1}, m_buffers.scaledWriter + upper,
                    m_w.keyWidth, product, m_w.keyWidth);
        addWeighted(product, m_buffers.readerWeight + lower, (end - pivot) * m_w.keyWidth, m_buffers.readerGrad[m_x] + lower);
        multiply<T>(Target::Overwrite, pivot - begin, m_w.keyWidth, end - pivot, {block, 1, m_w.C}, m_buffers.scaledReader + lower,
                    m_w.keyWidth, product, m_w.keyWidth);
        addWeighted(product, m_buffers.writerWeight + upper, (pivot - begin) * m_w.keyWidth, m_buffers.writerGrad[m_y] + upper);
    }

private:
    /// A multiple of 16 near the middle; the first half is the larger one.
    static std::int64_t middle(std::int64_t begin, std::int64_t end) { return begin + ((end - begin) / 16 + 1) / 2 * 16; }

    static void addWeighted(const T *x, const T *weights, std::int64_t count, T *to) {
        for (std::int64_t j = 0; j < count; j += lanes<T>)
            store(to + j, load(to + j) + load(x + j) * load(weights + j));
    }

    const Buffers<T> &m_buffers;
    const Widths<T> &m_w;
    int m_x, m_y;
    bool m_ownRow;
};

}  // namespace stillroom::recurrence::STILLROOM_KERNEL
