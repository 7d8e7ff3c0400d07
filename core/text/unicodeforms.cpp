// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/unicodeforms.h"

#include "error.h"
#include "text/unicodetables.h"
#include "text/utf8.h"

#include <array>
#include <bitset>
#include <memory>
#include <vector>

#include <utf8proc.h>

namespace stillroom::text {

namespace {

constexpr std::size_t charCount = 0x110000;
using CharSet = std::bitset<charCount>;

utf8proc_option_t optionsOf(UnicodeForm form) noexcept
{
    const bool composed = form == UnicodeForm::NFC || form == UnicodeForm::NFKC;
    const bool compatible = form == UnicodeForm::NFKC || form == UnicodeForm::NFKD;
    const auto bits = static_cast<unsigned>(UTF8PROC_STABLE) | static_cast<unsigned>(composed ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE) |
                      (compatible ? static_cast<unsigned>(UTF8PROC_COMPAT) : 0U);
    return static_cast<utf8proc_option_t>(bits);
}

// Characters that a run may hold and still be its own normal form, whatever their order: starters that neither decompose nor compose with what is before
// them (Unicode Annex 15 §9). Text is almost always made of these alone.
std::unique_ptr<const CharSet> stableChars(UnicodeForm form)
{
    auto stable = std::make_unique<CharSet>();
    auto second = std::make_unique<CharSet>();   // characters that some composition takes in
    const utf8proc_option_t options = optionsOf(form);
    const auto decomposition = static_cast<utf8proc_option_t>(static_cast<unsigned>(UTF8PROC_STABLE) | static_cast<unsigned>(UTF8PROC_DECOMPOSE));
    std::array<utf8proc_int32_t, 32> parts{};
    for (std::size_t c = 0; c < charCount; ++c) {
        const auto code = static_cast<utf8proc_int32_t>(c);
        const utf8proc_property_t *property = utf8proc_get_property(code);
        const utf8proc_ssize_t n = utf8proc_decompose_char(code, parts.data(), static_cast<utf8proc_ssize_t>(parts.size()), decomposition, nullptr);
        for (utf8proc_ssize_t i = 1; i < n; ++i) {
            second->set(static_cast<std::size_t>(parts[static_cast<std::size_t>(i)]));
        }
        const bool whole = n == 1 && parts[0] == code;
        const utf8proc_ssize_t full = utf8proc_decompose_char(code, parts.data(), static_cast<utf8proc_ssize_t>(parts.size()), options, nullptr);
        // A precomposed letter is stable under NFC exactly when composing its parts gives it back.
        bool own = whole && full == 1 && parts[0] == code;
        if (!own && (static_cast<unsigned>(options) & static_cast<unsigned>(UTF8PROC_COMPOSE)) != 0 && full > 0 && full <= 32) {
            const utf8proc_ssize_t composed = utf8proc_normalize_utf32(parts.data(), full, options);
            own = composed == 1 && parts[0] == code;
        }
        stable->set(c, own && property->combining_class == 0);
    }
    *stable &= ~*second;
    return stable;
}

const CharSet &stableSet(UnicodeForm form)
{
    switch (form) {
    case UnicodeForm::NFC: {
        static const std::unique_ptr<const CharSet> set = stableChars(UnicodeForm::NFC);
        return *set;
    }
    case UnicodeForm::NFD: {
        static const std::unique_ptr<const CharSet> set = stableChars(UnicodeForm::NFD);
        return *set;
    }
    case UnicodeForm::NFKC: {
        static const std::unique_ptr<const CharSet> set = stableChars(UnicodeForm::NFKC);
        return *set;
    }
    case UnicodeForm::NFKD: break;
    }
    static const std::unique_ptr<const CharSet> set = stableChars(UnicodeForm::NFKD);
    return *set;
}

void appendNormalized(std::string &out, std::string_view run, UnicodeForm form)
{
    if (run.empty()) {
        return;
    }
    utf8proc_uint8_t *mapped = nullptr;
    const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t *>(run.data()), static_cast<utf8proc_ssize_t>(run.size()), &mapped, optionsOf(form));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
    if (size < 0) {
        throw Error(size == UTF8PROC_ERROR_NOMEM ? ErrorCode::OutOfMemory : ErrorCode::Failed,
                    "The text could not be brought into its Unicode normal form: " + std::string(utf8proc_errmsg(size)) + ".");
    }
    out.append(reinterpret_cast<const char *>(mapped), static_cast<std::size_t>(size));
}

}  // namespace

std::optional<UnicodeForm> unicodeFormNamed(std::string_view name) noexcept
{
    constexpr std::array<std::pair<std::string_view, UnicodeForm>, 4> forms{
        {{"NFC", UnicodeForm::NFC}, {"NFD", UnicodeForm::NFD}, {"NFKC", UnicodeForm::NFKC}, {"NFKD", UnicodeForm::NFKD}}};
    for (const auto &[known, form] : forms) {
        if (name == known) {
            return form;
        }
    }
    return std::nullopt;
}

void toUnicodeForm(std::string &text, UnicodeForm form)
{
    if (isAscii(text)) {
        return;
    }
    const CharSet &stable = stableSet(form);
    std::string out;
    std::size_t copied = 0;      // text[0, copied) is in out
    std::size_t lastStable = 0;  // where the newest stable character begins: a run may compose with it
    for (std::size_t i = 0; i < text.size();) {
        const Utf8Char c = utf8At(text, i);
        if (stable.test(c.value)) {
            lastStable = i;
            i += c.sizeBytes;
            continue;
        }
        // A run: from the stable character before it up to the next stable one, cut at characters that stay as they are.
        std::size_t begin = std::max(copied, lastStable);
        out.append(text, copied, begin - copied);
        while (i < text.size()) {
            const Utf8Char next = utf8At(text, i);
            if (stable.test(next.value)) {
                break;
            }
            if (isUnknownToNormalizers(next.value)) {
                appendNormalized(out, std::string_view(text).substr(begin, i - begin), form);
                out.append(text, i, next.sizeBytes);
                begin = i + next.sizeBytes;
            }
            i += next.sizeBytes;
        }
        appendNormalized(out, std::string_view(text).substr(begin, i - begin), form);
        copied = i;
        lastStable = i;
    }
    if (copied > 0) {
        out.append(text, copied);
        text = std::move(out);
    }
}

}  // namespace stillroom::text
