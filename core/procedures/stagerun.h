// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelfiles.h"
#include "experiment/event.h"
#include "jobs/run.h"
#include "nn/transformer.h"
#include "store/stagecache.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace stillroom::procedures {

/// A model opened and loaded, kept between stages and runs of the same process.
struct LoadedModel {
    checkpoint::ModelFiles files;
    std::string hash;              ///< content hash of the files
    nn::Transformer model;         ///< fp32, frozen
};

/// The last models that were loaded, by content and device: inspecting, scoring and generating in turn loads a model once.
class LoadedModels final {
public:
    [[nodiscard]] std::shared_ptr<const LoadedModel> get(const std::string &model, const std::filesystem::path &workspace, at::Device device, const std::stop_token &stop = {});

private:
    std::vector<std::shared_ptr<const LoadedModel>> m_models;   ///< newest first, at most two
};

/// What one stage of a run may use.
struct StageRun {
    std::filesystem::path workspace;
    std::function<experiment::EventSink(const std::string &task)> taskSink;
    experiment::EventSink sink;    ///< of this stage's task
    std::stop_token stop;
    bool resume = false, fresh = false;
    LoadedModels *models = nullptr;
    std::string dataField = "data";      ///< where the stage's data stand in the spec that a person wrote; empty where a stage around it warns of the same data

    [[nodiscard]] store::StageCache stages() const { return store::StageCache(workspace); }
    /// checkpoints/<key>/, where an unfinished stage keeps what it needs to resume.
    [[nodiscard]] std::filesystem::path checkpoints(const std::string &key) const { return stages().checkpointFolder(key); }
    /// The same run under another task's name.
    [[nodiscard]] StageRun forTask(const std::string &task) const;
};

/// What a stage leaves: its key, its folder, and what `finished` says.
struct StageResult {
    std::string key;
    std::filesystem::path folder;
    std::shared_ptr<nlohmann::json> result;
    bool reused = false;
};

/// The finished stage of this key, its files as they were committed, as a run of an equal one takes it; nothing where there is none, or with `fresh`. \throws Error(Cancelled)
[[nodiscard]] std::optional<StageResult> finishedStage(const StageRun &run, const std::string &key);

/// Runs `compute` (which writes into the folder it is given and returns the result) unless the stage of this key is there already; then that is used
/// and said. The result is kept as result.json in the artifact. With `fresh`, checkpoints and an existing result count for nothing.
/// \throws Error(Usage) when an interrupted equal stage is there and it was not said whether to resume it; Error(Failed) while another process computes it.
StageResult reuseOrCompute(StageRun &run, const std::string &kind, const std::string &key, const std::function<nlohmann::json(const std::filesystem::path &output)> &compute);

/// Refuses, without making or holding anything in the workspace, what reuseOrCompute would before it computes: an equal stage that was interrupted where it was not said whether to resume it, or one that
/// another process computes. Nothing where its result is there. \throws as reuseOrCompute
void refuseUnsettled(const StageRun &run, const std::string &kind, const std::string &key);

}  // namespace stillroom::procedures
