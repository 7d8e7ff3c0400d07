// SPDX-License-Identifier: GPL-3.0-or-later
// Scratch of one head and the loading of one chunk into it. Included by headkernel.cpp only.
#pragma once

#include "recurrence/kernel/headcall.h"
#include "recurrence/kernel/matmul.h"

namespace stillroom::recurrence::STILLROOM_KERNEL {

/// Hands out aligned pieces of one allocation; with no base it only counts.
class Arena {
public:
    explicit Arena(void *base) : m_base(static_cast<char *>(base)) {}
    template <typename T>
    T *take(std::int64_t count) {
        T *piece = m_base ? reinterpret_cast<T *>(m_base + m_used) : nullptr;
        m_used += (static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
        return piece;
    }
    [[nodiscard]] std::size_t used() const { return m_used; }

private:
    char *m_base;
    std::size_t m_used = 0;
};

/// Widths padded to whole vectors; padding columns hold zeros throughout.
template <typename T>
struct Widths {
    explicit Widths(const HeadCall<T> &call)
        : K(call.keyDim), V(call.valueDim), C(call.chunkLength), keyWidth(paddedWidth<T>(K)), valueWidth(paddedWidth<T>(V)),
          numReaders(call.writing == Writing::Additive ? 1 : 2), numWriters(call.writing == Writing::General ? 2 : 1) {}
    std::int64_t K, V, C, keyWidth, valueWidth;
    int numReaders, numWriters;
};

/// Matrices of one chunk. Reader 0 is q, 1 is a; writer 0 is k, 1 is b. Legend: C rows of the chunk, K, V widths (padded).
template <typename T>
struct Buffers {
    Buffers(const HeadCall<T> &call, Arena &arena) {
        const Widths<T> w(call);
        segment = arena.take<std::int32_t>(w.C + 1);
        const auto keys = [&] { return arena.take<T>(w.C * w.keyWidth); };
        const auto values = [&] { return arena.take<T>(w.C * w.valueWidth); };
                for (int x = 0; x < w.numReaders; ++x) {
            reader[x] = keys();
            readerFromStart[x] = keys();
            readerGrad[x] = keys();
            solved[x] = values();
        }
        for (int x = 0; x < w.numWriters; ++x) {
            writer[x] = keys();
            writerToEnd[x] = keys();
            writerGrad[x] = keys();
            written[x] = call.writing == Writing::Tied || x == 1 ? values() : nullptr;
            writtenGrad[x] = values();
            writerT[x] = arena.take<T>(w.K * w.C);
            writtenT[x] = arena.take<T>(w.V * w.C);
        }
        for (int x = 0; x < w.numReaders; ++x)
            for (int y = 0; y < w.numWriters; ++y)
                scores[x][y] = arena.take<T>(w.C * w.C);
        scoresGrad = arena.take<T>(w.C * w.C);
        value = values();
        if (!written[0])
            written[0] = value;  // k writes v as it is
        state = arena.take<T>(w.K * w.valueWidth);
        stateGrad = arena.take<T>(w.K * w.valueWidth);
        stateT = arena.take<T>(w.V * w.keyWidth);
        gamma = arena.take<T>((w.C + 1) * w.C);
        logSum = arena.take<double>(w.C + 1);
        rowFromStart = arena.take<T>(paddedWidth<T>(w.C + 1));
        carry = arena.take<T>(w.keyWidth);
        endGrad = arena.take<T>(w.keyWidth);
        product = keys();
        if (call.decay != DecayKind::Channel)
            return;
        decay = keys();
        channelFromStart = arena.take<T>((w.C + 1) * w.keyWidth);
        channelToEnd = keys();
        readerWeight = keys();
        writerWeight = keys();
        scaledReader = keys();
        scaledWriter = keys();
    }

    T *reader[2]{}, *readerFromStart[2]{}, *readerGrad[2]{};  ///< [C,K]; FromStart: times the decay since the chunk's start
    T *writer[2]{}, *writerToEnd[2]{}, *writerGrad[2]{};      ///< [C,K]; ToEnd: times the decay to the chunk's end
    T *writerT[2]{};                                          ///< [K,C]
    T *value{};                                               ///< [C,V]
    T *written[2]{}, *writtenGrad[2]{};                       ///< [C,V] what writer x writes: v (or v + u), and u
    T *writtenT[2]{};                                         ///< [V,C]
    T *solved[2]{};                                           ///< [C,V] dO, and the gradient of the triangular system's right side
    T *scores[2][2]{}, *scoresGrad{};                         ///< [C,C]
    T *state{}, *stateGrad{}, *stateT{};                     ///< [K,V], [K,V], [V,K]
    T *gamma{};                                               ///< [C+1,C]: row r+1 holds exp(G_r - G_i) for i <= r, else 0; row 0 is zero
    double *logSum{};                                         ///< scalar decay: G of each row after a leading 0
    T *rowFromStart{};                                        ///< e^G of each row after a leading 1
    T *carry{};                                               ///< [K]: what the chunk leaves of its incoming state
    T *endGrad{};                                             ///< [K]: gradient of G at the chunk's end from what crosses it
    T *product{};                                             ///< [C,K]: for a moment
    T *decay{};                                               ///< per channel from here on. e^g [C,K]
    T *channelFromStart{}, *channelToEnd{};                   ///< [C+1,K] e^G after a leading row of ones; [C,K] e^{G_C - G}
    T *readerWeight{}, *writerWeight{};                       ///< [C,K] decay between a row and the current pivot
    T *scaledReader{}, *scaledWriter{};                       ///< rows times those
    std::int32_t *segment{};                                  ///< [C+1]: that of the incoming state, then of each row
};

/// The tokens of one chunk.
struct ChunkSpan {
    std::int64_t first = 0;   ///< token
    std::int64_t tokens = 0;  ///< real ones
    std::int64_t rows = 0;    ///< the same rounded up to whole 16-row blocks
};

inline ChunkSpan chunkSpan(std::int64_t n, std::int64_t chunkLength, std::int64_t tokens) {
    const std::int64_t first = n * chunkLength;
    const std::int64_t here = tokens - first < chunkLength ? tokens - first : chunkLength;
    return {first, here, (here + 15) / 16 * 16};
}

/// Rows of a chunk into a zero-padded matrix; padding tokens become zero rows.
template <typename T>
inline void loadRows(const HeadCall<T> &call, ChunkSpan span, const T *from, std::int64_t stride, std::int64_t width, T *to,
                     std::int64_t toWidth) {
    for (std::int64_t r = 0; r < span.rows; ++r) {
        T *row = to + r * toWidth;
        const bool absent = r >= span.tokens || (call.isPadding && call.isPadding[span.first + r]);
        const std::int64_t given = absent ? 0 : width;
        copyRow(from + (span.first + r) * stride, given, row);
        zeroRow(toWidth - given, row + given);
    }
}

/// The way back; padding tokens get zero.
template <typename T>
inline void storeRows(const HeadCall<T> &call, ChunkSpan span, const T *from, std::int64_t fromWidth, T *to, std::int64_t stride,
                      std::int64_t width) {
    for (std::int64_t r = 0; r < span.tokens; ++r) {
        T *target = to + (span.first + r) * stride;
        const std::int64_t given = call.isPadding && call.isPadding[span.first + r] ? 0 : width;
        copyRow(from + r * fromWidth, given, target);
        zeroRow(width - given, target + given);
    }
}

/// A state [K,V], null meaning zero, into a padded matrix.
template <typename T>
inline void loadState(const T *from, const Widths<T> &w, T *to) {
    const std::int64_t given = from ? w.V : 0;
    for (std::int64_t i = 0; i < w.K; ++i, to += w.valueWidth) {
        copyRow(from + i * given, given, to);
        zeroRow(w.valueWidth - given, to + given);
    }
}

template <typename T>
inline void storeState(const T *from, const Widths<T> &w, T *to) {
    for (std::int64_t i = 0; i < w.K; ++i)
        copyRow(from + i * w.valueWidth, w.V, to + i * w.V);
}

}  // namespace stillroom::recurrence::STILLROOM_KERNEL
