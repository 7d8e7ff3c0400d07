// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/tensorfile.h"

#include "error.h"

#include <ATen/ATen.h>

#include <cstring>

namespace stillroom::nn {
namespace {

using checkpoint::DType;

bool isInteger(DType dtype)
{
    return dtype == DType::I64 || dtype == DType::I32 || dtype == DType::I16 || dtype == DType::I8 || dtype == DType::U8 || dtype == DType::Bool;
}

at::ScalarType storedType(const checkpoint::TensorInfo &info)
{
    switch (info.dtype) {
    case DType::F64: return at::kDouble;
    case DType::F32: return at::kFloat;
    case DType::F16: return at::kHalf;
    case DType::BF16: return at::kBFloat16;
    case DType::I64: return at::kLong;
    case DType::I32: return at::kInt;
    case DType::I16: return at::kShort;
    case DType::I8: return at::kChar;
    case DType::U8: return at::kByte;
    case DType::Bool: return at::kBool;
    default: throw Error(ErrorCode::Unsupported, "tensor " + info.name + " is quantised (" + std::string(checkpoint::dtypeName(info.dtype)) + "): it can only be read as float32");
    }
}

DType fileType(const at::Tensor &tensor, const std::string &name)
{
    switch (tensor.scalar_type()) {
    case at::kDouble: return DType::F64;
    case at::kFloat: return DType::F32;
    case at::kHalf: return DType::F16;
    case at::kBFloat16: return DType::BF16;
    case at::kLong: return DType::I64;
    case at::kInt: return DType::I32;
    case at::kShort: return DType::I16;
    case at::kChar: return DType::I8;
    case at::kByte: return DType::U8;
    case at::kBool: return DType::Bool;
    default: throw Error(ErrorCode::Failed, "tensor " + name + " has a type that safetensors files do not hold: " + std::string(at::toString(tensor.scalar_type())));
    }
}

const checkpoint::TensorInfo &require(const checkpoint::TensorSource &source, const std::string &name)
{
    const checkpoint::TensorInfo *info = source.find(name);
    if (!info)
        throw Error(ErrorCode::BadFile, "the file holds no tensor named " + name);
    return *info;
}

at::Tensor readAsStored(const checkpoint::TensorSource &source, const checkpoint::TensorInfo &info)
{
    at::Tensor tensor = at::empty(info.shape, at::TensorOptions(storedType(info)));
    const std::span<const std::byte> bytes = source.bytes(info.name);
    if (!bytes.empty())
        std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
    return tensor;
}

}  // namespace

at::Tensor readTensor(const checkpoint::TensorSource &source, const std::string &name)
{
    const checkpoint::TensorInfo &info = require(source, name);
    const auto count = static_cast<std::size_t>(info.numElements());
    if (isInteger(info.dtype)) {
        at::Tensor tensor = at::empty(info.shape, at::TensorOptions(at::kLong));
        source.readInt64(name, std::span(tensor.data_ptr<std::int64_t>(), count));
        return tensor;
    }
    if (info.dtype == DType::F64)
        return readAsStored(source, info);
    at::Tensor tensor = at::empty(info.shape, at::TensorOptions(at::kFloat));
    source.readFloat32(name, std::span(tensor.data_ptr<float>(), count));
    return tensor;
}

NamedTensors readTensorsAsStored(const std::filesystem::path &file)
{
    const auto source = checkpoint::openSafetensors(file);
    NamedTensors tensors;
    for (const checkpoint::TensorInfo &info : source->tensors())
        tensors.emplace_back(info.name, readAsStored(*source, info));
    return tensors;
}

void writeTensors(const std::filesystem::path &file, const NamedTensors &tensors, const std::vector<std::pair<std::string, std::string>> &metadata)
{
    std::vector<at::Tensor> kept;
    std::vector<checkpoint::TensorToWrite> written;
    kept.reserve(tensors.size());
    written.reserve(tensors.size());
    for (const auto &[name, tensor] : tensors) {
        kept.push_back(tensor.detach().to(at::kCPU).contiguous());
        const at::Tensor &plain = kept.back();
        checkpoint::TensorToWrite one;
        one.info = {name, fileType(plain, name), plain.sizes().vec()};
        one.data = std::span(static_cast<const std::byte *>(plain.data_ptr()), plain.nbytes());
        written.push_back(std::move(one));
    }
    checkpoint::writeSafetensors(file, written, metadata);
}

}  // namespace stillroom::nn
