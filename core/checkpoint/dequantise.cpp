// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/dequantise.h"

#include "checkpoint/dtypes.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace stillroom::checkpoint {

namespace {

// Legend: d = scale of a block, m = its minimum, lo/hi = the two halves of a packed byte. All files are little-endian.
static_assert(std::endian::native == std::endian::little, "files are read in place");
using Bytes = const std::uint8_t *;

std::uint16_t load16(Bytes at) {
    std::uint16_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

std::uint32_t load32(Bytes at) {
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

float half(Bytes at) { return halfToFloat(load16(at)); }
float value(unsigned quant) { return static_cast<float>(static_cast<int>(quant)); }
float value(unsigned quant, int zero) { return static_cast<float>(static_cast<int>(quant) - zero); }
float signedByte(std::uint8_t byte) { return static_cast<float>(static_cast<std::int8_t>(byte)); }

void q4_0(Bytes block, float *out) {
    const float d = half(block);
    const Bytes quants = block + 2;
    for (int i = 0; i < 16; ++i) {
        out[i] = d * value(quants[i] & 15U, 8);
        out[i + 16] = d * value(quants[i] >> 4U, 8);
    }
}

void q4_1(Bytes block, float *out) {
    const float d = half(block), m = half(block + 2);
    const Bytes quants = block + 4;
    for (int i = 0; i < 16; ++i) {
        out[i] = d * value(quants[i] & 15U) + m;
        out[i + 16] = d * value(quants[i] >> 4U) + m;
    }
}

void q5_0(Bytes block, float *out) {
    const float d = half(block);
    const std::uint32_t fifth = load32(block + 2);   // bit i: the fifth bit of element i
    const Bytes quants = block + 6;
    for (unsigned i = 0; i < 16; ++i) {
        out[i] = d * value((quants[i] & 15U) | ((fifth >> i & 1U) << 4U), 16);
        out[i + 16] = d * value((quants[i] >> 4U) | ((fifth >> (i + 16) & 1U) << 4U), 16);
    }
}

void q5_1(Bytes block, float *out) {
    const float d = half(block), m = half(block + 2);
    const std::uint32_t fifth = load32(block + 4);
    const Bytes quants = block + 8;
    for (unsigned i = 0; i < 16; ++i) {
        out[i] = d * value((quants[i] & 15U) | ((fifth >> i & 1U) << 4U)) + m;
        out[i + 16] = d * value((quants[i] >> 4U) | ((fifth >> (i + 16) & 1U) << 4U)) + m;
    }
}

void q8_0(Bytes block, float *out) {
    const float d = half(block);
    for (int i = 0; i < 32; ++i)
        out[i] = d * signedByte(block[2 + i]);
}

// 16 sub-blocks of 16: 4-bit scale and 4-bit minimum each.
void q2_k(Bytes block, float *out) {
    const Bytes scales = block, quants = block + 16;
    const float d = half(block + 80), dMin = half(block + 82);
    for (unsigned sub = 0; sub < 16; ++sub) {
        const float scale = d * value(scales[sub] & 15U), minimum = dMin * value(scales[sub] >> 4U);
        const Bytes source = quants + sub / 8 * 32 + sub % 2 * 16;
        const unsigned shift = sub % 8 / 2 * 2;
        for (unsigned i = 0; i < 16; ++i)
            out[sub * 16 + i] = scale * value(source[i] >> shift & 3U) - minimum;
    }
}

// 16 sub-blocks of 16 with 6-bit signed scales: low four bits in bytes 0…7 (nibbles), high two in bytes 8…11. The third bit of a quant lies in `mask`, inverted.
void q3_k(Bytes block, float *out) {
    const Bytes mask = block, quants = block + 32, scales = block + 96;
    const float d = half(block + 108);
    for (unsigned sub = 0; sub < 16; ++sub) {
        const unsigned low = sub < 8 ? scales[sub] & 15U : scales[sub - 8] >> 4U;
        const unsigned high = unsigned{scales[8 + sub % 4]} >> (sub / 4 * 2) & 3U;
        const float scale = d * value(low | high << 4U, 32);
        const unsigned column = sub % 2 * 16, shift = sub % 8 / 2 * 2, bit = sub / 2;
        for (unsigned i = 0; i < 16; ++i) {
            const unsigned quant = (unsigned{quants[sub / 8 * 32 + column + i]} >> shift & 3U) | (unsigned{mask[column + i]} >> bit & 1U) << 2U;
            out[sub * 16 + i] = scale * value(quant, 4);
        }
    }
}

// Scales and minimums of Q4_K and Q5_K: eight pairs of 6 bits in 12 bytes.
struct ScaleMin {
    float scale, minimum;
};
ScaleMin scaleMin(Bytes packed, unsigned sub, float d, float dMin) {
    unsigned scale = packed[sub % 4] & 63U, minimum = packed[sub % 4 + 4] & 63U;
    if (sub >= 4) {
        scale = (packed[sub + 4] & 15U) | (unsigned{packed[sub - 4]} >> 6U) << 4U;
        minimum = (packed[sub + 4] >> 4U) | (unsigned{packed[sub]} >> 6U) << 4U;
    }
    return {d * value(scale), dMin * value(minimum)};
}

void q4_k(Bytes block, float *out) {
    const float d = half(block), dMin = half(block + 2);
    for (unsigned sub = 0; sub < 8; ++sub) {
        const auto [scale, minimum] = scaleMin(block + 4, sub, d, dMin);
        const Bytes quants = block + 16 + sub / 2 * 32;
        const unsigned shift = sub % 2 * 4;
        for (unsigned i = 0; i < 32; ++i)
            out[sub * 32 + i] = scale * value(quants[i] >> shift & 15U) - minimum;
    }
}

void q5_k(Bytes block, float *out) {
    const float d = half(block), dMin = half(block + 2);
    const Bytes fifth = block + 16;   // bit `sub` of byte i: the fifth bit of element i of sub-block `sub`
    for (unsigned sub = 0; sub < 8; ++sub) {
        const auto [scale, minimum] = scaleMin(block + 4, sub, d, dMin);
        const Bytes quants = block + 48 + sub / 2 * 32;
        const unsigned shift = sub % 2 * 4;
        for (unsigned i = 0; i < 32; ++i)
            out[sub * 32 + i] = scale * value((quants[i] >> shift & 15U) | (fifth[i] >> sub & 1U) << 4U) - minimum;
    }
}

// 16 sub-blocks of 16 with 8-bit signed scales; four low bits in `low`, two high ones in `high`.
void q6_k(Bytes block, float *out) {
    const Bytes low = block, high = block + 128, scales = block + 192;
    const float d = half(block + 208);
    for (unsigned sub = 0; sub < 16; ++sub) {
        const float scale = d * signedByte(scales[sub]);
        const unsigned row = sub % 8 / 2, column = sub % 2 * 16;   // row: which 32 of a group of 128
        const Bytes lows = low + sub / 8 * 64 + row % 2 * 32 + column, highs = high + sub / 8 * 32 + column;
        const unsigned lowShift = row / 2 * 4, highShift = row * 2;
        for (unsigned i = 0; i < 16; ++i)
            out[sub * 16 + i] = scale * value((lows[i] >> lowShift & 15U) | (highs[i] >> highShift & 3U) << 4U, 32);
    }
}

template <void (*block)(Bytes, float *)>
void everyBlock(DType dtype, Bytes source, std::span<float> out) {
    const auto shape = blockOf(dtype);
    const auto elements = static_cast<std::size_t>(shape.elements), bytes = static_cast<std::size_t>(shape.bytes);
    for (std::size_t i = 0; i < out.size() / elements; ++i)
        block(source + i * bytes, out.data() + i * elements);
}

void doubles(Bytes source, std::span<float> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        double wide = 0;
        std::memcpy(&wide, source + i * sizeof wide, sizeof wide);
        out[i] = static_cast<float>(wide);
    }
}

}  // namespace

float halfToFloat(std::uint16_t half) noexcept {
    constexpr std::uint32_t rebias = (127U - 15U) << 23U;
    const std::uint32_t exponent = half & 0x7C00U;
    std::uint32_t bits = ((half & 0x7FFFU) << 13U) + rebias;
    if (exponent == 0x7C00U)
        bits += rebias;                                                                        // infinity, NaN
    const float subnormal = std::bit_cast<float>(bits + (1U << 23U)) - 0x1p-14F;              // exact: mantissa · 2^−24
    bits = exponent == 0 ? std::bit_cast<std::uint32_t>(subnormal) : bits;
    return std::bit_cast<float>(bits | (half & 0x8000U) << 16U);
}

void toFloat32(DType dtype, std::span<const std::byte> source, std::span<float> out) {
    const auto bytes = reinterpret_cast<Bytes>(source.data());
    switch (dtype) {
    case DType::F64: return doubles(bytes, out);
    case DType::F32:
        if (!out.empty())
            std::memcpy(out.data(), bytes, out.size_bytes());
        return;
    case DType::F16:
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = half(bytes + 2 * i);
        return;
    case DType::BF16:
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = std::bit_cast<float>(std::uint32_t{load16(bytes + 2 * i)} << 16U);
        return;
    case DType::Q4_0: return everyBlock<q4_0>(dtype, bytes, out);
    case DType::Q4_1: return everyBlock<q4_1>(dtype, bytes, out);
    case DType::Q5_0: return everyBlock<q5_0>(dtype, bytes, out);
    case DType::Q5_1: return everyBlock<q5_1>(dtype, bytes, out);
    case DType::Q8_0: return everyBlock<q8_0>(dtype, bytes, out);
    case DType::Q2_K: return everyBlock<q2_k>(dtype, bytes, out);
    case DType::Q3_K: return everyBlock<q3_k>(dtype, bytes, out);
    case DType::Q4_K: return everyBlock<q4_k>(dtype, bytes, out);
    case DType::Q5_K: return everyBlock<q5_k>(dtype, bytes, out);
    case DType::Q6_K: return everyBlock<q6_k>(dtype, bytes, out);
    case DType::I64: case DType::I32: case DType::I16: case DType::I8: case DType::U8: case DType::Bool: return;   // excluded by the precondition
    }
}

}  // namespace stillroom::checkpoint
