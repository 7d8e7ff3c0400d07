// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"
#include "text/tokenizer.h"

#include <algorithm>
#include <sstream>

namespace stillroom::test {

/// One token a word, split at white space and in front of ":", "," and "."; words that are not there become the last token.
class WordTokenizer final : public text::Tokenizer {
public:
    explicit WordTokenizer(std::vector<std::string> words) : m_words(std::move(words)) {}

    [[nodiscard]] std::vector<text::TokenId> encode(std::string_view text, bool) const override
    {
        std::string spaced;
        for (const char c : text)
            spaced += c == ':' || c == ',' || c == '.' ? std::string(" ") + c : std::string(1, c);
        std::istringstream parts(spaced);
        std::vector<text::TokenId> ids;
        for (std::string word; parts >> word;)
            ids.push_back(std::min<text::TokenId>(std::find(m_words.begin(), m_words.end(), word) - m_words.begin(), vocabSize() - 1));
        return ids;
    }
    [[nodiscard]] std::string decode(std::span<const text::TokenId> ids, bool) const override
    {
        std::string text;
        for (const text::TokenId id : ids)
            text += ' ' + tokenOf(id);
        return text;
    }
    [[nodiscard]] std::int64_t vocabSize() const override { return static_cast<std::int64_t>(m_words.size()); }
    [[nodiscard]] std::optional<text::TokenId> idOf(std::string_view) const override { return std::nullopt; }
    [[nodiscard]] std::string tokenOf(text::TokenId id) const override
    {
        if (id < 0 || id >= vocabSize())
            throw Error(ErrorCode::Usage, "there is no such token");
        return m_words[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] std::optional<text::TokenId> bosId() const override { return std::nullopt; }
    [[nodiscard]] std::optional<text::TokenId> unknownId() const override { return std::nullopt; }
    [[nodiscard]] std::vector<text::TokenId> eosIds() const override { return {}; }
    [[nodiscard]] std::optional<std::string> chatTemplate() const override { return std::nullopt; }
    [[nodiscard]] std::string identity() const override { return "words"; }
    [[nodiscard]] std::vector<text::TokenizerPart> parts() const override { return {}; }

private:
    std::vector<std::string> m_words;
};

}  // namespace stillroom::test
