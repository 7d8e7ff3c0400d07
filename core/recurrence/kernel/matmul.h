// SPDX-License-Identifier: GPL-3.0-or-later
// Small dense products on matrices that lie in cache. Included by headkernel.cpp only.
#pragma once

#include "recurrence/kernel/vectors.h"

namespace stillroom::recurrence::STILLROOM_KERNEL {

/// A matrix operand read element by element: element (i, d) is at data[i*row + d*depth]. A transposed operand swaps the two.
template <typename T>
struct Left {
    const T *data;
    std::int64_t row, depth;
};

enum class Target { Overwrite, Add };

/// `numRows` x `numVectors` vectors of the result stay in registers while the depth is summed.
template <typename T, int numRows, int numVectors>
inline void tile(Target target, std::int64_t depth, Left<T> a, const T *b, std::int64_t bStride, T *c, std::int64_t cStride) {
    Vector<T> sums[std::size_t{numRows}][std::size_t{numVectors}];
    for (int i = 0; i < numRows; ++i)
        for (int j = 0; j < numVectors; ++j)
            sums[i][j] = target == Target::Add ? load(c + i * cStride + j * lanes<T>) : Vector<T>{};
    const T *column = a.data;
    for (std::int64_t d = 0; d < depth; ++d, b += bStride, column += a.depth) {
        Vector<T> row[std::size_t{numVectors}];
        for (int j = 0; j < numVectors; ++j)
            row[j] = load(b + j * lanes<T>);
        for (int i = 0; i < numRows; ++i) {
            const T factor = column[i * a.row];
            for (int j = 0; j < numVectors; ++j)
                sums[i][j] += factor * row[j];
        }
    }
    for (int i = 0; i < numRows; ++i)
        for (int j = 0; j < numVectors; ++j)
            store(c + i * cStride + j * lanes<T>, sums[i][j]);
}

/// Not inlined: one copy of the tiles per width, however many products there are.
template <typename T, int numVectors>
[[gnu::noinline]] void columnStrip(Target target, std::int64_t rows, std::int64_t depth, Left<T> a, const T *b, std::int64_t bStride, T *c,
                                   std::int64_t cStride) {
    constexpr int tileRows = numVectors == 1 ? 8 : 4;
    for (; rows >= tileRows; rows -= tileRows, a.data += tileRows * a.row, c += tileRows * cStride)
        tile<T, tileRows, numVectors>(target, depth, a, b, bStride, c, cStride);
    for (; rows > 0; --rows, a.data += a.row, c += cStride)
        tile<T, 1, numVectors>(target, depth, a, b, bStride, c, cStride);
}

/// c (=|+=) a·b for `rows` x `width` results; width counts elements and is a multiple of the vector's lanes.
template <typename T>
inline void multiply(Target target, std::int64_t rows, std::int64_t width, std::int64_t depth, Left<T> a, const T *b,
                     std::int64_t bStride, T *c, std::int64_t cStride) {
    constexpr int wide = vectorBytes == 64 ? 4 : 2;  // 16 (8) sums fill 32 (16) registers with room for the operands
    std::int64_t j = 0;
    for (; j + wide * lanes<T> <= width; j += wide * lanes<T>)
        columnStrip<T, wide>(target, rows, depth, a, b + j, bStride, c + j, cStride);
    if constexpr (wide == 4) {
        if (j + 2 * lanes<T> <= width) {
            columnStrip<T, 2>(target, rows, depth, a, b + j, bStride, c + j, cStride);
            j += 2 * lanes<T>;
        }
    }
    if (j < width)
        columnStrip<T, 1>(target, rows, depth, a, b + j, bStride, c + j, cStride);
}

/// c (=|+=) A·b for lower triangular A (its upper part is not read beyond blocks of 16), b and c `width` wide.
template <typename T>
inline void lowerProduct(Target target, std::int64_t rows, std::int64_t width, const T *a, std::int64_t aStride, const T *b, T *c) {
    for (std::int64_t first = 0; first < rows; first += 16)
        multiply<T>(target, 16, width, first + 16, {a + first * aStride, aStride, 1}, b, width, c + first * width, width);
}

/// c (=|+=) A^T·b for the same A.
template <typename T>
inline void upperProduct(Target target, std::int64_t rows, std::int64_t width, const T *a, std::int64_t aStride, const T *b, T *c) {
    for (std::int64_t first = 0; first < rows; first += 16)
        multiply<T>(target, 16, width, rows - first, {a + first * aStride + first, 1, aStride}, b + first * width, width, c + first * width,
                    width);
}

/// to[j][i] = from[i][j]
template <typename T>
inline void transpose(std::int64_t rows, std::int64_t columns, const T *from, std::int64_t fromStride, T *to, std::int64_t toStride) {
    constexpr std::int64_t block = 8;
    for (std::int64_t i0 = 0; i0 < rows; i0 += block)
        for (std::int64_t j0 = 0; j0 < columns; j0 += block) {
            const std::int64_t i1 = i0 + block < rows ? i0 + block : rows, j1 = j0 + block < columns ? j0 + block : columns;
            for (std::int64_t j = j0; j < j1; ++j)
                for (std::int64_t i = i0; i < i1; ++i)
                    to[j * toStride + i] = from[i * fromStride + j];
        }
}

/// Solves (I - A) y = y in place for strictly lower A, 16 rows at a time: forward substitution.
template <typename T>
inline void solveLower(std::int64_t rows, std::int64_t width, const T *a, std::int64_t aStride, T *y, std::int64_t yStride) {
    for (std::int64_t first = 0; first < rows; first += 16) {
        if (first > 0)
            multiply<T>(Target::Add, 16, width, first, {a + first * aStride, aStride, 1}, y, yStride, y + first * yStride, yStride);
        for (std::int64_t j = 0; j < width; j += lanes<T>)
            for (std::int64_t r = first + 1; r < first + 16; ++r) {
                Vector<T> sum = load(y + r * yStride + j);
                for (std::int64_t i = first; i < r; ++i)
                    sum += a[r * aStride + i] * load(y + i * yStride + j);
                store(y + r * yStride + j, sum);
            }
    }
}

/// Solves (I - A)^T y = y in place: backward substitution.
template <typename T>
inline void solveLowerTransposed(std::int64_t rows, std::int64_t width, const T *a, std::int64_t aStride, T *y, std::int64_t yStride) {
    for (std::int64_t first = rows - 16; first >= 0; first -= 16) {
        const std::int64_t next = first + 16;
        if (next < rows)
            multiply<T>(Target::Add, 16, width, rows - next, {a + next * aStride + first, 1, aStride}, y + next * yStride, yStride,
                        y + first * yStride, yStride);
        for (std::int64_t j = 0; j < width; j += lanes<T>)
            for (std::int64_t r = next - 2; r >= first; --r) {
                Vector<T> sum = load(y + r * yStride + j);
                for (std::int64_t i = r + 1; i < next; ++i)
                    sum += a[i * aStride + r] * load(y + i * yStride + j);
                store(y + r * yStride + j, sum);
            }
    }
}

}  // namespace stillroom::recurrence::STILLROOM_KERNEL
