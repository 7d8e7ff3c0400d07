// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/stagerun.h"

#include "checkpoint/atomicfile.h"
#include "error.h"
#include "folders.h"
#include "mixers/registry.h"
#include "procedures/modelargument.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace stillroom::procedures {
namespace fs = std::filesystem;

std::shared_ptr<const LoadedModel> LoadedModels::get(const std::string &model, const fs::path &workspace, at::Device device, const std::stop_token &stop)
{
    checkpoint::ModelFiles files = openModelArgument(model, workspace);
    store::requireUnchanged(files.path, stop);
    const std::string hash = files.contentHash(stop);
    const auto found = std::find_if(m_models.begin(), m_models.end(), [&](const auto &one) { return one->hash == hash && one->model.device() == device; });
    if (found != m_models.end()) {
        std::rotate(m_models.begin(), found, found + 1);
        return m_models.front();
    }
    if (m_models.size() > 1)
        m_models.pop_back();
    nn::Transformer loaded = mixers::loadModel(files, device);
    loaded.requireGrad(false);
    m_models.insert(m_models.begin(), std::make_shared<LoadedModel>(LoadedModel{std::move(files), hash, std::move(loaded)}));
    return m_models.front();
}

StageRun StageRun::forTask(const std::string &task) const
{
    StageRun run = *this;
    run.sink = taskSink(task);
    return run;
}

namespace {

/// Of an open file description: it goes away with that, however the process ends, and unlike the one of flock it can be asked about without being taken.
struct flock lockOfAll(short type)
{
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

[[noreturn]] void refuseComputed()
{
    throw Error(ErrorCode::Failed, "another process is computing this very stage in the same workspace: wait for it, its result will be used");
}

/// Keeps two processes from computing one stage at the same time.
class StageLock final {
public:
    explicit StageLock(const fs::path &file)
    {
        m_descriptor = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
        if (m_descriptor < 0)
            throw Error(ErrorCode::Io, file.string() + " cannot be made: check the workspace's permissions");
        struct flock wanted = lockOfAll(F_WRLCK);
        if (::fcntl(m_descriptor, F_OFD_SETLK, &wanted) == 0)
            return;
        const int failure = errno;
        ::close(m_descriptor);
        if (failure == EAGAIN || failure == EACCES)
            refuseComputed();
        throw Error(ErrorCode::Io, file.string() + " cannot be locked: choose a workspace on a disk whose file system has locks", std::strerror(failure));
    }
    ~StageLock() { ::close(m_descriptor); }
    StageLock(const StageLock &) = delete;
    StageLock &operator=(const StageLock &) = delete;

private:
    int m_descriptor = -1;
};

/// Makes nothing and holds nothing, so that a run which begins at the same moment is not refused for it.
void refuseWhileComputed(const fs::path &file)
{
    if (!isFileThere(file))
        return;
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    struct flock asked = lockOfAll(F_RDLCK);
    const bool isAnswered = descriptor >= 0 && ::fcntl(descriptor, F_OFD_GETLK, &asked) == 0;
    const int failure = errno;
    if (descriptor >= 0)
        ::close(descriptor);
    if (!isAnswered)
        throw Error(ErrorCode::Io, file.string() + " cannot be read: check the workspace's permissions", std::strerror(failure));
    if (asked.l_type != F_UNLCK)
        refuseComputed();
}

/// Drops the draft unless it was committed.
class Draft final {
public:
    Draft(store::StageCache cache, const std::string &key) : m_cache(std::move(cache)), m_draft(m_cache.beginStage(key)) {}
    ~Draft()
    {
        if (!m_committed)
            m_cache.dropStage(m_draft);
    }
    Draft(const Draft &) = delete;
    Draft &operator=(const Draft &) = delete;
    [[nodiscard]] const fs::path &folder() const { return m_draft.folder; }
    store::Stage commit(const nlohmann::json &info, bool replace)
    {
        store::Stage stage = m_cache.commitStage(m_draft, info, replace);
        m_committed = true;
        return stage;
    }

private:
    store::StageCache m_cache;
    store::StageDraft m_draft;
    bool m_committed = false;
};

fs::path lockFile(const StageRun &run, const std::string &key)
{
    return run.workspace / "checkpoints" / (key + ".lock");
}

/// Whether an equal stage left checkpoints. \throws Error(Usage) where it did and nobody said what is to become of them
bool hasCheckpoints(const StageRun &run, const std::string &kind, const std::string &key)
{
    const fs::path folder = run.workspace / "checkpoints" / key;
    if (!isThere(folder) || fs::is_empty(folder))
        return false;
    if (!run.resume && !run.fresh)
        throw Error(ErrorCode::Usage, "an equal " + kind + " stage was interrupted before: go on from its last checkpoint (--resume) or start anew (--fresh)");
    return true;
}

}  // namespace

void refuseUnsettled(const StageRun &run, const std::string &kind, const std::string &key)
{
    if (!run.fresh && run.stages().findStage(key))
        return;
    refuseWhileComputed(lockFile(run, key));
    (void)hasCheckpoints(run, kind, key);
}

std::optional<StageResult> finishedStage(const StageRun &run, const std::string &key)
{
    const auto equal = run.fresh ? std::nullopt : run.stages().openStage(key, run.stop);
    if (!equal)
        return std::nullopt;
    nlohmann::json result = nlohmann::json::parse(std::ifstream(equal->folder / "result.json"), nullptr, false);
    if (result.is_discarded())
        return std::nullopt;
    return StageResult{key, equal->folder, std::make_shared<nlohmann::json>(std::move(result)), true};
}

StageResult reuseOrCompute(StageRun &run, const std::string &kind, const std::string &key, const std::function<nlohmann::json(const fs::path &output)> &compute)
{
    const store::StageCache cache = run.stages();
    const auto say = [&] { run.sink(experiment::Artifact{kind, key, "artifacts/" + key}); };
    if (std::optional<StageResult> equal = finishedStage(run, key)) {
        run.sink(experiment::Text{"reused", "An equal " + kind + " stage is in the workspace already: its results are used (key " + key.substr(0, 12) + ")."});
        say();
        return *std::move(equal);
    }
    if (!run.fresh && isThere(run.workspace / "artifacts" / key))
        run.sink(experiment::Text{"damaged", "Files of an equal " + kind + " stage are missing, cut or changed: it is made anew (key " + key.substr(0, 12) + ")."});
    fs::create_directories(lockFile(run, key).parent_path());
    const StageLock lock(lockFile(run, key));
    if (hasCheckpoints(run, kind, key) && !run.resume)
        run.stages().dropCheckpoints(key);
    Draft draft(cache, key);
    const std::string text = compute(draft.folder()).dump(1);       // numbers that are not finite become null
    nlohmann::json result = nlohmann::json::parse(text);            // the same as when it is reused
    checkpoint::writeFileAtomically(draft.folder() / "result.json", text);
    const store::Stage stage = draft.commit({{"kind", kind}}, true);
    cache.dropCheckpoints(key);
    say();
    return {key, stage.folder, std::make_shared<nlohmann::json>(std::move(result)), false};
}

}  // namespace stillroom::procedures
