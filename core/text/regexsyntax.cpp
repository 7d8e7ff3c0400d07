// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "shownname.h"
#include "text/textregex.h"
#include "text/unicodetables.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

namespace stillroom::text {

namespace {

// Oniguruma's white space is Unicode's; PCRE2's \s would also take U+180E.
constexpr std::string_view spaceSet = R"(\x09-\x0D\x20\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";
constexpr std::string_view notSpaceSet =
    R"(\x00-\x08\x0E-\x1F\x21-\x{84}\x{86}-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{10FFFF})";
// Oniguruma's word characters: as Unicode's, with Latin-1's superscripts and fractions, without the joiners.
constexpr std::string_view wordSet = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{B2}\x{B3}\x{B9}\x{BC}-\x{BE})";

constexpr std::array generalCategories{"L",  "Lu", "Ll", "Lt", "Lm", "Lo", "M",  "Mn", "Mc", "Me", "N",  "Nd", "Nl", "No", "P",  "Pc", "Pd", "Ps",
                                       "Pe", "Pi", "Pf", "Po", "S",  "Sm", "Sc", "Sk", "So", "Z",  "Zs", "Zl", "Zp"};
constexpr std::array scripts{"Han", "Hiragana", "Katakana", "Hangul", "Bopomofo", "Latin", "Greek", "Cyrillic", "Arabic", "Hebrew", "Devanagari", "Thai"};

[[noreturn]] void refusePattern(const std::string &what)
{
    throw Error(ErrorCode::Unsupported, "The tokenizer's pattern uses " + shownName(what) + ", which is not understood; convert the tokenizer to a plainer pattern.");
}

void appendRanges(std::string &out, std::span<const CharRange> ranges)
{
    std::array<char, 32> buffer{};
    for (const CharRange &range : ranges) {
        const int length = range.first == range.last
                               ? std::snprintf(buffer.data(), buffer.size(), "\\x{%X}", static_cast<unsigned>(range.first))
                               : std::snprintf(buffer.data(), buffer.size(), "\\x{%X}-\\x{%X}", static_cast<unsigned>(range.first), static_cast<unsigned>(range.last));
        out.append(buffer.data(), static_cast<std::size_t>(length));
    }
}

class Translator {
public:
    Translator(std::string_view pattern, CharacterTables tables) : m_in(pattern), m_tables(tables) {}

    std::string run()
    {
        if (take("(?i)")) {
            m_out += "(?i)";
        }
        while (m_at < m_in.size()) {
            atom();
        }
        return std::move(m_out);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const { return m_at + ahead < m_in.size() ? m_in[m_at + ahead] : '\0'; }
    bool take(std::string_view token)
    {
        if (m_in.substr(m_at, token.size()) != token) {
            return false;
        }
        m_at += token.size();
        return true;
    }

    void atom()
    {
        switch (peek()) {
        case '\\': escape(false); break;
        case '[': characterClass(); break;
        case '(': group(); break;
        case '{': interval(); break;
        case '*':
        case '+':
        case '?':
            m_out += m_in[m_at++];
            break;
        default: m_out += m_in[m_at++];
        }
    }

    void group()
    {
        for (const std::string_view known : {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:"}) {
            if (take(known)) {
                m_out += known;
                return;
            }
        }
        if (peek(1) == '?') {
            refusePattern("the group '" + std::string(m_in.substr(m_at, 4)) + "'");
        }
        m_out += "(?:";   // what a group captured is never asked for
        ++m_at;
    }

    void interval()
    {
        std::size_t end = m_at + 1;
        while (end < m_in.size() && (std::isdigit(static_cast<unsigned char>(m_in[end])) != 0 || m_in[end] == ',')) {
            ++end;
        }
        const std::string_view inside = m_in.substr(m_at + 1, end - m_at - 1);
        if (end >= m_in.size() || m_in[end] != '}' || inside.empty() || std::count(inside.begin(), inside.end(), ',') > 1 || inside == ",") {
            m_out += "\\{";   // not a repetition: the character itself
            ++m_at;
            return;
        }
        m_out += inside.front() == ',' ? "{0" + std::string(inside) + "}" : "{" + std::string(inside) + "}";
        m_at = end + 1;
        if (peek() == '+') {
            refusePattern("a repetition '{…}+'");   // possessive in PCRE2, a repetition of a repetition in Ruby
        }
    }

    // A property or a class escape: inside brackets its members, outside a class of its own.
    void emitSet(std::string_view members, std::span<const CharRange> additions, bool negated, bool inClass)
    {
        if (!inClass) {
            m_out += negated ? "[^" : "[";
        }
        m_out += members;
        appendRanges(m_out, additions);
        if (!inClass) {
            m_out += ']';
        }
    }

    void property(bool inClass)
    {
        const bool capital = peek(1) == 'P';
        const std::size_t end = m_in.find('}', m_at);
        if (peek(2) != '{' || end == std::string_view::npos) {
            refusePattern("'" + std::string(m_in.substr(m_at, 3)) + "'");
        }
        std::string name(m_in.substr(m_at + 3, end - m_at - 3));
        m_at = end + 1;
        const bool caret = !name.empty() && name.front() == '^';
        if (caret) {
            name.erase(0, 1);
        }
        const bool negated = capital != caret;
        if (std::ranges::find(scripts, name) != scripts.end()) {
            if (inClass && negated) {
                refusePattern("a negated property inside brackets");
            }
            emitSet("\\p{sc:" + name + "}", scriptAdditions(name), negated, inClass);
            return;
        }
        if (std::ranges::find(generalCategories, name) == generalCategories.end()) {
            refusePattern("the character property '" + name + "'");
        }
        if (inClass && negated) {
            refusePattern("a negated property inside brackets");
        }
        emitSet("\\p{" + name + "}", m_tables == CharacterTables::LlamaCpp ? categoryAdditions15(name) : categoryAdditions(name), negated, inClass);
    }

    void escape(bool inClass)
    {
        const char c = peek(1);
        if (c == '\0') {
            throw Error(ErrorCode::BadFile, "The tokenizer's pattern ends in a lone backslash; use the model's own tokenizer file.");
        }
        switch (c) {
        case 'p':
        case 'P': property(inClass); return;
        case 's': emitSet(spaceSet, {}, false, inClass); break;
        case 'S':
            if (inClass) {
                m_out += notSpaceSet;
            } else {
                emitSet(spaceSet, {}, true, false);
            }
            break;
        case 'd': emitSet("\\p{Nd}", categoryAdditions("Nd"), false, inClass); break;
        case 'w': emitSet(wordSet, wordAdditions(), false, inClass); break;
        case 'D':
        case 'W':
            if (inClass) {
                refusePattern(std::string("'\\") + c + "' inside brackets");
            }
            emitSet(c == 'D' ? std::string_view("\\p{Nd}") : wordSet, c == 'D' ? categoryAdditions("Nd") : wordAdditions(), true, false);
            break;
        case 'h': emitSet("0-9a-fA-F", {}, false, inClass); break;
        case 'v': m_out += "\\x0B"; break;
        case 'b':
        case 'B': boundary(c == 'B', inClass); break;
        case 'A':
        case 'z':
            if (inClass) {
                refusePattern(std::string("'\\") + c + "' inside brackets");
            }
            m_out += '\\';
            m_out += c;
            break;
        case 'n':
        case 'r':
        case 't':
        case 'f':
        case 'a':
        case 'e':
            m_out += '\\';
            m_out += c;
            break;
        case 'x': hexadecimal(); return;
        case 'u': codePoint(); return;
        default:
            if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
                refusePattern(std::string("'\\") + c + "'");
            }
            if (static_cast<unsigned char>(c) < 0x80U) {
                m_out += '\\';
            }
            m_out += c;
        }
        m_at += 2;
    }

    void boundary(bool negated, bool inClass)
    {
        if (inClass) {
            m_out += "\\x08";
            return;
        }
        std::string word = "[" + std::string(wordSet);
        appendRanges(word, wordAdditions());
        word += ']';
        m_out += negated ? "(?:(?<=" + word + ")(?=" + word + ")|(?<!" + word + ")(?!" + word + "))"
                         : "(?:(?<=" + word + ")(?!" + word + ")|(?<!" + word + ")(?=" + word + "))";
    }

    void hexadecimal()
    {
        std::size_t end = m_at + 2;
        const bool braces = peek(2) == '{';
        end += braces ? 1U : 0U;
        std::string digits;
        while (end < m_in.size() && digits.size() < (braces ? 6U : 2U) && std::isxdigit(static_cast<unsigned char>(m_in[end])) != 0) {
            digits += m_in[end++];
        }
        if (digits.empty() || (braces && (end >= m_in.size() || m_in[end] != '}')) || (!braces && std::stoul(digits, nullptr, 16) > 0x7FU)) {
            refusePattern("'" + std::string(m_in.substr(m_at, 4)) + "'");
        }
        m_out += "\\x{" + digits + "}";
        m_at = end + (braces ? 1U : 0U);
    }

    void codePoint()
    {
        const std::string digits(m_in.substr(m_at + 2, 4));
        if (digits.size() != 4 || !std::ranges::all_of(digits, [](unsigned char c) { return std::isxdigit(c) != 0; })) {
            refusePattern("'\\u' without four hexadecimal digits");
        }
        m_out += "\\x{" + digits + "}";
        m_at += 6;
    }

    void characterClass()
    {
        m_out += m_in[m_at++];
        if (peek() == '^') {
            m_out += m_in[m_at++];
        }
        if (peek() == ']') {
            throw Error(ErrorCode::BadFile, "The tokenizer's pattern holds an empty pair of brackets; use the model's own tokenizer file.");
        }
        while (m_at < m_in.size() && peek() != ']') {
            if (peek() == '[') {
                refusePattern("brackets inside brackets");
            }
            if (peek() == '&' && peek(1) == '&') {
                refusePattern("an intersection '&&'");
            }
            if (peek() == '\\') {
                escape(true);
            } else {
                m_out += m_in[m_at++];
            }
        }
        if (m_at >= m_in.size()) {
            throw Error(ErrorCode::BadFile, "The tokenizer's pattern has an opening bracket without a closing one; use the model's own tokenizer file.");
        }
        m_out += m_in[m_at++];
    }

    std::string_view m_in;
    CharacterTables m_tables;
    std::string m_out;
    std::size_t m_at = 0;
};

}  // namespace

std::string patternFromOniguruma(std::string_view pattern, CharacterTables tables)
{
    return Translator(pattern, tables).run();
}

}  // namespace stillroom::text
