// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/gguf.h"

#include "checkpoint/dtypes.h"
#include "error.h"
#include "shownname.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

namespace stillroom::checkpoint {

namespace {

constexpr std::uint64_t mostKeys = 1 << 16;
constexpr std::uint64_t mostTensors = 1 << 17;
constexpr std::uint64_t longestName = 1 << 12;
constexpr std::uint64_t mostDimensions = 4;      // GGML_MAX_DIMS
constexpr std::uint64_t usualAlignment = 32;

template <typename T>
T load(const std::byte *at) {
    T value{};
    std::memcpy(&value, at, sizeof value);
    return value;
}

// The double that prints like the float: a file's float32 1e-5 stands for the config's 1e-5.
double shortest(float value) {
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    double result = 0;
    const auto read = std::from_chars(text.data(), end, result);
    return read.ec == std::errc() ? result : static_cast<double>(value);
}

}  // namespace

// Walks the header; every step is checked against the bytes that are left.
class GgufFile::Cursor {
public:
    explicit Cursor(const GgufFile &file) : m_file(file), m_bytes(file.m_file->bytes()) {}
    [[nodiscard]] std::size_t position() const { return m_position; }
    [[nodiscard]] std::size_t left() const { return m_bytes.size() - m_position; }
    std::span<const std::byte> take(std::uint64_t size) {
        if (size > left())
            m_file.refuse("it ends inside its header (is the download complete?)");
        const auto part = m_bytes.subspan(m_position, static_cast<std::size_t>(size));
        m_position += part.size();
        return part;
    }
    template <typename T>
    T read() {
        return load<T>(take(sizeof(T)).data());
    }
    std::string name(const char *what) {
        const auto size = read<std::uint64_t>();
        if (size == 0 || size > longestName)
            m_file.refuse(std::string("a ") + what + " name of " + std::to_string(size) + " bytes");
        const auto bytes = take(size);
        return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
    }

private:
    const GgufFile &m_file;
    std::span<const std::byte> m_bytes;
    std::size_t m_position = 0;
};

GgufFile::GgufFile(const std::filesystem::path &path) : m_file(std::make_shared<const MappedFile>(path)) {
    Cursor cursor(*this);
    if (cursor.left() < 4 || std::memcmp(cursor.take(4).data(), "GGUF", 4) != 0)
        refuse("it does not begin with \"GGUF\"");
    m_version = cursor.read<std::uint32_t>();
    const auto unsupported = [&path](const std::string &what) { throw Error(ErrorCode::Unsupported, path.string() + " is " + what + "."); };
    if (m_version != 0 && (m_version & 0xFFFFU) == 0)
        unsupported("a big-endian GGUF file, which is not read; convert it with gguf-convert-endian");
    if (m_version == 1)
        unsupported("a GGUF file of version 1, which is not read; convert the model again with a current llama.cpp");
    if (m_version != 2 && m_version != 3)
        unsupported("a GGUF file of version " + std::to_string(m_version) + ", which is not known (2 and 3 are); convert the model again with a current llama.cpp");
    const auto tensors = cursor.read<std::uint64_t>(), keys = cursor.read<std::uint64_t>();
    const auto begin = cursor.position();
    readMetadata(cursor, keys);
    m_metadata = m_file->bytes().subspan(begin, cursor.position() - begin);
    readTensorTable(cursor, tensors);
}

void GgufFile::refuse(const std::string &why) const {
    throw Error(ErrorCode::BadFile, path().string() + " is not a valid GGUF file: " + why + "; replace it by an undamaged copy.");
}

void GgufFile::wrongKind(std::string_view key, const char *wanted) const {
    throw Error(ErrorCode::BadFile, "The metadata " + shownName(key) + " of " + path().string() + " is not " + wanted + "; replace the file by an undamaged copy.");
}

std::size_t GgufFile::sizeOf(ValueType type) {
    constexpr std::array<std::size_t, 13> sizes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};   // 0: no fixed size
    return sizes[static_cast<std::size_t>(type)];
}

std::span<const std::byte> GgufFile::skipValues(Cursor &cursor, ValueType type, std::uint64_t count) const {
    const auto begin = cursor.position();
    if (type == ValueType::Text) {
        if (count > cursor.left() / 8)
            refuse("an array of " + std::to_string(count) + " texts would be longer than the file");
        for (std::uint64_t i = 0; i < count; ++i)
            cursor.take(cursor.read<std::uint64_t>());
    } else {
        if (count > cursor.left() / sizeOf(type))
            refuse("an array of " + std::to_string(count) + " values would be longer than the file");
        cursor.take(count * sizeOf(type));
    }
    return m_file->bytes().subspan(begin, cursor.position() - begin);
}

GgufFile::Value GgufFile::readValue(Cursor &cursor, const std::string &key) const {
    const auto readType = [&] {
        const auto id = cursor.read<std::uint32_t>();
        if (id > static_cast<std::uint32_t>(ValueType::F64))
            refuse("the metadata " + shownName(key) + " has the unknown type " + std::to_string(id));
        return static_cast<ValueType>(id);
    };
    Value value;
    value.type = readType();
    value.elementType = value.type;
    if (value.type == ValueType::Array) {
        value.elementType = readType();
        if (value.elementType == ValueType::Array)
            refuse("the metadata " + shownName(key) + " is an array of arrays");
        value.count = cursor.read<std::uint64_t>();
    }
    value.bytes = skipValues(cursor, value.elementType, value.count);
    return value;
}

void GgufFile::readMetadata(Cursor &cursor, std::uint64_t count) {
    if (count > mostKeys)
        refuse("it claims to have " + std::to_string(count) + " metadata entries");
    for (std::uint64_t i = 0; i < count; ++i) {
        auto key = cursor.name("metadata");
        if (!m_values.emplace(key, readValue(cursor, key)).second)
            refuse("the metadata " + shownName(key) + " stands twice");
        m_keys.push_back(std::move(key));
    }
}

GgufTensor GgufFile::readTensorEntry(Cursor &cursor, std::uint64_t &offset) const {
    GgufTensor tensor;
    tensor.name = cursor.name("tensor");
    const auto dimensions = cursor.read<std::uint32_t>();
    if (dimensions > mostDimensions)
        refuse("tensor " + shownName(tensor.name) + " has " + std::to_string(dimensions) + " dimensions");
    for (std::uint32_t i = 0; i < dimensions; ++i)
        tensor.shape.push_back(cursor.read<std::int64_t>());
    std::reverse(tensor.shape.begin(), tensor.shape.end());
    const auto id = cursor.read<std::uint32_t>();
    tensor.type = ggmlType(id);
    if (tensor.type == nullptr)
        throw Error(ErrorCode::Unsupported, "Tensor " + shownName(tensor.name) + " of " + path().string() + " has the type number " + std::to_string(id)
                                                + ", which is not known; convert the model to F16, Q8_0 or Q4_K.");
    offset = cursor.read<std::uint64_t>();
    return tensor;
}

void GgufFile::readTensorTable(Cursor &cursor, std::uint64_t count) {
    if (count > mostTensors)
        refuse("it claims to have " + std::to_string(count) + " tensors");
    std::vector<std::uint64_t> offsets;
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t offset = 0;
        auto tensor = readTensorEntry(cursor, offset);
        if (!m_tensorIndex.emplace(tensor.name, m_tensors.size()).second)
            refuse("tensor " + shownName(tensor.name) + " stands twice");
        m_tensors.push_back(std::move(tensor));
        offsets.push_back(offset);
    }
    placeTensors(offsets, cursor.position());
}

void GgufFile::placeTensors(const std::vector<std::uint64_t> &offsets, std::size_t tableEnd) {
    const auto given = integer("general.alignment");
    if (given && (*given < 1 || *given > (1 << 20) || !std::has_single_bit(static_cast<std::uint64_t>(*given))))
        refuse("general.alignment is " + std::to_string(*given) + ", which is not a power of two up to 1048576");
    const auto alignment = given ? static_cast<std::uint64_t>(*given) : usualAlignment;
    const std::uint64_t fileBytes = m_file->bytes().size(), dataStart = (tableEnd + alignment - 1) / alignment * alignment;
    std::vector<std::size_t> order(m_tensors.size());
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        order[i] = i;
        auto &tensor = m_tensors[i];
        const auto name = "tensor " + shownName(tensor.name);
        const auto elements = countElements(tensor.shape);
        std::int64_t bytes = 0;
        const auto row = tensor.shape.empty() ? 1 : tensor.shape.back();
        if (tensor.type->blockElements == 0)
            throw Error(ErrorCode::Unsupported, "The " + name + " of " + path().string() + " has the type " + std::string(tensor.type->name)
                                                    + ", which ggml has given up; convert the model again to F16, Q8_0 or Q4_K.");
        if (!elements || row % tensor.type->blockElements != 0 || __builtin_mul_overflow(*elements / tensor.type->blockElements, tensor.type->blockBytes, &bytes))
            refuse(name + " has the shape " + shapeText(tensor.shape) + ", which " + std::string(tensor.type->name) + " cannot have");
        if (offsets[i] % alignment != 0)
            refuse(name + " does not begin at a multiple of " + std::to_string(alignment));
        if (dataStart > fileBytes || offsets[i] > fileBytes - dataStart || static_cast<std::uint64_t>(bytes) > fileBytes - dataStart - offsets[i])
            refuse("the data of " + name + " lies outside the file (is the download complete?)");
        tensor.bytes = m_file->bytes().subspan(static_cast<std::size_t>(dataStart + offsets[i]), static_cast<std::size_t>(bytes));
    }
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        const auto &x = m_tensors[a].bytes, &y = m_tensors[b].bytes;
        return x.data() != y.data() ? x.data() < y.data() : x.size() < y.size();
    });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (m_tensors[order[i]].bytes.data() < m_tensors[order[i - 1]].bytes.data() + m_tensors[order[i - 1]].bytes.size())
            refuse("the data of tensor " + shownName(m_tensors[order[i]].name) + " overlaps another tensor's");
}

const GgufTensor *GgufFile::findTensor(std::string_view name) const {
    const auto found = m_tensorIndex.find(name);
    return found == m_tensorIndex.end() ? nullptr : &m_tensors[found->second];
}

const GgufFile::Value *GgufFile::find(std::string_view key) const {
    const auto found = m_values.find(key);
    return found == m_values.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> GgufFile::integerAt(ValueType type, const std::byte *at) {
    switch (type) {
    case ValueType::U8: return load<std::uint8_t>(at);
    case ValueType::I8: return load<std::int8_t>(at);
    case ValueType::U16: return load<std::uint16_t>(at);
    case ValueType::I16: return load<std::int16_t>(at);
    case ValueType::U32: return load<std::uint32_t>(at);
    case ValueType::I32: return load<std::int32_t>(at);
    case ValueType::I64: return load<std::int64_t>(at);
    case ValueType::U64: {
        const auto value = load<std::uint64_t>(at);
        return value > static_cast<std::uint64_t>(INT64_MAX) ? std::nullopt : std::optional(static_cast<std::int64_t>(value));
    }
    case ValueType::F32: case ValueType::F64: case ValueType::Bool: case ValueType::Text: case ValueType::Array: break;
    }
    return std::nullopt;
}

std::optional<std::string_view> GgufFile::text(std::string_view key) const {
    const auto *value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (value->type != ValueType::Text)
        wrongKind(key, "a text");
    return std::string_view(reinterpret_cast<const char *>(value->bytes.data()) + 8, value->bytes.size() - 8);
}

std::optional<std::int64_t> GgufFile::integer(std::string_view key) const {
    const auto *value = find(key);
    if (value == nullptr)
        return std::nullopt;
    const auto result = integerAt(value->type, value->bytes.data());
    if (!result)
        wrongKind(key, "an integer");
    return result;
}

std::optional<double> GgufFile::number(std::string_view key) const {
    const auto *value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (value->type == ValueType::F32)
        return shortest(load<float>(value->bytes.data()));
    if (value->type == ValueType::F64)
        return load<double>(value->bytes.data());
    const auto whole = integerAt(value->type, value->bytes.data());
    if (!whole)
        wrongKind(key, "a number");
    return static_cast<double>(*whole);
}

std::optional<bool> GgufFile::flag(std::string_view key) const {
    const auto *value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (value->type != ValueType::Bool)
        wrongKind(key, "true or false");
    return value->bytes.front() != std::byte{0};
}

std::optional<std::vector<std::string_view>> GgufFile::texts(std::string_view key) const {
    const auto *value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (value->type != ValueType::Array || value->elementType != ValueType::Text)
        wrongKind(key, "a list of texts");
    std::vector<std::string_view> list;
    list.reserve(static_cast<std::size_t>(value->count));
    const auto *at = value->bytes.data();
    for (std::uint64_t i = 0; i < value->count; ++i) {
        const auto size = static_cast<std::size_t>(load<std::uint64_t>(at));
        list.emplace_back(reinterpret_cast<const char *>(at) + 8, size);
        at += 8 + size;
    }
    return list;
}

std::optional<std::vector<float>> GgufFile::numbers(std::string_view key) const {
    const auto *value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (value->type != ValueType::Array || (value->elementType != ValueType::F32 && value->elementType != ValueType::F64))
        wrongKind(key, "a list of real numbers");
    std::vector<float> list(static_cast<std::size_t>(value->count));
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i] = value->elementType == ValueType::F32 ? load<float>(value->bytes.data() + 4 * i) : static_cast<float>(load<double>(value->bytes.data() + 8 * i));
    return list;
}

std::optional<std::vector<std::int64_t>> GgufFile::integers(std::string_view key) const {
    const auto *value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (value->type != ValueType::Array)
        wrongKind(key, "a list of integers");
    std::vector<std::int64_t> list;
    if (sizeOf(value->elementType) > 0)   // of a list of texts, none is read
        list.reserve(static_cast<std::size_t>(value->count));
    for (std::uint64_t i = 0; i < value->count; ++i) {
        const auto whole = integerAt(value->elementType, value->bytes.data() + i * sizeOf(value->elementType));
        if (!whole)
            wrongKind(key, "a list of integers");
        list.push_back(*whole);
    }
    return list;
}

}  // namespace stillroom::checkpoint
