// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/modelargument.h"

#include "error.h"
#include "folders.h"
#include "shownname.h"
#include "store/runartifacts.h"
#include "store/stagecache.h"
#include "store/workspace.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace stillroom::procedures {
namespace fs = std::filesystem;

namespace {

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

FoundModel modelOfArtifact(const std::string &key, const fs::path &workspace) { return {modelIn(workspace / "artifacts" / key), key}; }

/// By its key or the beginning of it where no other model's key begins so; empty where there is none.
FoundModel modelByKey(const std::string &digits, const fs::path &workspace)
{
    if (FoundModel whole = modelOfArtifact(digits, workspace); !whole.path.empty())
        return whole;
    std::vector<FoundModel> found;
    for (const std::string &key : store::artifactsThatBegin(digits, workspace))
        if (FoundModel one = modelOfArtifact(key, workspace); !one.path.empty())
            found.push_back(std::move(one));
    return found.size() == 1 ? found.front() : FoundModel{};
}

const std::vector<std::string_view> modelKinds{"distill", "train-teacher"};

bool makesModels(const store::RunReference &one) { return std::find(modelKinds.begin(), modelKinds.end(), one.kind) != modelKinds.end(); }

store::Wanted finishedModels()
{
    return {"models", modelKinds, [](const store::RunReference &one) { return makesModels(one) && one.isFinished(); }};
}

/// Where "RUN > STAGE" names a run that there is. \throws Error(Usage) which says what stages of it made models
void refuseOtherStage(const std::string &text, const fs::path &workspace)
{
    if (const auto name = store::runAndStage(text))
        if (const auto run = store::runCalled(name->run, workspace))
            store::refuseStage(store::Workspace(workspace), *name, *run, finishedModels());
}

/// The one model that a run made. \throws Error(Usage) for a run that made none or several: then it names their keys
FoundModel modelOfRun(const std::string &text, const fs::path &workspace)
{
    const auto run = store::runCalled(text, workspace);
    if (!run) {
        refuseOtherStage(text, workspace);
        return {};
    }
    const std::vector<std::string> keys = store::keysMadeBy(*run, modelKinds, workspace);
    const std::string named = "the " + std::string(run->isStage() ? "stage" : "run") + " \"" + shownName(text) + "\"";
    if (keys.empty() || (run->isStage() && !makesModels(*run)))
        throw Error(ErrorCode::Usage, named + " made no model: " + (run->isStage() || run->run.status != store::RunStatus::Finished ? store::whereElse(store::Workspace(workspace), *run, finishedModels()) : "name a distillation or the training of a teacher that has finished, or a model's key"));
    if (keys.size() > 1)
        throw Error(ErrorCode::Usage, named + " made " + std::to_string(keys.size()) + " models (" + store::shortKeys(keys) + "): name one by its key, or as \"RUN > STAGE\"");
    return modelOfArtifact(keys.front(), workspace);
}

/// Where a model lies that may have been named by its artifact's key, or by the run that made it.
FoundModel findModel(const std::string &model, const fs::path &workspace)
{
    if (model == "demo")
        return {resourceFolder() / "demo" / "teacher", {}};
    if (isThere(model))
        return {model, {}};
    if (workspace.empty())
        return {};
    if (model.find('/') == std::string::npos)       // a key is no path
        if (FoundModel found = modelByKey(model, workspace); !found.path.empty())
            return found;
    return modelOfRun(model, workspace);
}

/// ", and the workspace … cannot be looked into (Permission denied)" where a model may lie there all the same; else empty.
std::string whyHidden(const fs::path &workspace)
{
    std::error_code why;
    (void)fs::exists(workspace / "artifacts", why);      // what is not there is no error
    return workspace.empty() || !why ? std::string() : ", and the workspace \"" + shownName(workspace.string()) + "\" cannot be looked into (" + why.message() + "), so get leave to read it or name another one with --workspace";
}

}  // namespace

bool isModelThere(const std::string &model, const fs::path &workspace)
{
    try {
        return !model.empty() && isThere(findModel(model, workspace).path);
    } catch (const Error &) {       // a run of several models, say: said where the model is needed
        return false;
    }
}

checkpoint::ModelFiles openModelArgument(const std::string &model, const fs::path &workspace)
{
    if (model.empty())
        throw Error(ErrorCode::Usage, "no model is named: give a Hugging Face folder, a .gguf file, or demo");
    const FoundModel found = findModel(model, workspace);
    if (model == "demo" && !isThere(found.path))
        throw Error(ErrorCode::BadFile, "The demo's teacher is not installed: it was looked for at \"" + shownName(found.path.string()) + "\"; install Stillroom's resources there, or set STILLROOM_RESOURCES to the folder that holds demo/");
    if (found.path.empty() && found.artifactKey.empty())
        throw Error(ErrorCode::BadFile, "there is no model at \"" + shownName(model) + "\"" + whyHidden(workspace) + ": give a Hugging Face folder, a .gguf file, a model artifact's key or its beginning where no other begins so, the run that made it, or demo");
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
