// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace stillroom::text {

/// Whose Unicode tables a pattern is to see: characters newer than PCRE2's own (Unicode 14 in Debian 12) are added to its classes.
enum class CharacterTables {
    HuggingFace,   ///< Oniguruma's, Unicode 16
    LlamaCpp,      ///< Unicode 15.1
};

/// Buffers of a search, one per thread: match data and the stack of compiled patterns.
class RegexScratch {
public:
    RegexScratch();
    ~RegexScratch();
    RegexScratch(RegexScratch &&) noexcept;
    RegexScratch &operator=(RegexScratch &&) noexcept;

private:
    friend class TextRegex;
    struct State;
    std::unique_ptr<State> m_state;
};

/// A pattern as tokenizer files write them (Oniguruma's Ruby syntax, which Hugging Face's `tokenizers` uses), run by PCRE2's compiler to machine code.
/// Constructs whose meaning in PCRE2 would differ are translated or refused by name; see patternFromOniguruma().
class TextRegex {
public:
    /// \throws Error(BadFile) for a pattern that does not compile, Error(Unsupported) for a construct that is not understood.
    explicit TextRegex(std::string_view pattern, CharacterTables tables = CharacterTables::HuggingFace);
    /// A pattern that matches exactly `text`.
    [[nodiscard]] static TextRegex literal(std::string_view text);
    ~TextRegex();
    TextRegex(TextRegex &&) noexcept;
    TextRegex &operator=(TextRegex &&) noexcept;

    struct Match {
        std::size_t begin;
        std::size_t end;
    };
    /// First match at or after `from` within `text` (valid UTF-8; look-behind sees text before `from`).
    /// \throws Error(Failed) when the pattern backtracks beyond every limit: never a wrong answer.
    [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from, RegexScratch &scratch) const;

    /// Calls visit(begin, end) for every match as Oniguruma's iterator finds them: an empty match right after a match is passed over.
    template <class Visit>
    void forEach(std::string_view text, RegexScratch &scratch, Visit visit) const
    {
        std::size_t from = 0;
        std::optional<std::size_t> lastEnd;
        while (from <= text.size()) {
            const std::optional<Match> match = find(text, from, scratch);
            if (!match) {
                return;
            }
            if (match->begin == match->end && lastEnd == match->end) {
                from += nextCharacter(text, from);
                continue;
            }
            from = match->end;
            lastEnd = match->end;
            visit(match->begin, match->end);
        }
    }

private:
    struct Compiled;
    explicit TextRegex(std::unique_ptr<Compiled> compiled);
    static std::size_t nextCharacter(std::string_view text, std::size_t offset) noexcept;

    std::unique_ptr<Compiled> m_compiled;
};

/// The same pattern in PCRE2's syntax (with UTF, UCP and MULTILINE).
/// White space, word and digit classes, property names, \h, \v, {,n} and anchors differ between the two; characters newer than PCRE2's Unicode tables are added.
/// \throws Error(Unsupported)
[[nodiscard]] std::string patternFromOniguruma(std::string_view pattern, CharacterTables tables);

}  // namespace stillroom::text
