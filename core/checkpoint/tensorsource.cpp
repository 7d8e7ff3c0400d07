// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/tensorsource.h"

#include "checkpoint/dtypes.h"

#include <array>

namespace stillroom::checkpoint {

namespace {

struct Entry {
    DType dtype;
    std::string_view name;
    Block block;
};

// Block sizes of the quantised types: ggml's block structs, as the Python package `gguf` lists them (GGML_QUANT_SIZES).
constexpr std::array<Entry, 20> table{{
    {DType::F64, "F64", {1, 8}},        {DType::F32, "F32", {1, 4}},        {DType::F16, "F16", {1, 2}},        {DType::BF16, "BF16", {1, 2}},
    {DType::I64, "I64", {1, 8}},        {DType::I32, "I32", {1, 4}},        {DType::I16, "I16", {1, 2}},        {DType::I8, "I8", {1, 1}},
    {DType::U8, "U8", {1, 1}},          {DType::Bool, "BOOL", {1, 1}},      {DType::Q4_0, "Q4_0", {32, 18}},    {DType::Q4_1, "Q4_1", {32, 20}},
    {DType::Q5_0, "Q5_0", {32, 22}},    {DType::Q5_1, "Q5_1", {32, 24}},    {DType::Q8_0, "Q8_0", {32, 34}},    {DType::Q2_K, "Q2_K", {256, 84}},
    {DType::Q3_K, "Q3_K", {256, 110}},  {DType::Q4_K, "Q4_K", {256, 144}},  {DType::Q5_K, "Q5_K", {256, 176}},  {DType::Q6_K, "Q6_K", {256, 210}},
}};

constexpr bool dtypesInOrder() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].dtype) != i)
            return false;
    return true;
}
static_assert(dtypesInOrder(), "the table is indexed by DType");

}  // namespace

std::string_view dtypeName(DType dtype) {
    return table[static_cast<std::size_t>(dtype)].name;
}

Block blockOf(DType dtype) {
    return table[static_cast<std::size_t>(dtype)].block;
}

bool isQuantised(DType dtype) {
    return blockOf(dtype).elements > 1;
}

bool isInteger(DType dtype) {
    return dtype >= DType::I64 && dtype <= DType::Bool;
}

std::optional<std::int64_t> countElements(const std::vector<std::int64_t> &shape) {
    std::int64_t count = 1;
    for (const auto extent : shape)
        if (extent < 0 || __builtin_mul_overflow(count, extent, &count))
            return std::nullopt;
    return count;
}

std::optional<std::int64_t> sizeBytesOf(DType dtype, const std::vector<std::int64_t> &shape) {
    const auto count = countElements(shape);
    const auto block = blockOf(dtype);
    std::int64_t bytes = 0;
    if (!count || (block.elements > 1 && (shape.empty() || shape.back() % block.elements != 0))
        || __builtin_mul_overflow(*count / block.elements, block.bytes, &bytes))
        return std::nullopt;
    return bytes;
}

std::string shapeText(const std::vector<std::int64_t> &shape) {
    std::string text = "[";
    for (const auto extent : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
    return text + "]";
}

std::int64_t TensorInfo::numElements() const {
    return countElements(shape).value_or(0);   // a source hands out only shapes whose product was checked
}

}  // namespace stillroom::checkpoint
