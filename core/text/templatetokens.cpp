// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/templatetokens.h"

#include "error.h"

#include <array>
#include <cctype>

namespace stillroom::text {
namespace {

[[noreturn]] void refuseTemplate(const std::string &what)
{
    throw Error(ErrorCode::Unsupported, "the chat template " + what + ": give the prompt without --chat");
}

bool isNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string quotedText(std::string_view source, std::size_t &at)
{
    const char quote = source[at++];
    std::string text;
    for (; at < source.size() && source[at] != quote; ++at) {
        if (source[at] != '\\' || at + 1 >= source.size()) {
            text += source[at];
            continue;
        }
        switch (const char escaped = source[++at]) {
        case 'n': text += '\n'; break;
        case 't': text += '\t'; break;
        case 'r': text += '\r'; break;
        default: text += escaped;
        }
    }
    if (at >= source.size())
        refuseTemplate("holds a text without its closing quote");
    ++at;
    return text;
}

std::vector<TemplateToken> tokenise(std::string_view source)
{
    static constexpr std::array<std::string_view, 6> doubles = {"==", "!=", "<=", ">=", "//", "**"};
    using Kind = TemplateToken::Kind;
    std::vector<TemplateToken> tokens;
    for (std::size_t at = 0; at < source.size();) {
        const char c = source[at];
        std::size_t end = at;
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at;
        } else if (c == '"' || c == '\'') {
            tokens.push_back({Kind::Text, quotedText(source, at)});
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            while (end < source.size() && (std::isdigit(static_cast<unsigned char>(source[end])) != 0 || (source[end] == '.' && end + 1 < source.size() && std::isdigit(static_cast<unsigned char>(source[end + 1])) != 0)))
                ++end;
            tokens.push_back({Kind::Number, std::string(source.substr(at, end - at))});
            at = end;
        } else if (isNameCharacter(c)) {
            while (end < source.size() && isNameCharacter(source[end]))
                ++end;
            tokens.push_back({Kind::Name, std::string(source.substr(at, end - at))});
            at = end;
        } else {
            std::size_t length = 1;
            for (const std::string_view two : doubles)
                if (source.substr(at, 2) == two)
                    length = 2;
            tokens.push_back({Kind::Symbol, std::string(source.substr(at, length))});
            at += length;
        }
    }
    tokens.push_back({Kind::End, {}});
    return tokens;
}

/// Where the piece that opens at `from` closes; texts in quotes may hold the closing mark.
std::size_t closing(std::string_view source, std::size_t from, std::string_view mark, bool quoted)
{
    char quote = 0;
    for (std::size_t at = from; at + 1 < source.size(); ++at) {
        if (quote != 0) {
            if (source[at] == '\\')
                ++at;
            else if (source[at] == quote)
                quote = 0;
        } else if (quoted && (source[at] == '"' || source[at] == '\'')) {
            quote = source[at];
        } else if (source.substr(at, 2) == mark) {
            return at;
        }
    }
    refuseTemplate("holds a \"" + std::string(source.substr(from - 2, 2)) + "\" that is not closed");
}

void trimEnd(std::string &text)
{
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
        text.pop_back();
}

/// lstrip_blocks: blanks between the start of a line and a block go.
void stripLineStart(std::string &text)
{
    const std::size_t last = text.find_last_not_of(" \t");
    if (last == std::string::npos || text[last] == '\n')
        text.resize(last == std::string::npos ? 0 : last + 1);
}

}  // namespace

std::vector<TemplatePiece> cutTemplate(std::string_view source)
{
    std::vector<TemplatePiece> pieces;
    std::string text;
    bool trimNext = false;
    std::size_t at = 0;
    const auto addText = [&](std::string_view more) {
        if (trimNext)
            while (!more.empty() && std::isspace(static_cast<unsigned char>(more.front())) != 0)
                more.remove_prefix(1);
        trimNext = trimNext && more.empty();
        text += more;
    };
    while (at < source.size()) {
        std::size_t open = source.find('{', at);
        while (open != std::string_view::npos && (open + 1 >= source.size() || std::string_view("{%#").find(source[open + 1]) == std::string_view::npos))
            open = source.find('{', open + 1);
        addText(source.substr(at, open == std::string_view::npos ? std::string_view::npos : open - at));
        if (open == std::string_view::npos)
            break;
        const char kind = source[open + 1];
        const std::string mark = kind == '{' ? "}}" : kind == '%' ? "%}" : "#}";
        const std::size_t close = closing(source, open + 2, mark, kind != '#');
        std::string_view inside = source.substr(open + 2, close - open - 2);
        if (!inside.empty() && inside.front() == '-') {
            trimEnd(text);
            inside.remove_prefix(1);
        } else if (kind != '{') {
            stripLineStart(text);
        }
        trimNext = !inside.empty() && inside.back() == '-';
        if (trimNext)
            inside.remove_suffix(1);
        at = close + 2;
        if (kind != '{' && !trimNext && at < source.size() && source[at] == '\n')
            ++at;                                         // trim_blocks
        if (kind == '#')
            continue;
        if (!text.empty())
            pieces.push_back({TemplatePiece::Kind::Text, std::move(text), {}});
        text.clear();
        pieces.push_back({kind == '{' ? TemplatePiece::Kind::Output : TemplatePiece::Kind::Statement, {}, tokenise(inside)});
    }
    if (!text.empty())
        pieces.push_back({TemplatePiece::Kind::Text, std::move(text), {}});
    return pieces;
}

}  // namespace stillroom::text
