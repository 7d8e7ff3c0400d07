// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/addedtokens.h"

#include "error.h"
#include "text/unicodetables.h"
#include "text/utf8.h"

#include <algorithm>

namespace stillroom::text {

namespace {

std::size_t spaceBefore(std::string_view text)
{
    while (!text.empty()) {
        const Utf8Char last = utf8Last(text);
        if (!isSpaceChar(last.value)) {
            break;
        }
        text.remove_suffix(last.sizeBytes);
    }
    return text.size();
}

std::size_t spaceAfter(std::string_view text)
{
    std::size_t i = 0;
    while (i < text.size()) {
        const Utf8Char c = utf8At(text, i);
        if (!isSpaceChar(c.value)) {
            break;
        }
        i += c.sizeBytes;
    }
    return i;
}

}  // namespace

void StringMatcher::add(std::string_view text, std::uint32_t value)
{
    if (text.empty()) {
        return;
    }
    m_starts[static_cast<unsigned char>(text.front())] = true;
    std::uint32_t node = 0;
    for (const char byte : text) {
        std::uint32_t next = child(node, byte);
        if (next == 0) {
            if (m_nodes.size() >= mostNodes) {
                throw Error(ErrorCode::BadFile, "The tokenizer's added tokens are longer together than any real tokenizer's; use the model's own tokenizer file.");
            }
            next = static_cast<std::uint32_t>(m_nodes.size());
            auto &edges = m_nodes[node].next;
            edges.insert(std::ranges::lower_bound(edges, byte, {}, &std::pair<char, std::uint32_t>::first), {byte, next});
            m_nodes.emplace_back();
        }
        node = next;
    }
    if (m_nodes[node].value < 0) {
        m_nodes[node].value = value;   // of equal spellings the first stands
    }
}

std::uint32_t StringMatcher::child(std::uint32_t node, char byte) const noexcept
{
    const auto &edges = m_nodes[node].next;
    const auto found = std::ranges::lower_bound(edges, byte, {}, &std::pair<char, std::uint32_t>::first);
    return found != edges.end() && found->first == byte ? found->second : 0;
}

std::optional<StringMatcher::Match> StringMatcher::find(std::string_view text, std::size_t from) const noexcept
{
    for (std::size_t begin = from; begin < text.size(); ++begin) {
        if (!m_starts[static_cast<unsigned char>(text[begin])]) {
            continue;
        }
        std::optional<Match> best;
        std::uint32_t node = 0;
        for (std::size_t i = begin; i < text.size(); ++i) {
            node = child(node, text[i]);
            if (node == 0) {
                break;
            }
            if (m_nodes[node].value >= 0) {
                best = Match{begin, i + 1, static_cast<std::uint32_t>(m_nodes[node].value)};
            }
        }
        if (best) {
            return best;
        }
    }
    return std::nullopt;
}

void StringMatcher::markAll(std::string_view text, std::vector<bool> &seen) const
{
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        if (!m_starts[static_cast<unsigned char>(text[begin])]) {
            continue;
        }
        std::uint32_t node = 0;
        for (std::size_t i = begin; i < text.size(); ++i) {
            node = child(node, text[i]);
            if (node == 0) {
                break;
            }
            if (m_nodes[node].value >= 0) {
                seen[static_cast<std::size_t>(m_nodes[node].value)] = true;
            }
        }
    }
}

void AddedTokens::add(AddedToken token, const TokenTable &vocabulary)
{
    if (token.content.empty()) {
        return;
    }
    if (const auto id = vocabulary.find(token.content)) {
        token.id = *id;
    } else if (const AddedToken *earlier = named(token.content)) {
        token.id = earlier->id;
    } else {
        // The library counts the vocabulary's tokens here, not its highest id.
        token.id = std::max(m_idEnd, static_cast<std::uint32_t>(vocabulary.size()));
    }
    m_idEnd = std::max(m_idEnd, token.id + 1);
    const auto known = m_byContent.find(token.content);
    if (known != m_byContent.end()) {
        m_tokens[known->second] = std::move(token);
        return;
    }
    m_byContent.emplace(token.content, m_tokens.size());
    m_byId.emplace(token.id, m_tokens.size());
    m_tokens.push_back(std::move(token));
}

void AddedTokens::finish(const Normalizer *normalizer)
{
    RegexScratch scratch;
    for (const bool special : {true, false}) {   // of two tokens with one normalized spelling the special one stands
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            AddedToken &token = m_tokens[i];
            if (token.special != special) {
                continue;
            }
            token.shown = token.content;
            if (!token.normalized) {
                m_raw.add(token.content, static_cast<std::uint32_t>(i));
                continue;
            }
            NormalizedText spelling{token.content};
            if (normalizer != nullptr) {
                normalizer->apply(spelling, scratch);
            }
            m_normalized.add(spelling.text, static_cast<std::uint32_t>(i));
            token.shown = std::move(spelling.text);
        }
    }
}

const AddedToken *AddedTokens::withId(std::uint32_t id) const noexcept
{
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : &m_tokens[found->second];
}

const AddedToken *AddedTokens::named(std::string_view content) const
{
    const auto found = m_byContent.find(std::string(content));
    return found == m_byContent.end() ? nullptr : &m_tokens[found->second];
}

bool AddedTokens::isSpecial(std::string_view content) const
{
    const AddedToken *token = named(content);
    return token != nullptr && token->special;
}

std::vector<Segment> AddedTokens::split(std::string_view text, const StringMatcher &matcher) const
{
    std::vector<Segment> segments;
    std::size_t done = 0;
    std::size_t from = 0;
    while (!matcher.empty()) {
        const auto match = matcher.find(text, from);
        if (!match) {
            break;
        }
        from = match->end;
        const AddedToken &token = m_tokens[match->value];
        std::size_t begin = match->begin;
        std::size_t end = match->end;
        if (token.singleWord) {
            const bool freeLeft = begin == 0 || !isWordChar(utf8Last(text.substr(0, begin)).value);
            const bool freeRight = end == text.size() || !isWordChar(utf8At(text, end).value);
            if (!freeLeft || !freeRight) {
                continue;
            }
        }
        if (token.leftStrip) {
            begin = std::max(spaceBefore(text.substr(0, begin)), done);
        }
        if (token.rightStrip) {
            end += spaceAfter(text.substr(end));
        }
        if (done < begin) {
            segments.push_back({done, begin, std::nullopt});
        }
        segments.push_back({begin, end, token.id});
        done = end;
    }
    if (done < text.size()) {
        segments.push_back({done, text.size(), std::nullopt});
    }
    return segments;
}

}  // namespace stillroom::text
