// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"
#include "checkpoint/gguf.h"
#include "error.h"
#include "nn/tensorfile.h"
#include "nn/torcherror.h"
#include "nn/transformer.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>

namespace stillroom::nn {

namespace {

namespace fs = std::filesystem;

/// Every file that any tokenizer of Hugging Face's kind lies in.
constexpr const char *tokenizerFiles[] = {"tokenizer.json", "tokenizer_config.json", "tokenizer.model", "vocab.json", "merges.txt", "special_tokens_map.json", "added_tokens.json", "chat_template.jinja"};

void copyTokenizer(const fs::path &from, const fs::path &folder)
{
    if (from.extension() == ".gguf") {
        checkpoint::writeGgufVocabulary(checkpoint::GgufFile(from), folder / "tokenizer.gguf");
        return;
    }
    const fs::path source = fs::is_directory(from) ? from : from.parent_path();
    for (const char *name : tokenizerFiles) {
        if (fs::is_regular_file(source / name)) {
            fs::copy_file(source / name, folder / name, fs::copy_options::overwrite_existing);
        }
    }
}

}  // namespace

void saveTransformer(Transformer &model, const fs::path &folder, const fs::path &tokenizerFrom)
{
    asStillroomError("Saving the model", [&] {
        checkpoint::ModelConfig config = model.config;
        config.layers.clear();
        for (const Block &block : model.blocks) {
            config.layers.push_back({std::string(block.mixer->kind()), block.mixer->optionsJson()});
        }
        NamedTensors tensors;
        model.visitParameters([&tensors](const std::string &name, at::Tensor &tensor, ParameterTraits) { tensors.emplace_back(name, tensor); });
        try {
            fs::create_directories(folder);
            if (!tokenizerFrom.empty()) {
                copyTokenizer(tokenizerFrom, folder);
            }
        } catch (const fs::filesystem_error &error) {
            throw Error(ErrorCode::Io, "The folder " + folder.string() + " cannot be written: " + error.code().message() + ".", error.what());
        }
        writeTensors(folder / "model.safetensors", tensors);
        // Last: a folder without config.json is no model, so an interrupted one is not mistaken for a whole one.
        checkpoint::writeFileAtomically(folder / "config.json", checkpoint::configToJson(config).dump(2) + "\n");
    });
}

}  // namespace stillroom::nn
