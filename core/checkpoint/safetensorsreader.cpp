// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/boundedjson.h"
#include "checkpoint/dtypes.h"
#include "checkpoint/mappedtensors.h"
#include "checkpoint/safetensors.h"
#include "error.h"
#include "shownname.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

namespace stillroom::checkpoint {

namespace {

using Json = nlohmann::json;

constexpr std::size_t lengthBytes = 8;
constexpr std::size_t maxRank = 16;
constexpr std::array readTypes{DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64, DType::I32, DType::I16, DType::I8, DType::U8, DType::Bool};

[[noreturn]] void refuse(const std::string &where, const std::string &why) {
    throw Error(ErrorCode::BadFile, where + " is not a valid safetensors file: " + why + "; replace it by an undamaged copy.");
}

DType typeFromName(const std::string &name, const std::string &where, const std::string &tensor) {
    for (const auto dtype : readTypes)
        if (dtypeName(dtype) == name)
            return dtype;
    throw Error(ErrorCode::Unsupported, "Tensor " + shownName(tensor) + " of " + where + " has the type \"" + shownName(name)
                                            + "\", which is not read; save the model as F32, F16 or BF16.");
}

// A number of the header: an unsigned integer that fits int64.
std::int64_t count(const Json &value, const std::string &where, const std::string &tensor, const char *field) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        refuse(where, "the " + std::string(field) + " of " + shownName(tensor) + " holds something that is not a size");
    return static_cast<std::int64_t>(value.get<std::uint64_t>());
}

const Json &field(const Json &entry, const char *name, const std::string &where, const std::string &tensor) {
    const auto found = entry.find(name);
    if (found == entry.end())
        refuse(where, "the entry of " + shownName(tensor) + " has no \"" + name + "\"");
    return *found;
}

TensorPlace parseEntry(const std::string &name, const Json &entry, std::span<const std::byte> data, const std::string &where) {
    if (!entry.is_object() || entry.size() != 3)
        refuse(where, "the entry of " + shownName(name) + " is not {dtype, shape, data_offsets}");
    const auto &dtype = field(entry, "dtype", where, name), &shape = field(entry, "shape", where, name), &offsets = field(entry, "data_offsets", where, name);
    if (!dtype.is_string() || !shape.is_array() || shape.size() > maxRank || !offsets.is_array() || offsets.size() != 2)
        refuse(where, "the entry of " + shownName(name) + " has a field of the wrong kind");
    TensorPlace place;
    place.info.name = name;
    place.info.dtype = typeFromName(dtype.get<std::string>(), where, name);
    for (const auto &extent : shape)
        place.info.shape.push_back(count(extent, where, name, "shape"));
    const auto begin = count(offsets[0], where, name, "data_offsets"), end = count(offsets[1], where, name, "data_offsets");
    const auto size = sizeBytesOf(place.info.dtype, place.info.shape);
    if (begin > end || static_cast<std::uint64_t>(end) > data.size())
        refuse(where, "the data of " + shownName(name) + " lies outside the file (is the download complete?)");
    if (!size || *size != end - begin)
        refuse(where, "the data of " + shownName(name) + " is " + std::to_string(end - begin) + " bytes, which does not agree with " + dtype.get<std::string>() + " × "
                          + shapeText(place.info.shape));
    place.bytes = data.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    return place;
}

// The format's rule: tensors lie one after the other and fill the file.
void checkLayout(const std::vector<TensorPlace> &places, std::span<const std::byte> data, const std::string &where) {
    std::vector<const TensorPlace *> sorted;
    sorted.reserve(places.size());
    for (const auto &place : places)
        sorted.push_back(&place);
    std::sort(sorted.begin(), sorted.end(), [](const TensorPlace *a, const TensorPlace *b) {
        return a->bytes.data() != b->bytes.data() ? a->bytes.data() < b->bytes.data() : a->bytes.size() < b->bytes.size();
    });
    const auto *end = data.data();
    for (const auto *place : sorted) {
        if (place->bytes.data() != end)
            refuse(where, "the data of " + shownName(place->info.name) + (place->bytes.data() < end ? " overlaps another tensor's" : " is preceded by a gap"));
        end += place->bytes.size();
    }
    if (end != data.data() + data.size())
        refuse(where, std::to_string(data.data() + data.size() - end) + " bytes at its end belong to no tensor");
}

void checkMetadata(const Json &metadata, const std::string &where) {
    if (!metadata.is_object())
        refuse(where, "its __metadata__ is not an object");
    for (const auto &item : metadata.items())
        if (!item.value().is_string())
            refuse(where, "its __metadata__ holds something that is not a string");
}

struct Header {
    Json json;
    std::span<const std::byte> data;
};

Header parseHeader(const MappedFile &file) {
    const auto where = file.path().string();
    const auto bytes = file.bytes();
    if (bytes.size() < lengthBytes)
        refuse(where, "it has only " + std::to_string(bytes.size()) + " bytes");
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), lengthBytes);
    if (length > bytes.size() - lengthBytes)
        refuse(where, "its header would be longer than the file (is the download complete?)");
    const std::string_view text(reinterpret_cast<const char *>(bytes.data()) + lengthBytes, static_cast<std::size_t>(length));
    if (text.empty() || text.front() != '{')
        refuse(where, "its header is not a JSON object");
    JsonLimits limits;
    limits.maxBytes = std::size_t{100} << 20;   // as the reference implementation
    limits.maxDepth = 4;
    return {parseBoundedJson(text, "The header of " + where, limits), bytes.subspan(lengthBytes + text.size())};
}

}  // namespace

std::shared_ptr<const TensorSource> openSafetensors(const std::filesystem::path &path) {
    auto file = std::make_shared<const MappedFile>(path);
    const auto where = path.string();
    const auto header = parseHeader(*file);
    std::vector<TensorPlace> places;
    places.reserve(header.json.size());
    for (const auto &item : header.json.items()) {
        if (item.key() == "__metadata__")
            checkMetadata(item.value(), where);
        else
            places.push_back(parseEntry(item.key(), item.value(), header.data, where));
    }
    checkLayout(places, header.data, where);
    return std::make_shared<const MappedTensors>(std::move(file), std::move(places));
}

std::vector<std::pair<std::string, std::string>> readSafetensorsMetadata(const std::filesystem::path &path) {
    const MappedFile file(path);
    const auto header = parseHeader(file);
    std::vector<std::pair<std::string, std::string>> metadata;
    const auto found = header.json.find("__metadata__");
    if (found == header.json.end())
        return metadata;
    checkMetadata(*found, path.string());
    for (const auto &item : found->items())
        metadata.emplace_back(item.key(), item.value().get<std::string>());
    return metadata;
}

}  // namespace stillroom::checkpoint
