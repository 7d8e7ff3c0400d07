// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "procedures/selectors.h"
#include "selection/shortdistillation.h"

#include <functional>
#include <string>
#include <vector>

/// Short stage 2 of many students, for the selectors that ask for it.
namespace stillroom::procedures {

/// A student by its softmax layers, and how its training curve is called.
struct StudentRequest {
    experiment::LayerSet kept;
    std::string name;
};

struct StudentsRequest {
    std::vector<StudentRequest> students;        ///< two of one set are one student
    /// Called when some curves have grown, with all of them in the order of `students` (those still to train are empty) and the places of the grown ones. May be empty.
    std::function<void(const std::vector<selection::StudentCurve> &curves, const std::vector<std::size_t> &grown)> onEvaluation;
    /// Asked after each evaluation but the last where all students train in one group, with the curves in the order of `students`: the places of those that train no more. May be empty.
    std::function<std::vector<std::size_t>(const std::vector<selection::StudentCurve> &curves)> leaving;
};

struct DistilledStudents {
    std::vector<selection::StudentCurve> curves;     ///< in the order of the request
    std::vector<std::string> reused;                 ///< names of those whose curves were in the workspace already
    int groupSize = 0;
    bool endedEarly = false;                         ///< all of them, before their last step
    SelectorCost spent;
};

/// Trains the students in lock-step groups, each one's finished curve kept as an artifact of its own that does not depend on the selector that asked for it:
/// how students were grouped or on how many calls they were spread changes no number, and only those that are missing are trained.
[[nodiscard]] DistilledStudents distilStudents(const ScoringStage &stage, StageRun &run, const StudentsRequest &request);

/// What so many different students take.
[[nodiscard]] SelectorCost distillationCost(const ScoringPlan &plan, std::int64_t numStudents);

}  // namespace stillroom::procedures
