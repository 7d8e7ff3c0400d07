# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes core/text/unicodetables.cpp: what Hugging Face's `tokenizers` thinks of every character, measured by asking it.

Usage: python make_unicode_tables.py DIR > core/text/unicodetables.cpp
Needs tokenizers 0.23.3, Python 3.11 (whose unicodedata is Unicode 14, as PCRE2 10.42's), unicodedata2 16.0, and in DIR unicodedata2 15.1 (llama.cpp's version).
"""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unicodedata
import unicodedata2
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

assert unicodedata.unidata_version == "14.0.0" and unicodedata2.unidata_version == "16.0.0"


def unicode15():
    path = next(pathlib.Path(sys.argv[1]).glob("unicodedata2*.so"))
    loader = importlib.machinery.ExtensionFileLoader("unicodedata2", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("unicodedata2", loader))
    loader.exec_module(module)
    assert module.unidata_version == "15.1.0"
    return module


CHARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def matched(pattern):
    split = pre_tokenizers.Split(Regex(pattern), "removed")
    return {c for c in CHARS if not split.pre_tokenize_str(chr(c))}


def ranges(chars):
    out = []
    for c in sorted(chars):
        if out and out[-1][1] == c - 1:
            out[-1][1] = c
        else:
            out.append([c, c])
    return out


def table(name, chars):
    cells = [f"{{0x{a:X}, 0x{b:X}}}" for a, b in ranges(chars)]
    print(f"constexpr std::array<CharRange, {len(cells)}> {name}{{{{")
    for i in range(0, len(cells), 8):
        print("    " + ", ".join(cells[i:i + 8]) + ",")
    print("}};\n")


def separates(pre, count):
    return {c for c in CHARS if len(pre.pre_tokenize_str("a" + chr(c) + "a")) == count}


def unknown_to_normalizers():
    nfd, nfkd = normalizers.NFD(), normalizers.NFKD()
    out = set()
    for c in CHARS:
        ccc = unicodedata2.combining(chr(c))
        if ccc:
            text = "a\u0300" + chr(c) if ccc == 1 else "a" + chr(c) + "\u0334"
            if nfd.normalize_str(text) == text:
                out.add(c)
        parts = unicodedata2.decomposition(chr(c)).split()
        if parts and nfkd.normalize_str(chr(c)) == chr(c):
            out.add(c)
            if not parts[0].startswith("<"):
                out.add(int(parts[0], 16))  # so that older letters do not compose with it
    return out


def main():
    categories = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So".split()
    print("// SPDX-License-Identifier: GPL-3.0-or-later")
    print("// Written by tests/golden/tokenizers/make_unicode_tables.py; do not edit.")
    print('#include "text/unicodetables.h"\n\n#include <algorithm>\n#include <array>\n#include <utility>\n\n#include <utf8proc.h>\n')
    print("namespace stillroom::text {\n\nnamespace {\n")
    known = {"added" + k: matched(rf"\p{{{k}}}") - {c for c in CHARS if unicodedata.category(chr(c)) == k} for k in categories}
    gone = {k: {c for c in CHARS if unicodedata.category(chr(c)) == k} - matched(rf"\p{{{k}}}") for k in categories}
    gone["Mn"].discard(0x1171E)  # became Mc in Unicode 15.1; \\p{Mn} alone stands in no known tokenizer
    assert not any(gone.values()), gone
    for major in "LMNPS":
        known["added" + major] = set().union(*(v for k, v in known.items() if k[5:].startswith(major) and len(k) == 7))
    word14 = {c for c in CHARS if unicodedata.category(chr(c))[0] in "LM" or unicodedata.category(chr(c)) in ("Nd", "Nl", "Pc")}
    word = matched(r"\w")
    known["addedWord"] = {c for c in word - word14 if unicodedata.category(chr(c)) == "Cn"}
    for script in ("Han", "Hiragana", "Katakana"):
        known["added" + script] = {c for c in matched(rf"\p{{{script}}}") if unicodedata.category(chr(c)) == "Cn" or c == 0x1B132 or c == 0x2B739}
    ud15 = unicode15()
    older = {"older" + k: {c for c in CHARS if ud15.category(chr(c))[0] == k and unicodedata.category(chr(c))[0] != k} for k in "LMNPS"}
    for name, chars in list(known.items()) + list(older.items()):
        if chars:
            table(name, chars)
    table("wordChars", {c for c in CHARS if len(pre_tokenizers.Whitespace().pre_tokenize_str("a" + chr(c) + "a")) == 1})
    table("punctuationChars", separates(pre_tokenizers.Punctuation(), 3))
    table("numericChars", separates(pre_tokenizers.Digits(True), 3))
    strip = normalizers.StripAccents()
    table("combiningMarks", {c for c in CHARS if strip.normalize_str("a" + chr(c)) == "a"})
    table("unknownToNormalizers", unknown_to_normalizers())
    lower = normalizers.Lowercase()
    pairs = []
    for c in CHARS:
        low = lower.normalize_str(chr(c))
        if low != chr(c).lower():
            assert len(low) == 1
            pairs.append((c, ord(low)))
    print(f"constexpr std::array<std::pair<char32_t, char32_t>, {len(pairs)}> newLowerCase{{{{")
    cells = [f"{{0x{a:X}, 0x{b:X}}}" for a, b in pairs]
    for i in range(0, len(cells), 8):
        print("    " + ", ".join(cells[i:i + 8]) + ",")
    print("}};\n")
    print("""bool holds(std::span<const CharRange> ranges, char32_t c) noexcept
{
    const auto next = std::ranges::upper_bound(ranges, c, {}, &CharRange::first);
    return next != ranges.begin() && c <= std::prev(next)->last;
}

}  // namespace

std::span<const CharRange> categoryAdditions(std::string_view category) noexcept
{""")
    for name in known:
        if known[name] and name != "addedWord" and not name[5:] in ("Han", "Hiragana", "Katakana"):
            print(f'    if (category == "{name[5:]}") {{\n        return {name};\n    }}')
    print("""    return {};
}

std::span<const CharRange> categoryAdditions15(std::string_view category) noexcept
{""")
    for name in older:
        print(f'    if (category == "{name[5:]}") {{\n        return {name};\n    }}')
    print("""    return {};
}

std::span<const CharRange> scriptAdditions(std::string_view script) noexcept
{""")
    for script in ("Han", "Hiragana", "Katakana"):
        if known["added" + script]:
            print(f'    if (script == "{script}") {{\n        return added{script};\n    }}')
    print("""    return {};
}

std::span<const CharRange> wordAdditions() noexcept
{
    return addedWord;
}

bool isSpaceChar(char32_t c) noexcept
{
    if (c < 0x80U) {
        return c == ' ' || (c >= 0x09U && c <= 0x0DU);
    }
    return c == 0x85U || c == 0xA0U || c == 0x1680U || (c >= 0x2000U && c <= 0x200AU) || c == 0x2028U || c == 0x2029U || c == 0x202FU || c == 0x205FU ||
           c == 0x3000U;
}

bool isWordChar(char32_t c) noexcept
{
    return holds(wordChars, c);
}

bool isPunctuationChar(char32_t c) noexcept
{
    return holds(punctuationChars, c);
}

bool isNumericChar(char32_t c) noexcept
{
    return holds(numericChars, c);
}

bool isCombiningMark(char32_t c) noexcept
{
    return holds(combiningMarks, c);
}

bool isUnknownToNormalizers(char32_t c) noexcept
{
    return holds(unknownToNormalizers, c);
}

std::u32string_view lowerCase(char32_t c, std::u32string &buffer)
{
    if (c == 0x130U) {
        buffer = {U'i', 0x307U};
        return buffer;
    }
    const auto found = std::ranges::lower_bound(newLowerCase, c, {}, &std::pair<char32_t, char32_t>::first);
    const bool known = found != newLowerCase.end() && found->first == c;
    buffer.assign(1, known ? found->second : static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
    return buffer;
}

}  // namespace stillroom::text""")


main()
