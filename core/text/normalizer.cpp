// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/normalizer.h"

#include "error.h"
#include "text/bytelevel.h"
#include "text/tokenizerfields.h"
#include "text/unicodeforms.h"
#include "text/unicodetables.h"
#include "text/utf8.h"

#include <vector>

namespace stillroom::text {

namespace {

class FormNormalizer final : public Normalizer {
public:
    explicit FormNormalizer(UnicodeForm form) : m_form(form) {}
    void apply(NormalizedText &text, RegexScratch & /*scratch*/) const override { toUnicodeForm(text.text, m_form); }

private:
    UnicodeForm m_form;
};

class ReplaceNormalizer final : public Normalizer {
public:
    ReplaceNormalizer(const PatternField &pattern, std::string content)
        : m_regex(pattern.regex ? TextRegex(pattern.text) : TextRegex::literal(pattern.text)), m_content(std::move(content))
    {
    }
    void apply(NormalizedText &text, RegexScratch &scratch) const override
    {
        std::string out;
        std::size_t last = 0;
        bool any = false;
        m_regex.forEach(text.text, scratch, [&](std::size_t begin, std::size_t end) {
            out.append(text.text, last, begin - last);
            out.append(m_content);
            if (out.size() > text.mostBytes)
                throw Error(ErrorCode::BadFile, "The tokenizer's normalizer makes more than " + std::to_string(text.mostBytes) + " bytes of one text: its Replace multiplies letters; use the tokenizer.json that came with the model.");
            text.headRemoved = text.headRemoved || (out.empty() && end > 0);
            last = end;
            any = true;
        });
        if (any) {
            out.append(text.text, last);
            text.text = std::move(out);
        }
    }

private:
    TextRegex m_regex;
    std::string m_content;
};

class PrependNormalizer final : public Normalizer {
public:
    explicit PrependNormalizer(std::string prefix) : m_prefix(std::move(prefix)) {}
    void apply(NormalizedText &text, RegexScratch & /*scratch*/) const override
    {
        if (!text.text.empty()) {
            text.text.insert(0, m_prefix);
        }
    }

private:
    std::string m_prefix;
};

class StripNormalizer final : public Normalizer {
public:
    StripNormalizer(bool left, bool right) : m_left(left), m_right(right) {}
    void apply(NormalizedText &text, RegexScratch & /*scratch*/) const override
    {
        std::string &s = text.text;
        while (m_right && !s.empty()) {
            const Utf8Char last = utf8Last(s);
            if (!isSpaceChar(last.value)) {
                break;
            }
            s.resize(s.size() - last.sizeBytes);
        }
        std::size_t begin = 0;
        while (m_left && begin < s.size()) {
            const Utf8Char first = utf8At(s, begin);
            if (!isSpaceChar(first.value)) {
                break;
            }
            begin += first.sizeBytes;
        }
        s.erase(0, begin);
        text.headRemoved = text.headRemoved || begin > 0;
    }

private:
    bool m_left;
    bool m_right;
};

// Lowercase and StripAccents: one character becomes none, one or two.
class CharNormalizer final : public Normalizer {
public:
    explicit CharNormalizer(bool lower) : m_lower(lower) {}
    void apply(NormalizedText &text, RegexScratch & /*scratch*/) const override
    {
        std::string out;
        out.reserve(text.text.size());
        std::u32string buffer;
        for (std::size_t i = 0; i < text.text.size();) {
            const Utf8Char c = utf8At(text.text, i);
            if (m_lower) {
                for (const char32_t lower : lowerCase(c.value, buffer)) {
                    appendUtf8(out, lower);
                }
            } else if (!isCombiningMark(c.value)) {
                appendUtf8(out, c.value);
            } else if (out.empty()) {
                text.headRemoved = true;
            }
            i += c.sizeBytes;
        }
        text.text = std::move(out);
    }

private:
    bool m_lower;
};

class ByteLevelNormalizer final : public Normalizer {
public:
    void apply(NormalizedText &text, RegexScratch & /*scratch*/) const override
    {
        std::string out;
        out.reserve(text.text.size() * 2);
        appendByteLevel(out, text.text);
        text.text = std::move(out);
    }
};

class NormalizerSequence final : public Normalizer {
public:
    explicit NormalizerSequence(std::vector<std::unique_ptr<const Normalizer>> parts) : m_parts(std::move(parts)) {}
    void apply(NormalizedText &text, RegexScratch &scratch) const override
    {
        for (const auto &part : m_parts) {
            part->apply(text, scratch);
        }
    }

private:
    std::vector<std::unique_ptr<const Normalizer>> m_parts;
};

}  // namespace

std::unique_ptr<const Normalizer> makeNormalizer(const nlohmann::json &node)
{
    if (node.is_null()) {
        return nullptr;
    }
    const ComponentFields fields(node, "normalizer");
    const std::string type = fields.type();
    if (const std::optional<UnicodeForm> form = unicodeFormNamed(type)) {
        return std::make_unique<FormNormalizer>(*form);
    }
    if (type == "Replace") {
        return std::make_unique<ReplaceNormalizer>(patternField(fields), fields.string("content"));
    }
    if (type == "Prepend") {
        return std::make_unique<PrependNormalizer>(fields.string("prepend"));
    }
    if (type == "Strip") {
        return std::make_unique<StripNormalizer>(fields.flag("strip_left"), fields.flag("strip_right"));
    }
    if (type == "Lowercase" || type == "StripAccents") {
        return std::make_unique<CharNormalizer>(type == "Lowercase");
    }
    if (type == "ByteLevel") {
        return std::make_unique<ByteLevelNormalizer>();
    }
    if (type == "Sequence") {
        std::vector<std::unique_ptr<const Normalizer>> parts;
        for (const nlohmann::json &part : fields.array("normalizers")) {
            if (part.is_null()) {
                fields.bad("holds an empty part");
            }
            parts.push_back(makeNormalizer(part));
        }
        return std::make_unique<NormalizerSequence>(std::move(parts));
    }
    fields.unsupportedType();
}

}  // namespace stillroom::text
