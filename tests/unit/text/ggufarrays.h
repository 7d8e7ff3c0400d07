// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/ggufbuilder.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace stillroom::text::test {

template <class T>
std::string rawBytes(T value)
{
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

inline void setTexts(GgufBuilder &file, const std::string &key, const std::vector<std::string> &values)
{
    std::string bytes = rawBytes(std::uint32_t{8}) + rawBytes(std::uint64_t{values.size()});
    for (const std::string &value : values) {
        bytes += rawBytes(std::uint64_t{value.size()}) + value;
    }
    file.setRaw(key, 9, bytes);
}

/// Elements of GGUF type 5 (int32) or 6 (float32).
template <class T>
void setArray(GgufBuilder &file, const std::string &key, const std::vector<T> &values)
{
    std::string bytes = rawBytes(std::uint32_t{std::is_floating_point_v<T> ? 6U : 5U}) + rawBytes(std::uint64_t{values.size()});
    for (const T value : values) {
        bytes += rawBytes(value);
    }
    file.setRaw(key, 9, bytes);
}

}  // namespace stillroom::text::test
