// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/distinction.h"
#include "experiment/score.h"
#include "store/workspace.h"

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::store {

/// One experiment as a table of them shows it: a run, or one stage of a pipeline. Names, notes, tags, pins, locks and the trash belong to the run as a whole.
struct ExperimentRow {
    std::string uuid;                                    ///< of the run
    std::string task;                                    ///< of a pipeline's stage; empty: the run itself
    std::string name, notes, kind;
    std::vector<std::string> tags;
    bool pinned = false, locked = false;
    RunStatus status = RunStatus::Running;
    double startedSeconds = 0.0;                         ///< Unix time
    std::optional<double> seconds;                       ///< of work, until its end or its last event
    std::int64_t tokens = 0;                             ///< it trained on, or got to
    std::string teacher, mixer, selector;                ///< empty where its kind has none
    std::optional<int> keep;                             ///< K of the hybrid that it is about
    std::optional<experiment::LayerSet> layers;          ///< softmax layers of that hybrid
    std::optional<std::int64_t> seed;
    std::string model;                                   ///< that was measured, described or continued; empty where its kind has none
    std::map<std::string, double> measures;              ///< by the names of results: kl_nats, perplexity, recall …
    std::string settings;                                ///< SHA-256 of the spec less seed, name and notes: equal for repetitions with other seeds
    std::vector<experiment::SpecValue> distinction;      ///< from the others of its title: see titleOf; empty where it is the only one, or nothing differs
};

inline constexpr std::size_t mostNamedLayers = 8;        ///< a hybrid that keeps more is called by their number

/// What an experiment is called by, where it is not called by its run: its name, else what its kind is told by. Those that have it in common need a distinction.
struct ExperimentTitle {
    std::string name, task, kind, mixer, selector, teacher;
    std::optional<experiment::LayerSet> layers;
    std::optional<int> keep;
    friend auto operator<=>(const ExperimentTitle &a, const ExperimentTitle &b) = default;
};
/// None for a pipeline without a name and for its stages: each is called by its run.
[[nodiscard]] std::optional<ExperimentTitle> titleOf(const ExperimentRow &row);

/// Newest first; the stages of a pipeline in the order of its spec, less those that never began. What the database holds of a run that cannot be read is left empty.
/// \param trashed  those in the trash instead of the others
[[nodiscard]] std::vector<ExperimentRow> experimentRows(const Workspace &workspace, bool trashed = false);

}  // namespace stillroom::store
