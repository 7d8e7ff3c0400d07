// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/adamw.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::distillation {

/// Everything that a stage needs to go on as if nothing had happened. Data and learning rate are functions of the step, and training draws no
/// random number, so there is no generator to keep.
struct TrainingState {
    std::string kind;                    ///< "stage-1", "stage-2", …
    std::string key;                     ///< of the spec: a checkpoint is taken up only by an equal one
    std::int64_t step = 0;               ///< complete optimizer steps = position in the data
    std::int64_t tokens = 0;             ///< counted tokens seen
    std::string scalarsJson = "{}";      ///< what else the stage keeps (best and last losses)
    std::vector<NamedTensor> weights;
    std::vector<NamedTensor> optimizer;  ///< empty in a final state
    bool isFinal = false;                ///< read from the stage's end; of no meaning where a state is written
};

/// A folder of checkpoints, each complete or absent:
///     FOLDER/step-000000000120/{state.safetensors, state.json, DONE}      or      FOLDER/final/…
/// DONE holds the SHA-256 of the other two, as sha256sum writes them. Written under a temporary name, every file and folder synced, then renamed. The newest two stay; a final one replaces all.
class CheckpointFolder final {
public:
    /// Makes the folder, and removes what an interrupted write left. \throws Error(Io)
    explicit CheckpointFolder(std::filesystem::path folder);

    /// \return the checkpoint's path. \throws Error(Io) (disk full, not writable): earlier checkpoints stay whole.
    std::filesystem::path write(const TrainingState &state);
    /// The end of a stage: weights without the optimizer's state; then removes the others.
    std::filesystem::path writeFinal(const TrainingState &state);

    /// Removes every checkpoint: the stage starts afresh.
    void clear();
    /// The final state, else that of the newest checkpoint that can be read (one that is damaged, or whose files are not those that were written, is passed over with a warning), on the CPU.
    /// Nothing when there is none. \throws Error(Usage) when it belongs to another key.
    [[nodiscard]] std::optional<TrainingState> newest(const std::string &key) const;
    [[nodiscard]] bool hasFinal() const;
    /// Steps of the checkpoints that are complete, ascending.
    [[nodiscard]] std::vector<std::int64_t> steps() const;

private:
    std::filesystem::path publish(const TrainingState &state, const std::string &name);
    std::filesystem::path m_folder;
};

}  // namespace stillroom::distillation
