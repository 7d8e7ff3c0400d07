// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/modelargument.h"

#include "error.h"
#include "folders.h"
#include "shownname.h"

namespace stillroom::procedures {
namespace fs = std::filesystem;

namespace {

/// Where a model lies that may have been named by its artifact's key; empty where nothing is.
fs::path modelPath(const std::string &model, const fs::path &workspace)
{
    if (model == "demo")
        return resourceFolder() / "demo" / "teacher";
    if (isThere(model))
        return model;
    if (!workspace.empty() && model.find('/') == std::string::npos)
        for (const fs::path &folder : {workspace / "artifacts" / model / "model", workspace / "artifacts" / model})
            if (isFileThere(folder / "config.json"))
                return folder;
    return {};
}

}  // namespace

bool isModelThere(const std::string &model, const fs::path &workspace)
{
    return !model.empty() && !modelPath(model, workspace).empty();
}

checkpoint::ModelFiles openModelArgument(const std::string &model, const fs::path &workspace)
{
    if (model.empty())
        throw Error(ErrorCode::Usage, "no model is named: give a Hugging Face folder, a .gguf file, or demo");
    if (const fs::path path = modelPath(model, workspace); !path.empty())
        return checkpoint::openModel(path);
    throw Error(ErrorCode::BadFile, "there is no model at \"" + shownName(model) + "\": give a Hugging Face folder, a .gguf file, a model artifact's key, or demo");
}

std::shared_ptr<const text::Tokenizer> tokenizerOf(const checkpoint::ModelFiles &files)
{
    if (files.tokenizerPath.empty())
        throw Error(ErrorCode::BadFile, files.path.string() + " holds no tokenizer: put tokenizer.json beside config.json, or give token ids instead of text");
    return text::loadTokenizer(files.tokenizerPath);
}

}  // namespace stillroom::procedures
