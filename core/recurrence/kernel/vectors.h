// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of the instruction set this file is compiled for. Included by headkernel.cpp only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stillroom::recurrence::STILLROOM_KERNEL {

#if defined(__AVX512F__)
inline constexpr int vectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr int vectorBytes = 32;
#else
inline constexpr int vectorBytes = 16;
#endif

template <typename T>
struct VectorOf;
template <>
struct VectorOf<float> {
    typedef float type __attribute__((vector_size(vectorBytes)));
    typedef float unaligned __attribute__((vector_size(vectorBytes), aligned(alignof(float))));
    typedef std::uint32_t bits __attribute__((vector_size(vectorBytes)));
};
template <>
struct VectorOf<double> {
    typedef double type __attribute__((vector_size(vectorBytes)));
    typedef double unaligned __attribute__((vector_size(vectorBytes), aligned(alignof(double))));
    typedef std::uint64_t bits __attribute__((vector_size(vectorBytes)));
};

template <typename T>
using Vector = typename VectorOf<T>::type;
template <typename T>
inline constexpr std::int64_t lanes = vectorBytes / static_cast<int>(sizeof(T));

template <typename T>
constexpr std::int64_t paddedWidth(std::int64_t width) {
    return (width + lanes<T> - 1) / lanes<T> * lanes<T>;
}

/// Aligned: every row of a scratch matrix starts on a vector's boundary.
template <typename T>
inline Vector<T> load(const T *from) {
    return *reinterpret_cast<const Vector<T> *>(from);
}
template <typename T>
inline void store(T *to, Vector<T> x) {
    *reinterpret_cast<Vector<T> *>(to) = x;
}

/// Rows of inputs and outputs start anywhere.
template <typename T>
inline void copyRow(const T *from, std::int64_t width, T *to) {
    std::int64_t j = 0;
    for (; j + lanes<T> <= width; j += lanes<T>)
        *reinterpret_cast<typename VectorOf<T>::unaligned *>(to + j) = *reinterpret_cast<const typename VectorOf<T>::unaligned *>(from + j);
    for (; j < width; ++j)
        to[j] = from[j];
}
template <typename T>
inline void zeroRow(std::int64_t width, T *to) {
    for (std::int64_t j = 0; j < width; ++j)
        to[j] = 0;
}

template <typename T>
inline T sumOfLanes(Vector<T> x) {
    T sum = 0;
    for (std::int64_t lane = 0; lane < lanes<T>; ++lane)
        sum += x[lane];
    return sum;
}

template <typename T>
struct ExpConstants;
template <>
struct ExpConstants<float> {
    static constexpr float lowest = -87.0f, shift = 12582912.0f;  // 1.5·2^23: adding it rounds to an integer, kept in the low bits
    static constexpr float ln2High = 0.693359375f, ln2Low = -2.12194440e-4f;
    static constexpr int mantissaBits = 23, terms = 8;
    static constexpr std::uint32_t one = 127U << 23;
};
template <>
struct ExpConstants<double> {
    static constexpr double lowest = -708.0, shift = 6755399441055744.0;  // 1.5·2^52
    static constexpr double ln2High = 0.693147180369123816490, ln2Low = 1.90821492927058770002e-10;
    static constexpr int mantissaBits = 52, terms = 14;
    static constexpr std::uint64_t one = std::uint64_t{1023} << 52;
};

/// e^x for x <= 0 to about one unit in the last place; 0 below the smallest normal number.
/// x = n ln 2 + r with |r| <= ln 2 / 2, then the Taylor series of e^r.
template <typename T>
inline Vector<T> expOfNegative(Vector<T> x) {
    using Constants = ExpConstants<T>;
    using Bits = typename VectorOf<T>::bits;
    const Bits vanishes = reinterpret_cast<Bits>(x < Constants::lowest);
    const Vector<T> shifted = x * static_cast<T>(1.44269504088896340736) + Constants::shift;
    const Vector<T> n = shifted - Constants::shift;
    const Vector<T> r = (x - n * Constants::ln2High) - n * Constants::ln2Low;
    Vector<T> series = Vector<T>{} + static_cast<T>(1);
    for (int term = Constants::terms - 1; term >= 1; --term)
        series = series * r * (static_cast<T>(1) / static_cast<T>(term)) + static_cast<T>(1);
    const Bits scale = (reinterpret_cast<Bits>(shifted) << Constants::mantissaBits) + Constants::one;
    const Vector<T> result = series * reinterpret_cast<Vector<T>>(scale);
    return reinterpret_cast<Vector<T>>(reinterpret_cast<Bits>(result) & ~vanishes);
}

}  // namespace stillroom::recurrence::STILLROOM_KERNEL
