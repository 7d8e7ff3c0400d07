// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/gguf.h"
#include "error.h"
#include "shownname.h"
#include "text/companiontokens.h"
#include "text/gguftokenizer.h"
#include "text/pipelinetokenizer.h"
#include "text/sentencepiecetokenizer.h"
#include "text/tokenizer.h"
#include "text/tokenizerextras.h"
#include "text/tokenizerjson.h"

#include <new>
#include <utility>

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
        throw Error(ErrorCode::Unsupported, "A vocab.json with merges.txt of the class '" + shownName(name) + "' is not understood; save its fast tokenizer, which writes a tokenizer.json.");
    }
    return rest;
}

std::shared_ptr<const Tokenizer> loadVocabJson(const fs::path &vocab)
{
    const fs::path mergesPath = vocab.parent_path() / "merges.txt";
    std::error_code error;
    if (!fs::exists(mergesPath, error)) {
        throw Error(ErrorCode::BadFile, vocab.string() + " has no merges.txt beside it; put it there, or save the fast tokenizer, which writes a tokenizer.json.");
    }
    const CompanionFiles companions = readCompanions(vocab.parent_path());
    const std::string className = tokenText(companions.config, "tokenizer_class").value_or("");
    TokenizerJson file;
    file.rest = pipelineOfClass(className);
    std::vector<AddedToken> added;
    for (CompanionToken &token : companionTokens(companions)) {
        added.push_back(std::move(token.token));
    }
    if (added.empty() && !className.starts_with("Qwen2")) {
        AddedToken end;   // GPT2Tokenizer's own default for every special token
        end.content = "<|endoftext|>";
        end.special = true;
        added.push_back(std::move(end));
    }
    file.vocabulary = parseVocabJson(readTextFile(vocab), vocab.string());
    file.merges = parseMergesText(readTextFile(mergesPath), mergesPath.string());
    return std::make_shared<PipelineTokenizer>(std::move(file), companions, std::move(added));
}

std::shared_ptr<const Tokenizer> loadTokenizerJson(const fs::path &path)
{
    TokenizerJson file = parseTokenizerJson(readTextFile(path), path.string());
    return std::make_shared<PipelineTokenizer>(std::move(file), readCompanions(path.parent_path()));
}

fs::path fileInFolder(const fs::path &folder)
{
    std::error_code error;
    for (const char *name : {"tokenizer.json", "tokenizer.model", "vocab.json"}) {
        if (fs::exists(folder / name, error)) {
            return folder / name;
        }
    }
    throw Error(ErrorCode::BadFile, folder.string() + " holds no tokenizer: neither tokenizer.json nor tokenizer.model nor vocab.json with merges.txt; put the model's tokenizer files there.");
}

std::shared_ptr<const Tokenizer> loadFile(const fs::path &path)
{
    if (path.filename() == "vocab.json") {
        return loadVocabJson(path);
    }
    if (path.extension() == ".json") {
        return loadTokenizerJson(path);
    }
    if (path.extension() == ".model") {
        return makeSentencePieceTokenizer(readTextFile(path), path.string(), readCompanions(path.parent_path()));
    }
    if (path.extension() == ".gguf") {
        return std::make_shared<GgufTokenizer>(readGgufVocabulary(checkpoint::GgufFile(path)));
    }
    throw Error(ErrorCode::Unsupported, path.string() + " is not a kind of tokenizer file that is understood; give a tokenizer.json, tokenizer.model, vocab.json or .gguf, or a folder that holds one.");
}

// What a part of the tokenizer refuses without knowing its file.
Error namingFile(const Error &problem, const fs::path &file)
{
    const std::string message = problem.what(), folder = file.parent_path().string();
    const bool named = message.find(folder.empty() ? file.string() : folder) != std::string::npos;
    return named ? problem : Error(problem.code(), file.string() + ": " + message, problem.detail());
}

// Runs `work`; what it refuses is the fault of the file.
template <typename Work>
auto blaming(const fs::path &file, const Work &work)
{
    try {
        return work();
    } catch (const Error &problem) {
        if (problem.code() == ErrorCode::OutOfMemory) {
            throw;
        }
        throw Error(ErrorCode::BadFile, namingFile(problem, file).what(), problem.detail());
    }
}

// Knows its file: a text or an id that it cannot deal with says something about that file.
class TokenizerOfFile final : public Tokenizer {
public:
    TokenizerOfFile(std::shared_ptr<const Tokenizer> tokenizer, fs::path file) : m_tokenizer(std::move(tokenizer)), m_file(std::move(file)) {}

    [[nodiscard]] std::vector<TokenId> encode(std::string_view text, bool addSpecial) const override
    {
        return blaming(m_file, [&] { return m_tokenizer->encode(text, addSpecial); });
    }
    [[nodiscard]] std::string decode(std::span<const TokenId> ids, bool skipSpecial) const override
    {
        return blaming(m_file, [&] { return m_tokenizer->decode(ids, skipSpecial); });
    }
    [[nodiscard]] std::int64_t vocabSize() const override { return m_tokenizer->vocabSize(); }
    [[nodiscard]] std::optional<TokenId> idOf(std::string_view token) const override { return m_tokenizer->idOf(token); }
    [[nodiscard]] std::string tokenOf(TokenId id) const override { return m_tokenizer->tokenOf(id); }
    [[nodiscard]] std::optional<TokenId> bosId() const override { return m_tokenizer->bosId(); }
    [[nodiscard]] std::optional<TokenId> unknownId() const override { return m_tokenizer->unknownId(); }
    [[nodiscard]] std::vector<TokenId> eosIds() const override { return m_tokenizer->eosIds(); }
    [[nodiscard]] std::optional<std::string> chatTemplate() const override { return m_tokenizer->chatTemplate(); }
    [[nodiscard]] std::string identity() const override { return m_tokenizer->identity(); }
    [[nodiscard]] std::vector<TokenizerPart> parts() const override { return m_tokenizer->parts(); }

private:
    std::shared_ptr<const Tokenizer> m_tokenizer;
    fs::path m_file;
};

}  // namespace

std::shared_ptr<const Tokenizer> loadTokenizer(const fs::path &path)
{
    std::error_code error;
    if (!fs::exists(path, error)) {
        throw Error(ErrorCode::BadFile, path.string() + " does not exist; check the path of the tokenizer.");
    }
    const fs::path file = fs::is_directory(path, error) ? fileInFolder(path) : path;
    try {
        return std::make_shared<TokenizerOfFile>(loadFile(file), file);
    } catch (const Error &problem) {
        throw namingFile(problem, file);
    } catch (const nlohmann::json::exception &problem) {
        throw Error(ErrorCode::BadFile, file.string() + " is not a tokenizer as it should be; use the model's own tokenizer file.", problem.what());
    } catch (const std::bad_alloc &) {
        throw Error(ErrorCode::OutOfMemory, file.string() + " needs more memory than there is; use the model's own tokenizer file.");
    }
}

}  // namespace stillroom::text
