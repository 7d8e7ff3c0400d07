// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/modelargument.h"

#include "error.h"
#include "folders.h"
#include "shownname.h"
#include "store/stagecache.h"

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

struct FoundModel {
    fs::path path;                ///< empty where nothing is
    std::string artifactKey;      ///< empty for what is no artifact of the workspace
};

std::vector<FoundModel> modelsThatBegin(const std::string &digits, const fs::path &artifacts)
{
    std::vector<FoundModel> found;
    std::error_code none;
    for (const fs::directory_entry &entry : fs::directory_iterator(artifacts, none))
        if (const std::string key = entry.path().filename().string(); key.starts_with(digits))
            if (const fs::path model = modelIn(entry.path()); !model.empty())
                found.push_back({model, key});
    return found;
}

/// Where a model lies that may have been named by its artifact's key.
FoundModel findModel(const std::string &model, const fs::path &workspace)
{
    if (model == "demo")
        return {resourceFolder() / "demo" / "teacher", {}};
    if (isThere(model))
        return {model, {}};
    if (workspace.empty() || model.find('/') != std::string::npos)
        return {};
    if (const fs::path whole = modelIn(workspace / "artifacts" / model); !whole.empty())
        return {whole, model};
    const std::vector<FoundModel> found = model.size() < fewestKeyDigits ? std::vector<FoundModel>() : modelsThatBegin(model, workspace / "artifacts");
    return found.size() == 1 ? found.front() : FoundModel{};
}

}  // namespace

bool isModelThere(const std::string &model, const fs::path &workspace)
{
    return !model.empty() && !findModel(model, workspace).path.empty();
}

checkpoint::ModelFiles openModelArgument(const std::string &model, const fs::path &workspace)
{
    if (model.empty())
        throw Error(ErrorCode::Usage, "no model is named: give a Hugging Face folder, a .gguf file, or demo");
    const FoundModel found = findModel(model, workspace);
    if (found.path.empty())
        throw Error(ErrorCode::BadFile, "there is no model at \"" + shownName(model) + "\": give a Hugging Face folder, a .gguf file, a model artifact's key or its beginning where no other begins so, or demo");
    if (!found.artifactKey.empty() && !store::StageCache(workspace).findStage(found.artifactKey))
        throw Error(ErrorCode::BadFile, "the artifact " + shownName(found.artifactKey) + " is not whole: a file of it is missing or cut, or it was never finished; run what makes it again");
    return checkpoint::openModel(found.path);
}

std::shared_ptr<const text::Tokenizer> tokenizerOf(const checkpoint::ModelFiles &files)
{
    if (files.tokenizerPath.empty())
        throw Error(ErrorCode::BadFile, files.path.string() + " holds no tokenizer: put tokenizer.json beside config.json, or give token ids instead of text");
    return text::loadTokenizer(files.tokenizerPath);
}

}  // namespace stillroom::procedures
