// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/dequantise.h"

#include "checkpoint/dtypes.h"
#include "goldendata.h"
#include "testdata.h"

#include <array>
#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

namespace dequantise_tests {

using namespace stillroom::checkpoint;

TEST_CASE("every float16 becomes the float32 of the same value") {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = halfToFloat(half);
        const int exponent = static_cast<int>(bits >> 10U & 31U), mantissa = static_cast<int>(bits & 1023U);
        const double sign = bits >> 15U != 0 ? -1 : 1;
        if (exponent == 31 && mantissa != 0) {
            CHECK(std::isnan(value));
            continue;
        }
        const double expected = exponent == 31  ? sign * std::numeric_limits<double>::infinity()
                                : exponent == 0 ? sign * std::ldexp(mantissa, -24)
                                                : sign * std::ldexp(1024 + mantissa, exponent - 25);
        if (static_cast<double>(value) != expected || std::signbit(value) != (sign < 0))
            FAIL_CHECK("float16 bits " << bits << " gave " << value);
    }
}

TEST_CASE("quantised blocks have the values that the Python package gguf gives") {
    const auto source = openSafetensors(goldenPath("dequantised.safetensors"));
    for (const auto dtype : {DType::Q4_0, DType::Q4_1, DType::Q5_0, DType::Q5_1, DType::Q8_0, DType::Q2_K, DType::Q3_K, DType::Q4_K, DType::Q5_K, DType::Q6_K}) {
        const std::string name(dtypeName(dtype));
        const auto expected = allFloats(*source, name + ".values");
        const auto raw = source->bytes(name + ".raw");
        const auto block = blockOf(dtype);
        REQUIRE(raw.size() / static_cast<std::size_t>(block.bytes) * static_cast<std::size_t>(block.elements) == expected.size());
        std::vector<float> values(expected.size());
        toFloat32(dtype, raw, values);
        std::size_t different = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            different += std::abs(std::bit_cast<std::int32_t>(values[i]) - std::bit_cast<std::int32_t>(expected[i])) > 1 ? 1U : 0U;   // 1: a fused multiply-add
        CHECK_MESSAGE(different == 0, name, ": ", different, " of ", values.size(), " values differ");
        // At an odd address, as nothing promises alignment.
        std::vector<std::byte> moved(raw.size() + 1);
        std::copy(raw.begin(), raw.end(), moved.begin() + 1);
        std::vector<float> again(expected.size());
        toFloat32(dtype, std::span<const std::byte>(moved).subspan(1), again);
        CHECK(again == values);
    }
}

TEST_CASE("the first blocks of SmolLM2's tensors have the values that gguf gives") {
    const std::filesystem::path file = stillroom::test::sharedData() / "golden" / "smollm2_135m" / "dequant.json";
    if (!std::filesystem::exists(file)) {
        MESSAGE("skipped: no " << file.string());
        return;
    }
    const auto json = readJsonFile(file);
    std::size_t compared = 0;
    for (const auto &entry : json["blocks"]) {
        const auto type = entry["type"].get<std::string>();
        const auto dtype = type == "Q4_1" ? DType::Q4_1 : type == "Q8_0" ? DType::Q8_0 : DType::F32;
        const auto hex = entry["raw_hex"].get<std::string>();
        std::vector<std::byte> raw;
        for (std::size_t i = 0; i < hex.size(); i += 2)
            raw.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
        const auto expected = entry["values"].get<std::vector<float>>();
        std::vector<float> values(expected.size());
        toFloat32(dtype, raw, values);
        CHECK_MESSAGE(values == expected, entry["tensor"].get<std::string>());
        ++compared;
    }
    CHECK(compared >= 4);
}

}  // namespace dequantise_tests
