// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/textregex.h"

#include "error.h"
#include "shownname.h"
#include "text/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>

namespace stillroom::text {

namespace {

constexpr std::uint32_t matchLimit = 100'000'000;        // a second or so of backtracking
constexpr std::uint32_t heapLimitKiB = 512U * 1024U;
constexpr std::size_t jitStackStart = 64U * 1024U;
constexpr std::size_t jitStackMost = 128U * 1024U * 1024U;

std::string errorText(int code)
{
    std::array<PCRE2_UCHAR, 256> buffer{};
    pcre2_get_error_message(code, buffer.data(), buffer.size());
    std::string text;
    for (std::size_t i = 0; i < buffer.size() && buffer[i] != 0; ++i) {
        text.push_back(static_cast<char>(buffer[i]));
    }
    return text;
}

}  // namespace

struct RegexScratch::State {
    pcre2_match_data *data = pcre2_match_data_create(1, nullptr);
    pcre2_match_context *context = pcre2_match_context_create(nullptr);
    pcre2_jit_stack *stack = pcre2_jit_stack_create(jitStackStart, jitStackMost, nullptr);

    State()
    {
        if (data == nullptr || context == nullptr) {
            throw Error(ErrorCode::OutOfMemory, "There is no memory left for matching a pattern.");
        }
        pcre2_set_match_limit(context, matchLimit);
        pcre2_set_heap_limit(context, heapLimitKiB);
        pcre2_jit_stack_assign(context, nullptr, stack);
    }
    ~State()
    {
        pcre2_match_data_free(data);
        pcre2_match_context_free(context);
        pcre2_jit_stack_free(stack);
    }
    State(const State &) = delete;
    State &operator=(const State &) = delete;
};

RegexScratch::RegexScratch() : m_state(std::make_unique<State>()) {}
RegexScratch::~RegexScratch() = default;
RegexScratch::RegexScratch(RegexScratch &&) noexcept = default;
RegexScratch &RegexScratch::operator=(RegexScratch &&) noexcept = default;

struct TextRegex::Compiled {
    struct CodeDeleter {
        void operator()(pcre2_code *compiled) const noexcept { pcre2_code_free(compiled); }
    };
    std::unique_ptr<pcre2_code, CodeDeleter> code;
    bool jit = false;
    std::string shown;

    Compiled(std::string_view pattern, std::string_view original, std::uint32_t options) : shown(shownName(original))
    {
        int error = 0;
        PCRE2_SIZE offset = 0;
        code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), options, &error, &offset, nullptr));
        if (!code) {
            throw Error(ErrorCode::BadFile, "The pattern '" + shown + "' does not compile: " + errorText(error) + "; use the model's own tokenizer file.");
        }
        jit = pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE) == 0;
    }
};

TextRegex::TextRegex(std::string_view pattern, CharacterTables tables)
    : m_compiled(std::make_unique<Compiled>(patternFromOniguruma(pattern, tables), pattern, PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C))
{
}

TextRegex::TextRegex(std::unique_ptr<Compiled> compiled) : m_compiled(std::move(compiled)) {}
TextRegex::~TextRegex() = default;
TextRegex::TextRegex(TextRegex &&) noexcept = default;
TextRegex &TextRegex::operator=(TextRegex &&) noexcept = default;

TextRegex TextRegex::literal(std::string_view text)
{
    return TextRegex(std::make_unique<Compiled>(text, text, PCRE2_UTF | PCRE2_LITERAL));
}

std::optional<TextRegex::Match> TextRegex::find(std::string_view text, std::size_t from, RegexScratch &scratch) const
{
    RegexScratch::State &state = *scratch.m_state;
    const auto *subject = reinterpret_cast<PCRE2_SPTR>(text.data() != nullptr ? text.data() : "");
    int result = PCRE2_ERROR_JIT_STACKLIMIT;
    if (m_compiled->jit) {
        result = pcre2_jit_match(m_compiled->code.get(), subject, text.size(), from, PCRE2_NO_UTF_CHECK, state.data, state.context);
    }
    if (result == PCRE2_ERROR_JIT_STACKLIMIT) {   // the interpreter keeps its state on the heap, so it goes further
        result = pcre2_match(m_compiled->code.get(), subject, text.size(), from, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, state.data, state.context);
    }
    if (result == PCRE2_ERROR_NOMATCH) {
        return std::nullopt;
    }
    if (result < 0) {
        throw Error(ErrorCode::Failed, "The tokenizer's pattern '" + m_compiled->shown + "' needs too much backtracking on this text; split the text into shorter lines.",
                    errorText(result));
    }
    const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(state.data);
    return Match{offsets[0], offsets[1]};
}

std::size_t TextRegex::nextCharacter(std::string_view text, std::size_t offset) noexcept
{
    return offset < text.size() ? utf8Length(text[offset]) : 1;
}

}  // namespace stillroom::text
