// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Named arrays in files, without a tensor library: safetensors (single or sharded) and GGUF.
namespace stillroom::checkpoint {

enum class DType { F64, F32, F16, BF16, I64, I32, I16, I8, U8, Bool, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K };

[[nodiscard]] std::string_view dtypeName(DType dtype);          ///< "F32", "Q4_1", …
[[nodiscard]] bool isQuantised(DType dtype);

struct TensorInfo {
    std::string name;                  ///< Hugging Face's name, whatever the file's own is
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;   ///< row-major, outermost first (GGUF's order reversed); empty = scalar
    [[nodiscard]] std::int64_t numElements() const;
};

/// A read-only set of named arrays, memory-mapped. Every header was checked before the object exists:
/// offsets in the file, no overlap, sizes that agree with shape × type, no product that overflows.
class TensorSource {
public:
    virtual ~TensorSource() = default;
    [[nodiscard]] virtual const std::vector<TensorInfo> &tensors() const = 0;
    [[nodiscard]] virtual const TensorInfo *find(std::string_view name) const = 0;   ///< null when absent
    /// Values as float32, dequantised and (GGUF q/k of Llama conversions) rows put back in Hugging Face's order.
    /// \throws Error(BadFile) when absent, of an integer type, or when `out.size()` is not numElements().
    virtual void readFloat32(std::string_view name, std::span<float> out) const = 0;
    /// Integers as int64. \throws Error(BadFile) when absent or not an integer type.
    virtual void readInt64(std::string_view name, std::span<std::int64_t> out) const = 0;
    /// The bytes as they lie in the file (not for quantised or permuted tensors: throws).
    [[nodiscard]] virtual std::span<const std::byte> bytes(std::string_view name) const = 0;
    /// Gives back the memory that the file's pages under a tensor take (reading as float32 or int64 does so by itself).
    /// Only a hint: values and spans stay valid and are read from the file again when they are touched.
    virtual void release(std::string_view name) const = 0;
};

/// Opens one .safetensors file. \throws Error(BadFile) naming file, tensor and what is wrong.
[[nodiscard]] std::shared_ptr<const TensorSource> openSafetensors(const std::filesystem::path &file);
/// Opens the shards that a model.safetensors.index.json names.
[[nodiscard]] std::shared_ptr<const TensorSource> openSafetensorsIndex(const std::filesystem::path &indexFile);

/// One array to be written.
struct TensorToWrite {
    TensorInfo info;
    std::span<const std::byte> data;
};
/// Writes a safetensors file with "__metadata__" {"format":"pt", …}: temporary file, fsync, rename.
/// \throws Error(Io) when the disk is full or the folder is not writable; nothing half-written is left under the final name.
void writeSafetensors(const std::filesystem::path &file, const std::vector<TensorToWrite> &tensors,
                      const std::vector<std::pair<std::string, std::string>> &metadata = {});

}  // namespace stillroom::checkpoint
