// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/normalizer.h"
#include "text/tokentable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stillroom::text {

/// A token that is found in the text before the model sees it (`added_tokens` of a tokenizer.json).
struct AddedToken {
    std::string content;
    std::uint32_t id = 0;
    bool singleWord = false;   ///< only where no word character touches it
    bool leftStrip = false;    ///< takes the white space before it
    bool rightStrip = false;   ///< takes the white space after it
    bool normalized = false;   ///< found in the normalized text, by its normalized spelling
    bool special = false;      ///< left out by decode(skipSpecial)
    std::string shown;         ///< what decode() writes: the normalized spelling of a normalized token, as the library does
};

/// Finds the longest of many strings at a place: a trie over bytes.
class StringMatcher {
public:
    /// \throws Error(BadFile) when the strings take more nodes than any real set of added tokens.
    void add(std::string_view text, std::uint32_t value);
    [[nodiscard]] bool empty() const noexcept { return m_nodes.size() == 1; }

    struct Match {
        std::size_t begin;
        std::size_t end;
        std::uint32_t value;
    };
    /// Leftmost, then longest match that starts at or after `from`.
    [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from) const noexcept;
    /// Marks the value of every string that occurs in the text.
    void markAll(std::string_view text, std::vector<bool> &seen) const;

private:
    static constexpr std::size_t mostNodes = 300'000;   // 40 bytes each, and as much again while the table grows
    struct Node {
        std::vector<std::pair<char, std::uint32_t>> next;   // sorted by byte
        std::int64_t value = -1;
    };
    [[nodiscard]] std::uint32_t child(std::uint32_t node, char byte) const noexcept;   // 0: none
    std::vector<Node> m_nodes = std::vector<Node>(1);
    std::vector<bool> m_starts = std::vector<bool>(256, false);
};

/// A stretch of text between added tokens, or one such token.
struct Segment {
    std::size_t begin;
    std::size_t end;
    std::optional<std::uint32_t> token;
};

/// The added tokens of a tokenizer, as Hugging Face's AddedVocabulary treats them.
class AddedTokens {
public:
    /// Gives the token the id of the same spelling in the vocabulary or among earlier added tokens, else the next free id.
    void add(AddedToken token, const TokenTable &vocabulary);
    /// Builds the matchers; normalized tokens are looked for by their normalized spelling.
    void finish(const Normalizer *normalizer);

    [[nodiscard]] std::vector<Segment> splitRaw(std::string_view text) const { return split(text, m_raw); }
    [[nodiscard]] std::vector<Segment> splitNormalized(std::string_view text) const { return split(text, m_normalized); }
    [[nodiscard]] const std::vector<AddedToken> &tokens() const noexcept { return m_tokens; }
    [[nodiscard]] const AddedToken *withId(std::uint32_t id) const noexcept;
    [[nodiscard]] const AddedToken *named(std::string_view content) const;
    [[nodiscard]] bool isSpecial(std::string_view content) const;

private:
    [[nodiscard]] std::vector<Segment> split(std::string_view text, const StringMatcher &matcher) const;
    std::vector<AddedToken> m_tokens;
    std::unordered_map<std::string, std::size_t> m_byContent;
    std::unordered_map<std::uint32_t, std::size_t> m_byId;
    std::uint32_t m_idEnd = 0;   // of the added tokens
    StringMatcher m_raw;
    StringMatcher m_normalized;
};

}  // namespace stillroom::text
