// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/ggufvocabulary.h"

#include "checkpoint/gguf.h"
#include "error.h"
#include "shownname.h"
#include "text/ggufpretypes.h"
#include "text/utf8.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace stillroom::text {

namespace {

// Tokens that llama.cpp takes as control tokens by their spelling, whatever their type; the first list ends a text.
constexpr std::array<std::string_view, 22> endings{"<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>", "<end_of_turn>",
                                                   "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<|end_of_text|>", "<end_of_utterance>",
                                                   "<eos>", "<turn|>", "<|tool_response>", "<｜end▁of▁sentence｜>", "[e~["};
constexpr std::array<std::string_view, 35> infillMarks{
    "<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>", "<|code_prefix|>", "<|prefix|>", "<|fim_suffix|>", "<fim-suffix>",
    "<fim_suffix>", "<｜fim▁hole｜>", "<SUF>", "▁<SUF>", "<|code_suffix|>", "<|suffix|>", "<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>",
    "<MID>", "▁<MID>", "<|code_middle|>", "<|middle|>", "<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]", "<|fim_repo|>",
    "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>", "<|file_sep|>"};
constexpr std::array<std::string_view, 4> harmonyMarks{"<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"};

[[noreturn]] void bad(const std::string &what)
{
    throw Error(ErrorCode::BadFile, "The tokenizer of this GGUF " + what + "; give the model's tokenizer.json instead.");
}

GgufTokenKind kindOf(std::int64_t type)
{
    GgufTokenKind kind;
    switch (type) {
    case 1: kind.normal = true; break;
    case 2: kind.unknown = true; break;
    case 3: kind.control = true; break;
    case 4: kind.userDefined = true; break;
    case 6: kind.byte = true; break;
    default: break;   // 5 is unused, the rest undefined: such tokens decode to nothing
    }
    return kind;
}

void readTokens(const checkpoint::GgufFile &file, GgufVocabulary &vocabulary)
{
    const auto tokens = file.texts("tokenizer.ggml.tokens");
    if (!tokens || tokens->empty()) {
        bad("has no tokens");
    }
    if (tokens->size() > TokenTable::idLimit) {
        bad("has more than " + std::to_string(TokenTable::idLimit) + " tokens");
    }
    for (std::size_t id = 0; id < tokens->size(); ++id) {
        const std::string_view token = tokens->at(id);
        vocabulary.tokens.add(token.empty() ? "[EMPTY_" + std::to_string(id) + "]" : std::string(token), id);
    }
    vocabulary.tokens.finish();
    if (vocabulary.tokens.size() != tokens->size()) {
        bad("spells two tokens alike");
    }
    vocabulary.kinds.assign(tokens->size(), kindOf(1));
    if (const auto types = file.integers("tokenizer.ggml.token_type")) {
        if (types->size() < tokens->size()) {
            bad("has fewer token types than tokens");
        }
        std::transform(types->begin(), types->begin() + static_cast<std::ptrdiff_t>(tokens->size()), vocabulary.kinds.begin(), &kindOf);
    }
}

void readScores(const checkpoint::GgufFile &file, GgufVocabulary &vocabulary)
{
    const auto scores = file.numbers("tokenizer.ggml.scores");
    if (!scores) {
        vocabulary.scores.assign(vocabulary.tokens.size(), 0.0F);
        return;
    }
    if (scores->size() < vocabulary.tokens.size()) {
        bad("has fewer scores than tokens");
    }
    if (std::ranges::any_of(*scores, [](float score) { return std::isnan(score); })) {
        bad("has a score that is not a number");
    }
    vocabulary.scores = *scores;
}

void readMerges(const checkpoint::GgufFile &file, GgufVocabulary &vocabulary)
{
    const auto merges = file.texts("tokenizer.ggml.merges");
    if (!merges) {
        bad("is byte-pair encoding without merges");
    }
    for (const std::string_view merge : *merges) {
        const std::size_t space = merge.size() < 2 ? std::string_view::npos : merge.find(' ', 1);
        if (space == std::string_view::npos) {
            vocabulary.merges.add("", "");   // keeps its rank, merges nothing
        } else {
            vocabulary.merges.add(merge.substr(0, space), merge.substr(space + 1));
        }
    }
}

std::optional<TokenId> specialId(const checkpoint::GgufFile &file, const GgufVocabulary &vocabulary, const std::string &name, std::optional<TokenId> otherwise)
{
    const std::optional<std::int64_t> id = file.integer("tokenizer.ggml." + name + "_token_id");
    const std::optional<TokenId> use = id && *id >= 0 && vocabulary.tokens.has(static_cast<std::uint32_t>(std::min<std::int64_t>(*id, TokenTable::idLimit))) ? id : otherwise;
    return use && *use < static_cast<TokenId>(vocabulary.tokens.size()) ? use : std::nullopt;
}

void correctKinds(GgufVocabulary &vocabulary, const std::string &modelName)
{
    const auto each = [&](std::span<const std::string_view> names, auto change) {
        for (const std::string_view name : names) {
            if (const auto id = vocabulary.tokens.find(name)) {
                change(*id);
            }
        }
    };
    each(endings, [&](std::uint32_t id) {
        vocabulary.kinds[id].control = true;
        if (std::ranges::find(vocabulary.extras.eosIds, TokenId{id}) == vocabulary.extras.eosIds.end()) {
            vocabulary.extras.eosIds.push_back(id);
        }
    });
    each(infillMarks, [&](std::uint32_t id) { vocabulary.kinds[id].control = true; });
    each(harmonyMarks, [&](std::uint32_t id) { vocabulary.kinds[id] = kindOf(4); });
    std::string lower = modelName;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower.find("phi-3") != std::string::npos || lower.find("phi3") != std::string::npos) {
        for (std::uint32_t id = 0; id < vocabulary.tokens.size(); ++id) {
            const std::string_view token = vocabulary.tokens.spelling(id);
            const bool plain = token == "<unk>" || token == "<s>" || token == "<|endoftext|>";
            vocabulary.kinds[id].stripsAfter = !plain && (vocabulary.kinds[id].added() || token == "</s>");
        }
    }
}

}  // namespace

GgufVocabulary readGgufVocabulary(const checkpoint::GgufFile &file)
{
    GgufVocabulary vocabulary;
    vocabulary.model = std::string(file.text("tokenizer.ggml.model").value_or(""));
    if (vocabulary.model.empty()) {
        bad("is missing: the file names no tokenizer.ggml.model");
    }
    const bool bytePairs = vocabulary.model == "gpt2";
    if (!bytePairs && vocabulary.model != "llama") {
        throw Error(ErrorCode::Unsupported, "The tokenizer model '" + shownName(vocabulary.model) +
                                                "' of this GGUF is not understood; gpt2 and llama are, so give the model's tokenizer.json instead.");
    }
    vocabulary.pre = std::string(file.text("tokenizer.ggml.pre").value_or("default"));
    const GgufPreType *pre = bytePairs ? ggufPreType(vocabulary.pre) : nullptr;
    if (bytePairs && pre == nullptr) {
        throw Error(ErrorCode::Unsupported, "The pre-tokenizer type '" + shownName(vocabulary.pre) +
                                                "' of this GGUF is not understood; give the model's tokenizer.json instead.");
    }
    readTokens(file, vocabulary);
    if (bytePairs) {
        readMerges(file, vocabulary);
    } else {
        readScores(file, vocabulary);
    }
    const std::optional<TokenId> defaultEnd = bytePairs ? 11 : 2;   // llama.cpp's defaults
    vocabulary.extras.bosId = specialId(file, vocabulary, "bos", bytePairs ? 11 : 1);
    vocabulary.eosId = specialId(file, vocabulary, "eos", defaultEnd);
    vocabulary.unknownId = specialId(file, vocabulary, "unknown", bytePairs ? std::nullopt : std::optional<TokenId>(0));
    for (const std::optional<TokenId> id : {vocabulary.eosId, specialId(file, vocabulary, "eot", std::nullopt), specialId(file, vocabulary, "eom", std::nullopt)}) {
        if (id && std::ranges::find(vocabulary.extras.eosIds, *id) == vocabulary.extras.eosIds.end()) {
            vocabulary.extras.eosIds.push_back(*id);
        }
    }
    vocabulary.addBos = file.flag("tokenizer.ggml.add_bos_token").value_or(bytePairs ? pre->addBos : true);
    vocabulary.addEos = file.flag("tokenizer.ggml.add_eos_token").value_or(false);
    vocabulary.addSpacePrefix = !bytePairs && file.flag("tokenizer.ggml.add_space_prefix").value_or(true);
    if (const auto chat = file.text("tokenizer.chat_template")) {
        vocabulary.extras.chatTemplate = repairUtf8(*chat);
    }
    correctKinds(vocabulary, std::string(file.text("general.name").value_or("")));
    return vocabulary;
}

}  // namespace stillroom::text
