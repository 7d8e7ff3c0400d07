// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/mappedtensors.h"

#include "checkpoint/dequantise.h"
#include "checkpoint/dtypes.h"
#include "error.h"
#include "shownname.h"

#include <algorithm>
#include <cstring>

namespace stillroom::checkpoint {

namespace {

// Pages of the file are given back in steps of about this size, so that reading a tensor never holds it twice.
constexpr std::size_t stepElements = std::size_t{1} << 20;

template <typename Integer>
void widen(std::span<const std::byte> source, std::span<std::int64_t> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        Integer value = 0;
        std::memcpy(&value, source.data() + i * sizeof value, sizeof value);
        out[i] = static_cast<std::int64_t>(value);
    }
}

}  // namespace

MappedTensors::MappedTensors(std::shared_ptr<const MappedFile> file, std::vector<TensorPlace> places) : m_file(std::move(file)) {
    m_infos.reserve(places.size());
    m_data.reserve(places.size());
    m_index.reserve(places.size());
    for (auto &place : places) {
        m_infos.push_back(std::move(place.info));
        m_data.push_back({place.bytes, place.interleavedHeads});
    }
    for (std::size_t i = 0; i < m_infos.size(); ++i)
        m_index.emplace(m_infos[i].name, i);
}

std::size_t MappedTensors::indexOf(std::string_view name) const {
    const auto found = m_index.find(name);
    if (found == m_index.end())
        throw Error(ErrorCode::BadFile, m_file->path().string() + " has no tensor " + shownName(name) + "; use a file that holds it.");
    return found->second;
}

const TensorInfo *MappedTensors::find(std::string_view name) const {
    const auto found = m_index.find(name);
    return found == m_index.end() ? nullptr : &m_infos[found->second];
}

void MappedTensors::checkSize(const TensorInfo &info, std::size_t size) const {
    if (size != static_cast<std::size_t>(info.numElements()))
        throw Error(ErrorCode::BadFile, "Tensor " + shownName(info.name) + " of " + m_file->path().string() + " has shape " + shapeText(info.shape) + ", but "
                                            + std::to_string(size) + " values were asked for.");
}

void MappedTensors::readFloat32(std::string_view name, std::span<float> out) const {
    const auto index = indexOf(name);
    const auto &info = m_infos[index];
    const auto &data = m_data[index];
    if (isInteger(info.dtype))
        throw Error(ErrorCode::BadFile, "Tensor " + shownName(info.name) + " of " + m_file->path().string() + " holds integers (" + std::string(dtypeName(info.dtype))
                                            + ") where real numbers are needed; write it as F32, F16 or BF16.");
    checkSize(info, out.size());
    if (data.interleavedHeads > 0)
        return readInterleaved(info, data, out);
    const auto block = blockOf(info.dtype);
    for (std::size_t begin = 0; begin < out.size(); begin += stepElements) {   // a step is a whole number of blocks of every type
        const auto part = out.subspan(begin, std::min(stepElements, out.size() - begin));
        const auto source = data.bytes.subspan(begin / static_cast<std::size_t>(block.elements) * static_cast<std::size_t>(block.bytes),
                                               part.size() / static_cast<std::size_t>(block.elements) * static_cast<std::size_t>(block.bytes));
        toFloat32(info.dtype, source, part);
        m_file->release(source);
    }
}

// llama.cpp rotates neighbouring rows of a head, Hugging Face row j and row j + K/2: row j < K/2 of a head is the file's row 2j, row K/2 + j is 2j + 1.
void MappedTensors::readInterleaved(const TensorInfo &info, const Data &data, std::span<float> out) const {
    const auto rows = static_cast<std::size_t>(info.shape[0]);
    if (rows == 0)
        return;
    const auto headRows = rows / static_cast<std::size_t>(data.interleavedHeads);
    const auto columns = out.size() / rows, rowBytes = data.bytes.size() / rows;
    for (std::size_t head = 0; head < rows; head += headRows) {
        for (std::size_t row = 0; row < headRows; ++row) {
            const auto filed = row < headRows / 2 ? 2 * row : 2 * (row - headRows / 2) + 1;
            toFloat32(info.dtype, data.bytes.subspan((head + filed) * rowBytes, rowBytes), out.subspan((head + row) * columns, columns));
        }
        m_file->release(data.bytes.subspan(head * rowBytes, headRows * rowBytes));
    }
}

void MappedTensors::readInt64(std::string_view name, std::span<std::int64_t> out) const {
    const auto index = indexOf(name);
    const auto &info = m_infos[index];
    checkSize(info, out.size());
    const auto source = m_data[index].bytes;
    switch (info.dtype) {
    case DType::I64: widen<std::int64_t>(source, out); break;
    case DType::I32: widen<std::int32_t>(source, out); break;
    case DType::I16: widen<std::int16_t>(source, out); break;
    case DType::I8: widen<std::int8_t>(source, out); break;
    case DType::U8: widen<std::uint8_t>(source, out); break;
    case DType::Bool: std::transform(source.begin(), source.end(), out.begin(), [](std::byte b) { return b == std::byte{0} ? 0 : 1; }); break;
    default:
        throw Error(ErrorCode::BadFile, "Tensor " + shownName(info.name) + " of " + m_file->path().string() + " is of type " + std::string(dtypeName(info.dtype))
                                            + " where integers are needed; write it as I64.");
    }
    m_file->release(source);
}

std::span<const std::byte> MappedTensors::bytes(std::string_view name) const {
    const auto index = indexOf(name);
    if (isQuantised(m_infos[index].dtype) || m_data[index].interleavedHeads > 0)
        throw Error(ErrorCode::BadFile, "Tensor " + shownName(m_infos[index].name) + " of " + m_file->path().string()
                                            + " is quantised or reordered, so its bytes in the file are not its values: read it as float32.");
    return m_data[index].bytes;
}

void MappedTensors::release(std::string_view name) const {
    m_file->release(m_data[indexOf(name)].bytes);
}

}  // namespace stillroom::checkpoint
