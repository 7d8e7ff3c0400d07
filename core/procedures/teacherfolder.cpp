// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/teacherfolder.h"

#include "checkpoint/atomicfile.h"
#include "error.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace stillroom::procedures {
namespace {

namespace fs = std::filesystem;

constexpr const char *unknownWord = "<unk>", *endWord = "<eos>";

nlohmann::json specialToken(std::int64_t id, const char *word)
{
    return {{"id", id}, {"content", word}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}};
}

/// In the form of Hugging Face's `tokenizers`: WordLevel over words between blanks.
nlohmann::json tokenizerJson(const text::RecallMix &task)
{
    nlohmann::json vocabulary = nlohmann::json::object();
    const std::vector<std::string> words = task.words();
    for (std::size_t id = 0; id < words.size(); ++id)
        vocabulary[words[id]] = id;
    vocabulary[unknownWord] = unknownId(task);
    vocabulary[endWord] = endId(task);
    return {{"version", "1.0"},
            {"truncation", nullptr},
            {"padding", nullptr},
            {"added_tokens", {specialToken(unknownId(task), unknownWord), specialToken(endId(task), endWord)}},
            {"normalizer", nullptr},
            {"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
            {"post_processor", nullptr},
            {"decoder", nullptr},
            {"model", {{"type", "WordLevel"}, {"vocab", vocabulary}, {"unk_token", unknownWord}}}};
}

nlohmann::json tokenizerConfigJson(std::int64_t contextTokens)
{
    return {{"tokenizer_class", "PreTrainedTokenizerFast"}, {"unk_token", unknownWord}, {"eos_token", endWord}, {"model_max_length", contextTokens}, {"clean_up_tokenization_spaces", false}};
}

}  // namespace

void writeTeacherFolder(nn::Transformer &teacher, const text::RecallMix &task, const nlohmann::json &origin, const fs::path &folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Error(ErrorCode::Io, "the folder " + folder.string() + " cannot be made: " + error.message());
    const auto write = [&](const char *name, const nlohmann::json &json) { checkpoint::writeFileAtomically(folder / name, json.dump(1) + "\n"); };
    write("tokenizer.json", tokenizerJson(task));
    write("tokenizer_config.json", tokenizerConfigJson(teacher.config.maxPositions));
    write("generation_config.json", {{"do_sample", false}, {"eos_token_id", endId(task)}});
    write("training.json", origin);
    nn::saveTransformer(teacher, folder);
}

}  // namespace stillroom::procedures
