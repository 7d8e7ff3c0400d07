// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/workspace.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stillroom::store {

/// What a person means who names a run: it, or one stage of a pipeline.
struct RunReference {
    Run run;
    std::string task;                    ///< of the stage; empty: the run itself
    std::string key, kind;               ///< of the stage, or the run
    std::string specJson = "{}";         ///< likewise
    std::string resultJson = "null";     ///< likewise
    [[nodiscard]] bool isStage() const { return !task.empty(); }
    /// Whether it handed back a result.
    [[nodiscard]] bool isFinished() const { return resultJson != "null"; }
    /// Whether a task of a run belongs to what is meant.
    [[nodiscard]] bool isOf(const std::string &uuid, const std::string &itsTask) const { return run.uuid == uuid && (!isStage() || task == itsTask); }
};

/// The two names in "RUN > STAGE".
struct StageName {
    std::string run, stage;
};
/// None where the text holds no '>'.
[[nodiscard]] std::optional<StageName> runAndStage(const std::string &text);

/// Understands, the first that fits: a UUID; a run's name, or the beginning of a UUID; "RUN > STAGE", as `runs list` prints it; a stage's key or name; the beginning of one.
/// Beginnings have 4 characters or more. Equal stages of several runs are one thing: the newest of them is taken.
/// \throws Error(Usage) when nothing fits, or several things do: then it names them; where a run in the trash fits, it says how that comes back
[[nodiscard]] RunReference findReference(const Workspace &workspace, const std::string &text);

/// The same, and none where nothing fits. \throws Error(Usage) when several things do
[[nodiscard]] std::optional<RunReference> findReferenceIfAny(const Workspace &workspace, const std::string &text);

/// A run in the trash: a UUID, a name or the beginning of a UUID; none where nothing there fits. \throws Error(Usage) when several do
[[nodiscard]] std::optional<Run> findTrashedIfAny(const Workspace &workspace, const std::string &text);

/// For who found nothing else. \throws Error(Usage) where a run in the trash is meant
void refuseTrashed(const Workspace &workspace, const std::string &text);

/// What is looked for in a run, for a sentence about where it is.
struct Wanted {
    std::string what;                                            ///< "scores"
    std::vector<std::string_view> kinds;                         ///< of the stages that make it
    std::function<bool(const RunReference &one)> isIn;           ///< of a run, or of a stage
};

/// The end of a sentence about a run or stage in which it is not: the run's other stages that have it, or when it comes, or that nothing has it.
[[nodiscard]] std::string whereElse(const Workspace &workspace, const RunReference &named, const Wanted &wanted);

/// \throws Error(Usage) that the run has no such stage, and as whereElse
[[noreturn]] void refuseStage(const Workspace &workspace, const StageName &name, const RunReference &run, const Wanted &wanted);

/// "wait for its end": how a run that has not finished comes to it.
[[nodiscard]] std::string howItEnds(const Run &run);

}  // namespace stillroom::store
