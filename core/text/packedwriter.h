// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

namespace stillroom::text {

/// Writes a split as one safetensors file, sequence by sequence: tokens int32 [N, 2, T] (ids; document numbers, -1 for padding) and num_tokens.
/// Nothing stands under the final name before `finish`.
class PackedWriter final {
public:
    PackedWriter(const std::filesystem::path &file, std::int64_t sequenceLength);
    ~PackedWriter();
    PackedWriter(const PackedWriter &) = delete;
    PackedWriter &operator=(const PackedWriter &) = delete;
    void append(std::span<const TokenId> document);
    void finish();   ///< \throws Error(Io)

private:
    void writeSequence();
    std::filesystem::path m_file, m_part;
    std::ofstream m_stream;
    std::vector<std::int32_t> m_ids, m_documents;
    std::int64_t m_sequenceLength, m_numSequences = 0, m_numTokens = 0;
    std::int32_t m_document = 0;
};

}  // namespace stillroom::text
