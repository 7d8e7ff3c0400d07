// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/pretokenizer.h"

#include "shownname.h"
#include "text/bytelevel.h"
#include "text/tokenizerfields.h"
#include "text/unicodetables.h"
#include "text/utf8.h"

#include <algorithm>
#include <array>

namespace stillroom::text {

namespace {

using nlohmann::json;

// GPT-2's pattern, which ByteLevel carries in itself.
constexpr std::string_view byteLevelPattern = R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// Receives one piece's stretches in order (matches of the separator and what lies between) and keeps what the behaviour keeps.
class SplitCollector {
public:
    SplitCollector(std::vector<Piece> &out, SplitBehavior behavior, bool invert) : m_out(out), m_behavior(behavior), m_invert(invert) {}

    void startPiece()
    {
        m_first = m_out.size();
        m_previousMatch = false;
    }

    void add(std::size_t begin, std::size_t end, bool match)
    {
        match = match != m_invert;
        switch (m_behavior) {
        case SplitBehavior::Removed:
            if (!match) {
                push(begin, end);
            }
            break;
        case SplitBehavior::Isolated: push(begin, end); break;
        case SplitBehavior::Contiguous: join(begin, end, match == m_previousMatch); break;
        case SplitBehavior::MergedWithPrevious: join(begin, end, match && !m_previousMatch); break;
        case SplitBehavior::MergedWithNext: m_pending.push_back({{begin, end}, match}); break;
        }
        m_previousMatch = match;
    }

    void endPiece()
    {
        if (m_behavior == SplitBehavior::MergedWithNext) {
            mergeWithNext();
        }
        const auto first = m_out.begin() + static_cast<std::ptrdiff_t>(m_first);
        m_out.erase(std::remove_if(first, m_out.end(), [](const Piece &piece) { return piece.begin == piece.end; }), m_out.end());
    }

private:
    void push(std::size_t begin, std::size_t end) { m_out.push_back({begin, end}); }

    void join(std::size_t begin, std::size_t end, bool withLast)
    {
        if (withLast && m_out.size() > m_first) {
            m_out.back().end = end;
        } else {
            push(begin, end);
        }
    }

    // The library walks from the back: a separator goes to what follows it unless that was a separator too.
    void mergeWithNext()
    {
        bool previousMatch = false;
        std::size_t kept = m_pending.size();   // merged stretches gather at the back of m_pending
        for (std::size_t i = m_pending.size(); i-- > 0;) {
            const auto [piece, match] = m_pending[i];
            if (match && !previousMatch && kept < m_pending.size()) {
                m_pending[kept].first.begin = piece.begin;
            } else {
                m_pending[--kept].first = piece;
            }
            previousMatch = match;
        }
        for (; kept < m_pending.size(); ++kept) {
            m_out.push_back(m_pending[kept].first);
        }
        m_pending.clear();
    }

    std::vector<Piece> &m_out;
    SplitBehavior m_behavior;
    bool m_invert;
    bool m_previousMatch = false;
    std::size_t m_first = 0;
    std::vector<std::pair<Piece, bool>> m_pending;
};

class RegexSplit final : public PreTokenizer {
public:
    RegexSplit(TextRegex regex, SplitBehavior behavior, bool invert) : m_regex(std::move(regex)), m_behavior(behavior), m_invert(invert) {}

    void apply(PieceList &list, RegexScratch &scratch) const override
    {
        std::vector<Piece> out;
        out.reserve(std::max(list.pieces.size(), list.text.size() / 6));
        SplitCollector collector(out, m_behavior, m_invert);
        for (const Piece &piece : list.pieces) {
            const std::string_view text = list.view(piece);
            std::size_t last = 0;
            collector.startPiece();
            m_regex.forEach(text, scratch, [&](std::size_t begin, std::size_t end) {
                if (begin != last) {
                    collector.add(piece.begin + last, piece.begin + begin, false);
                }
                collector.add(piece.begin + begin, piece.begin + end, true);
                last = end;
            });
            if (last != text.size()) {
                collector.add(piece.begin + last, piece.end, false);
            }
            collector.endPiece();
        }
        list.pieces = std::move(out);
    }

private:
    TextRegex m_regex;
    SplitBehavior m_behavior;
    bool m_invert;
};

using CharTest = bool (*)(char32_t);

// Splits where a property of single characters holds; every such character is a separator of its own.
class CharSplit final : public PreTokenizer {
public:
    CharSplit(CharTest test, SplitBehavior behavior) : m_test(test), m_behavior(behavior) {}

    void apply(PieceList &list, RegexScratch & /*scratch*/) const override
    {
        std::vector<Piece> out;
        out.reserve(list.pieces.size());
        SplitCollector collector(out, m_behavior, false);
        for (const Piece &piece : list.pieces) {
            std::size_t last = piece.begin;
            collector.startPiece();
            for (std::size_t i = piece.begin; i < piece.end;) {
                const Utf8Char c = utf8At(list.text, i);
                if (m_test(c.value)) {
                    if (last < i) {
                        collector.add(last, i, false);
                    }
                    last = i + c.sizeBytes;
                    collector.add(i, last, true);
                }
                i += c.sizeBytes;
            }
            if (last < piece.end) {
                collector.add(last, piece.end, false);
            }
            collector.endPiece();
        }
        list.pieces = std::move(out);
    }

private:
    CharTest m_test;
    SplitBehavior m_behavior;
};

// Whitespace: runs of word characters, runs of other characters, white space dropped.
class WordSplit final : public PreTokenizer {
public:
    void apply(PieceList &list, RegexScratch & /*scratch*/) const override
    {
        std::vector<Piece> out;
        for (const Piece &piece : list.pieces) {
            int previous = 0;   // 0: white space, 1: word, 2: other
            for (std::size_t i = piece.begin; i < piece.end;) {
                const Utf8Char c = utf8At(list.text, i);
                const int kind = isWordChar(c.value) ? 1 : isSpaceChar(c.value) ? 0 : 2;
                if (kind != 0) {
                    if (kind == previous) {
                        out.back().end = i + c.sizeBytes;
                    } else {
                        out.push_back({i, i + c.sizeBytes});
                    }
                }
                previous = kind;
                i += c.sizeBytes;
            }
        }
        list.pieces = std::move(out);
    }
};

// Rewrites every piece's text; edit(view, isFirst, out) appends the new text.
template <class Edit>
void rewrite(PieceList &list, Edit edit)
{
    std::string text;
    text.reserve(list.text.size() + list.text.size() / 4);
    for (Piece &piece : list.pieces) {
        const std::size_t begin = text.size();
        edit(list.view(piece), list.atStart && piece.begin == 0, text);
        piece = {begin, text.size()};
    }
    list.text = std::move(text);
}

class PrefixSpace final : public PreTokenizer {
public:
    void apply(PieceList &list, RegexScratch & /*scratch*/) const override
    {
        rewrite(list, [](std::string_view piece, bool /*first*/, std::string &out) {
            if (!piece.starts_with(' ')) {
                out += ' ';
            }
            out += piece;
        });
    }
};

class ByteSpelling final : public PreTokenizer {
public:
    void apply(PieceList &list, RegexScratch & /*scratch*/) const override
    {
        rewrite(list, [](std::string_view piece, bool /*first*/, std::string &out) { appendByteLevel(out, piece); });
    }
};

enum class PrependScheme { Always, First, Never };

class Metaspace final : public PreTokenizer {
public:
    Metaspace(char32_t replacement, PrependScheme scheme, bool split) : m_scheme(scheme)
    {
        appendUtf8(m_replacement, replacement);
        if (split) {
            m_split = std::make_unique<RegexSplit>(TextRegex::literal(m_replacement), SplitBehavior::MergedWithNext, false);
        }
    }

    void apply(PieceList &list, RegexScratch &scratch) const override
    {
        rewrite(list, [this](std::string_view piece, bool first, std::string &out) {
            const bool asked = m_scheme == PrependScheme::Always || (m_scheme == PrependScheme::First && first);
            if (asked && !piece.starts_with(' ') && !piece.starts_with(m_replacement)) {
                out += m_replacement;
            }
            for (const char c : piece) {
                if (c == ' ') {
                    out += m_replacement;
                } else {
                    out += c;
                }
            }
        });
        if (m_split) {
            m_split->apply(list, scratch);
        }
    }

private:
    std::string m_replacement;
    PrependScheme m_scheme;
    std::unique_ptr<const PreTokenizer> m_split;
};

class StepList final : public PreTokenizer {
public:
    explicit StepList(std::vector<std::unique_ptr<const PreTokenizer>> steps) : m_steps(std::move(steps)) {}
    void apply(PieceList &list, RegexScratch &scratch) const override
    {
        for (const auto &step : m_steps) {
            step->apply(list, scratch);
        }
    }

private:
    std::vector<std::unique_ptr<const PreTokenizer>> m_steps;
};

SplitBehavior behaviorNamed(const ComponentFields &fields)
{
    constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> known{{{"Removed", SplitBehavior::Removed},
                                                                             {"Isolated", SplitBehavior::Isolated},
                                                                             {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
                                                                             {"MergedWithNext", SplitBehavior::MergedWithNext},
                                                                             {"Contiguous", SplitBehavior::Contiguous}}};
    const std::string name = fields.string("behavior");
    for (const auto &[spelling, behavior] : known) {
        if (name == spelling) {
            return behavior;
        }
    }
    fields.bad("has no known behaviour '" + shownName(name) + "'");
}

using Steps = std::vector<std::unique_ptr<const PreTokenizer>>;

void addByteLevel(const ComponentFields &fields, Steps &steps)
{
    if (fields.flag("add_prefix_space", true)) {
        steps.push_back(std::make_unique<PrefixSpace>());
    }
    if (fields.flag("use_regex", true)) {
        steps.push_back(std::make_unique<RegexSplit>(TextRegex(byteLevelPattern), SplitBehavior::Isolated, false));
    }
}

std::unique_ptr<const PreTokenizer> metaspaceFrom(const ComponentFields &fields)
{
    const std::string scheme = fields.string("prepend_scheme", "always");
    if (scheme != "always" && scheme != "first" && scheme != "never") {
        fields.bad("has no known prepend_scheme '" + shownName(scheme) + "'");
    }
    const bool named = fields.find("prepend_scheme") != nullptr;
    const bool prefix = fields.flag("add_prefix_space", true);   // the older spelling of always and never
    if (!prefix && named && scheme != "never") {
        fields.bad("has an add_prefix_space that contradicts its prepend_scheme");
    }
    const PrependScheme use = !prefix || scheme == "never" ? PrependScheme::Never : scheme == "first" ? PrependScheme::First : PrependScheme::Always;
    return std::make_unique<Metaspace>(fields.character("replacement"), use, fields.flag("split", true));
}

std::unique_ptr<const PreTokenizer> splitFrom(const ComponentFields &fields)
{
    const PatternField pattern = patternField(fields);
    return std::make_unique<RegexSplit>(pattern.regex ? TextRegex(pattern.text) : TextRegex::literal(pattern.text), behaviorNamed(fields),
                                        fields.flag("invert", false));
}

// The steps of a component in order; a byte spelling is noted as a step of its own by a null pointer.
void collect(const json &node, Steps &steps)
{
    const ComponentFields fields(node, "pre-tokenizer");
    const std::string type = fields.type();
    if (type == "Sequence") {
        for (const json &part : fields.array("pretokenizers")) {
            collect(part, steps);
        }
    } else if (type == "ByteLevel") {
        addByteLevel(fields, steps);
        steps.push_back(nullptr);
    } else if (type == "Split") {
        steps.push_back(splitFrom(fields));
    } else if (type == "Metaspace") {
        steps.push_back(metaspaceFrom(fields));
    } else if (type == "Digits") {
        steps.push_back(std::make_unique<CharSplit>(&isNumericChar, fields.flag("individual_digits", false) ? SplitBehavior::Isolated : SplitBehavior::Contiguous));
    } else if (type == "Punctuation") {
        steps.push_back(std::make_unique<CharSplit>(&isPunctuationChar, fields.find("behavior") == nullptr ? SplitBehavior::Isolated : behaviorNamed(fields)));
    } else if (type == "WhitespaceSplit") {
        steps.push_back(std::make_unique<CharSplit>(&isSpaceChar, SplitBehavior::Removed));
    } else if (type == "Whitespace") {
        steps.push_back(std::make_unique<WordSplit>());
    } else if (type == "CharDelimiterSplit") {
        std::string delimiter;
        appendUtf8(delimiter, fields.character("delimiter"));
        steps.push_back(std::make_unique<RegexSplit>(TextRegex::literal(delimiter), SplitBehavior::Removed, false));
    } else {
        fields.unsupportedType();
    }
}

}  // namespace

PreTokenizerChain makePreTokenizer(const json &node)
{
    PreTokenizerChain chain;
    if (node.is_null()) {
        return chain;
    }
    Steps steps;
    collect(node, steps);
    if (!steps.empty() && steps.back() == nullptr) {
        chain.rawBytes = true;
        steps.pop_back();
    }
    for (auto &step : steps) {
        if (step == nullptr) {
            step = std::make_unique<ByteSpelling>();
        }
    }
    if (!steps.empty()) {
        chain.steps = std::make_unique<StepList>(std::move(steps));
    }
    return chain;
}

std::unique_ptr<const PreTokenizer> makeIsolatingSplits(std::span<const std::string_view> patterns)
{
    Steps steps;
    for (const std::string_view pattern : patterns) {
        steps.push_back(std::make_unique<RegexSplit>(TextRegex(pattern, CharacterTables::LlamaCpp), SplitBehavior::Isolated, false));
    }
    return std::make_unique<StepList>(std::move(steps));
}

}  // namespace stillroom::text
