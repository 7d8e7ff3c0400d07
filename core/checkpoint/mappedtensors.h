// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/mappedfile.h"
#include "checkpoint/tensorsource.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace stillroom::checkpoint {

/// Where one tensor of a mapped file lies.
struct TensorPlace {
    TensorInfo info;
    std::span<const std::byte> bytes;
    std::int64_t interleavedHeads = 0;   ///< > 0: rows of this many heads lie in llama.cpp's rotary order and are put back when read
};

/// The tensors of one mapped file, whatever its format: readers build the table, this reads it.
class MappedTensors final : public TensorSource {
public:
    /// \pre every place was checked: inside the map, as long as shape × type says, names unique.
    MappedTensors(std::shared_ptr<const MappedFile> file, std::vector<TensorPlace> places);

    [[nodiscard]] const std::vector<TensorInfo> &tensors() const override { return m_infos; }
    [[nodiscard]] const TensorInfo *find(std::string_view name) const override;
    void readFloat32(std::string_view name, std::span<float> out) const override;
    void readInt64(std::string_view name, std::span<std::int64_t> out) const override;
    [[nodiscard]] std::span<const std::byte> bytes(std::string_view name) const override;
    void release(std::string_view name) const override;

private:
    struct Data {
        std::span<const std::byte> bytes;
        std::int64_t interleavedHeads = 0;
    };
    [[nodiscard]] std::size_t indexOf(std::string_view name) const;
    void checkSize(const TensorInfo &info, std::size_t size) const;
    void readInterleaved(const TensorInfo &info, const Data &data, std::span<float> out) const;

    std::shared_ptr<const MappedFile> m_file;
    std::vector<TensorInfo> m_infos;
    std::vector<Data> m_data;
    std::unordered_map<std::string_view, std::size_t> m_index;   // views into m_infos, which never changes
};

}  // namespace stillroom::checkpoint
