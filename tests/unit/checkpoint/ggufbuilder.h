// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Writes GGUF files field by field, right or wrong as a test wants them.
struct GgufBuilder {
    struct Tensor {
        std::string name;
        std::vector<std::uint64_t> extents;   ///< the file's order: fastest first
        std::uint32_t type = 0;
        std::string bytes;
        std::optional<std::uint64_t> offset;      ///< instead of the right one
    };
    std::uint32_t version = 3;
    std::vector<std::pair<std::string, std::string>> metadata;   ///< key, encoded type and value
    std::vector<Tensor> tensors;
    std::optional<std::uint64_t> claimedTensors, claimedKeys;   ///< instead of the right counts

    void setText(const std::string &key, const std::string &value);
    void setInteger(const std::string &key, std::uint32_t value);
    void setNumber(const std::string &key, float value);
    /// Any type number and value bytes.
    void setRaw(const std::string &key, std::uint32_t type, const std::string &value);
    void remove(const std::string &key);
    /// A float32 tensor of zeros; extents fastest first.
    void addTensor(const std::string &name, std::vector<std::uint64_t> extents);
    [[nodiscard]] std::string bytes() const;
    void write(const std::filesystem::path &file) const;

    /// A whole model of one layer, hidden size 32.
    static GgufBuilder smallLlama();
};
