// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/decoder.h"

#include "text/bytelevel.h"
#include "text/tokenizerfields.h"
#include "text/utf8.h"

#include <algorithm>
#include <charconv>

namespace stillroom::text {

namespace {

class ByteLevelDecoder final : public Decoder {
public:
    void apply(std::vector<std::string> &tokens, RegexScratch & /*scratch*/) const override
    {
        std::string bytes;
        for (const std::string &token : tokens) {
            bytes += bytesOfByteLevel(token).value_or(token);
        }
        tokens.assign(1, isValidUtf8(bytes) ? std::move(bytes) : repairUtf8(bytes));
    }
};

// The byte of <0x41>; nullopt for any other token.
std::optional<unsigned char> fallbackByte(const std::string &token)
{
    if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with('>')) {
        return std::nullopt;
    }
    // Rust's from_str_radix takes a leading plus sign.
    const char *first = token.data() + (token[3] == '+' ? 4 : 3);
    unsigned char byte = 0;
    const auto [end, error] = std::from_chars(first, token.data() + 5, byte, 16);
    return error == std::errc() && end == token.data() + 5 ? std::optional(byte) : std::nullopt;
}

class ByteFallbackDecoder final : public Decoder {
public:
    void apply(std::vector<std::string> &tokens, RegexScratch & /*scratch*/) const override
    {
        std::vector<std::string> out;
        std::string bytes;
        const auto flush = [&] {
            if (bytes.empty()) {
                return;
            }
            if (isValidUtf8(bytes)) {
                out.push_back(bytes);
            } else {
                out.insert(out.end(), bytes.size(), "\xEF\xBF\xBD");
            }
            bytes.clear();
        };
        for (std::string &token : tokens) {
            if (const auto byte = fallbackByte(token)) {
                bytes.push_back(static_cast<char>(*byte));
            } else {
                flush();
                out.push_back(std::move(token));
            }
        }
        flush();
        tokens = std::move(out);
    }
};

class FuseDecoder final : public Decoder {
public:
    void apply(std::vector<std::string> &tokens, RegexScratch & /*scratch*/) const override
    {
        std::string all;
        for (const std::string &token : tokens) {
            all += token;
        }
        tokens.assign(1, std::move(all));
    }
};

class ReplaceDecoder final : public Decoder {
public:
    ReplaceDecoder(const PatternField &pattern, std::string content)
        : m_regex(pattern.regex ? TextRegex(pattern.text) : TextRegex::literal(pattern.text)), m_content(std::move(content))
    {
    }
    void apply(std::vector<std::string> &tokens, RegexScratch &scratch) const override
    {
        for (std::string &token : tokens) {
            std::string out;
            std::size_t last = 0;
            m_regex.forEach(token, scratch, [&](std::size_t begin, std::size_t end) {
                out.append(token, last, begin - last);
                out.append(m_content);
                last = end;
            });
            out.append(token, last);
            token = std::move(out);
        }
    }

private:
    TextRegex m_regex;
    std::string m_content;
};

class StripDecoder final : public Decoder {
public:
    StripDecoder(char32_t content, std::uint32_t start, std::uint32_t stop) : m_start(start), m_stop(stop) { appendUtf8(m_content, content); }
    void apply(std::vector<std::string> &tokens, RegexScratch & /*scratch*/) const override
    {
        for (std::string &token : tokens) {
            std::string_view rest = token;
            for (std::uint32_t i = 0; i < m_start && rest.starts_with(m_content); ++i) {
                rest.remove_prefix(m_content.size());
            }
            for (std::uint32_t i = 0; i < m_stop && rest.ends_with(m_content); ++i) {
                rest.remove_suffix(m_content.size());
            }
            token = std::string(rest);
        }
    }

private:
    std::string m_content;
    std::uint32_t m_start;
    std::uint32_t m_stop;
};

class MetaspaceDecoder final : public Decoder {
public:
    MetaspaceDecoder(char32_t replacement, bool prefixed) : m_prefixed(prefixed) { appendUtf8(m_replacement, replacement); }
    void apply(std::vector<std::string> &tokens, RegexScratch & /*scratch*/) const override
    {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            std::string out;
            std::string_view rest = tokens[i];
            while (!rest.empty()) {
                if (rest.starts_with(m_replacement)) {
                    out += i == 0 && m_prefixed ? "" : " ";
                    rest.remove_prefix(m_replacement.size());
                } else {
                    out += rest.front();
                    rest.remove_prefix(1);
                }
            }
            tokens[i] = std::move(out);
        }
    }

private:
    std::string m_replacement;
    bool m_prefixed;
};

class SuffixDecoder final : public Decoder {
public:
    explicit SuffixDecoder(std::string suffix) : m_regex(TextRegex::literal(suffix)) {}
    void apply(std::vector<std::string> &tokens, RegexScratch &scratch) const override
    {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            std::string out;
            std::size_t last = 0;
            m_regex.forEach(tokens[i], scratch, [&](std::size_t begin, std::size_t end) {
                out.append(tokens[i], last, begin - last);
                out += i + 1 < tokens.size() ? " " : "";
                last = end;
            });
            out.append(tokens[i], last);
            tokens[i] = std::move(out);
        }
    }

private:
    TextRegex m_regex;
};

class DecoderSequence final : public Decoder {
public:
    explicit DecoderSequence(std::vector<std::unique_ptr<const Decoder>> parts) : m_parts(std::move(parts)) {}
    void apply(std::vector<std::string> &tokens, RegexScratch &scratch) const override
    {
        for (const auto &part : m_parts) {
            part->apply(tokens, scratch);
        }
    }

private:
    std::vector<std::unique_ptr<const Decoder>> m_parts;
};

}  // namespace

std::unique_ptr<const Decoder> makeDecoder(const nlohmann::json &node)
{
    if (node.is_null()) {
        return nullptr;
    }
    const ComponentFields fields(node, "decoder");
    const std::string type = fields.type();
    if (type == "ByteLevel") {
        return std::make_unique<ByteLevelDecoder>();
    }
    if (type == "ByteFallback") {
        return std::make_unique<ByteFallbackDecoder>();
    }
    if (type == "Fuse") {
        return std::make_unique<FuseDecoder>();
    }
    if (type == "Replace") {
        return std::make_unique<ReplaceDecoder>(patternField(fields), fields.string("content"));
    }
    if (type == "Strip") {
        return std::make_unique<StripDecoder>(fields.character("content"), fields.number("start"), fields.number("stop"));
    }
    if (type == "Metaspace") {
        const bool prefixed = fields.flag("add_prefix_space", true) && fields.string("prepend_scheme", "always") != "never";
        return std::make_unique<MetaspaceDecoder>(fields.character("replacement"), prefixed);
    }
    if (type == "BPEDecoder") {
        return std::make_unique<SuffixDecoder>(fields.string("suffix", "</w>"));
    }
    if (type == "Sequence") {
        std::vector<std::unique_ptr<const Decoder>> parts;
        for (const nlohmann::json &part : fields.array("decoders")) {
            if (part.is_null()) {
                fields.bad("holds an empty part");
            }
            parts.push_back(makeDecoder(part));
        }
        return std::make_unique<DecoderSequence>(std::move(parts));
    }
    fields.unsupportedType();
}

}  // namespace stillroom::text
