// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "text/pipelinetokenizer.h"
#include "text/tokenizer.h"
#include "text/tokenizerextras.h"
#include "text/tokenizerjson.h"

#include <new>

namespace stillroom::text {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The pipeline that a tokenizer class of transformers stands for where only vocab.json and merges.txt are there.
json pipelineOfClass(const std::string &name)
{
    const json byteLevel = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
    json rest = {{"normalizer", nullptr}, {"pre_tokenizer", byteLevel}, {"post_processor", byteLevel}, {"decoder", byteLevel}, {"model", {{"type", "BPE"}}}};
    if (name == "Qwen2Tokenizer" || name == "Qwen2TokenizerFast") {
        constexpr const char *pattern =
            R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
        json mapping = byteLevel;
        mapping["use_regex"] = false;
        rest["normalizer"] = {{"type", "NFC"}};
        rest["pre_tokenizer"] = {{"type", "Sequence"},
                                 {"pretokenizers", {{{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}}, mapping}}};
    } else if (!name.empty() && name != "GPT2Tokenizer" && name != "GPT2TokenizerFast") {
        throw Error(ErrorCode::Unsupported, "A vocab.json with merges.txt of the class '" + name + "' is not understood; save its fast tokenizer, which writes a tokenizer.json.");
    }
    return rest;
}

void addToken(json &list, const std::string &content, const json &flags, bool special)
{
    for (const json &known : list) {
        if (known.at("content") == content) {
            return;
        }
    }
    const auto flag = [&](const char *name, bool otherwise) { return flags.is_object() && flags.contains(name) && flags.at(name).is_boolean() ? flags.at(name).get<bool>() : otherwise; };
    list.push_back({{"id", list.size()},   // the vocabulary or the order decides the id
                    {"content", content},
                    {"single_word", flag("single_word", false)},
                    {"lstrip", flag("lstrip", false)},
                    {"rstrip", flag("rstrip", false)},
                    {"normalized", flag("normalized", !special)},
                    {"special", flag("special", special)}});
}

// Added tokens as transformers gathers them: added_tokens_decoder or added_tokens.json in order of their ids, then the named special tokens.
json addedTokensOf(const CompanionFiles &files, bool gpt2)
{
    json list = json::array();
    std::vector<std::pair<std::uint64_t, std::pair<std::string, json>>> numbered;
    if (files.config.is_object() && files.config.contains("added_tokens_decoder") && files.config.at("added_tokens_decoder").is_object()) {
        for (const auto &[key, token] : files.config.at("added_tokens_decoder").items()) {
            const std::optional<std::string> content = token.is_object() ? tokenText(token, "content") : std::nullopt;
            if (!content || key.empty() || key.size() > 9 || key.find_first_not_of("0123456789") != std::string::npos) {
                throw Error(ErrorCode::BadFile, "The tokenizer_config.json holds an added token without an id or a text.");
            }
            numbered.push_back({std::stoull(key), {*content, token}});
        }
    } else if (files.addedTokens.is_object()) {
        for (const auto &[content, id] : files.addedTokens.items()) {
            if (!id.is_number_unsigned()) {
                throw Error(ErrorCode::BadFile, "The added_tokens.json gives the token '" + content + "' something that is not an id.");
            }
            numbered.push_back({id.get<std::uint64_t>(), {content, nullptr}});
        }
    }
    std::ranges::sort(numbered, {}, [](const auto &entry) { return entry.first; });
    for (const auto &[id, token] : numbered) {
        addToken(list, token.first, token.second, false);
    }
    for (const char *name : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}) {
        const bool inConfig = files.config.is_object() && files.config.contains(name);
        const json &from = inConfig ? files.config : files.specialTokens;
        if (const auto content = tokenText(from, name)) {
            addToken(list, *content, from.at(name), true);
        } else if (!inConfig && gpt2 && std::string_view(name).find("os_token") == 1) {
            addToken(list, "<|endoftext|>", nullptr, true);   // GPT2Tokenizer's own default
        }
    }
    return list;
}

std::shared_ptr<const Tokenizer> loadVocabJson(const fs::path &vocab)
{
    const fs::path mergesPath = vocab.parent_path() / "merges.txt";
    std::error_code error;
    if (!fs::exists(mergesPath, error)) {
        throw Error(ErrorCode::BadFile, vocab.string() + " has no merges.txt beside it.");
    }
    const CompanionFiles companions = readCompanions(vocab.parent_path());
    const std::string className = tokenText(companions.config, "tokenizer_class").value_or("");
    TokenizerJson file;
    file.rest = pipelineOfClass(className);
    file.rest["added_tokens"] = addedTokensOf(companions, !className.starts_with("Qwen2"));
    file.vocabulary = parseVocabJson(readTextFile(vocab), vocab.string());
    file.merges = parseMergesText(readTextFile(mergesPath), mergesPath.string());
    return std::make_shared<PipelineTokenizer>(std::move(file), companions);
}

std::shared_ptr<const Tokenizer> loadTokenizerJson(const fs::path &path)
{
    TokenizerJson file = parseTokenizerJson(readTextFile(path), path.string());
    return std::make_shared<PipelineTokenizer>(std::move(file), readCompanions(path.parent_path()));
}

fs::path fileInFolder(const fs::path &folder)
{
    std::error_code error;
    for (const char *name : {"tokenizer.json", "vocab.json"}) {
        if (fs::exists(folder / name, error)) {
            return folder / name;
        }
    }
    throw Error(ErrorCode::BadFile, folder.string() + " holds no tokenizer: neither tokenizer.json nor vocab.json.");
}

std::shared_ptr<const Tokenizer> loadFile(const fs::path &path)
{
    if (path.filename() == "vocab.json") {
        return loadVocabJson(path);
    }
    if (path.extension() == ".json") {
        return loadTokenizerJson(path);
    }
    throw Error(ErrorCode::Unsupported, path.string() + " is not a kind of tokenizer file that is understood; give a tokenizer.json or a folder that holds one.");
}

}  // namespace

std::shared_ptr<const Tokenizer> loadTokenizer(const fs::path &path)
{
    std::error_code error;
    if (!fs::exists(path, error)) {
        throw Error(ErrorCode::BadFile, path.string() + " does not exist.");
    }
    try {
        return loadFile(fs::is_directory(path, error) ? fileInFolder(path) : path);
    } catch (const nlohmann::json::exception &problem) {
        throw Error(ErrorCode::BadFile, path.string() + " is not a tokenizer as it should be.", problem.what());
    } catch (const std::bad_alloc &) {
        throw Error(ErrorCode::OutOfMemory, path.string() + " needs more memory than there is.");
    }
}

}  // namespace stillroom::text
