// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokentable.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace stillroom::text {

/// Merge rules in file order, two strings each, in one blob.
class MergeList {
public:
    void add(std::string_view left, std::string_view right);
    [[nodiscard]] std::size_t size() const noexcept { return m_ends.size() / 2; }
    [[nodiscard]] std::string_view left(std::size_t i) const noexcept { return part(2 * i); }
    [[nodiscard]] std::string_view right(std::size_t i) const noexcept { return part(2 * i + 1); }

private:
    [[nodiscard]] std::string_view part(std::size_t i) const noexcept
    {
        const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
        return std::string_view(m_bytes).substr(begin, m_ends[i] - begin);
    }
    std::string m_bytes;
    std::vector<std::uint32_t> m_ends;
};

/// A tokenizer.json: its two long parts read straight into compact tables, the rest as a small tree.
struct TokenizerJson {
    nlohmann::json rest;            ///< the document without model.vocab and model.merges
    TokenTable vocabulary;
    bool vocabularyIsList = false;  ///< model.vocab is an array (Unigram)
    MergeList merges;
};

/// Parses a tokenizer.json; `where` names the file in messages. Depth and size of the tree are limited.
/// \throws Error(BadFile)
[[nodiscard]] TokenizerJson parseTokenizerJson(std::string_view bytes, const std::string &where);
/// Parses the older vocab.json: one object {token: id}. \throws Error(BadFile)
[[nodiscard]] TokenTable parseVocabJson(std::string_view bytes, const std::string &where);
/// Parses the older merges.txt. \throws Error(BadFile)
[[nodiscard]] MergeList parseMergesText(std::string_view bytes, const std::string &where);

/// A whole file. \throws Error(BadFile) when it cannot be read or is larger than `mostBytes`.
[[nodiscard]] std::string readTextFile(const std::filesystem::path &path, std::uintmax_t mostBytes = 512U * 1024U * 1024U);

}  // namespace stillroom::text
