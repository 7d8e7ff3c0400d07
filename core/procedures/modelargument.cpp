// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/modelargument.h"

#include "error.h"
#include "folders.h"
#include "shownname.h"

#include <vector>

namespace stillroom::procedures {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t fewestKeyDigits = 4;      // as of a run's identifier

/// The model of an artifact, or an exported one; empty where there is none.
fs::path modelIn(const fs::path &artifact)
{
    for (const fs::path &folder : {artifact / "model", artifact})
        if (isFileThere(folder / "config.json"))
            return folder;
    return {};
}

std::vector<fs::path> modelsThatBegin(const std::string &digits, const fs::path &artifacts)
{
    std::vector<fs::path> found;
    std::error_code none;
    for (const fs::directory_entry &entry : fs::directory_iterator(artifacts, none))
        if (entry.path().filename().string().starts_with(digits))
            if (const fs::path model = modelIn(entry.path()); !model.empty())
                found.push_back(model);
    return found;
}

/// Where a model lies that may have been named by its artifact's key; empty where nothing is.
fs::path modelPath(const std::string &model, const fs::path &workspace)
{
    if (model == "demo")
        return resourceFolder() / "demo" / "teacher";
    if (isThere(model))
        return model;
    if (workspace.empty() || model.find('/') != std::string::npos)
        return {};
    if (const fs::path whole = modelIn(workspace / "artifacts" / model); !whole.empty())
        return whole;
    const std::vector<fs::path> found = model.size() < fewestKeyDigits ? std::vector<fs::path>() : modelsThatBegin(model, workspace / "artifacts");
    return found.size() == 1 ? found.front() : fs::path();
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
    throw Error(ErrorCode::BadFile, "there is no model at \"" + shownName(model) + "\": give a Hugging Face folder, a .gguf file, a model artifact's key or its beginning where no other begins so, or demo");
}

std::shared_ptr<const text::Tokenizer> tokenizerOf(const checkpoint::ModelFiles &files)
{
    if (files.tokenizerPath.empty())
        throw Error(ErrorCode::BadFile, files.path.string() + " holds no tokenizer: put tokenizer.json beside config.json, or give token ids instead of text");
    return text::loadTokenizer(files.tokenizerPath);
}

}  // namespace stillroom::procedures
