// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/schedule.h"

#include "error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stillroom::distillation {
namespace {

void check(const Schedule &schedule, std::int64_t step, std::int64_t total)
{
    if (total < 1 || step < 0 || step >= total)
        throw Error(ErrorCode::Usage, "A schedule of " + std::to_string(total) + " steps has no step " + std::to_string(step) + "; give one from 0 to the last.");
    if (schedule.warmupSteps < 0)
        throw Error(ErrorCode::Usage, "The schedule's warm-up is " + std::to_string(schedule.warmupSteps) + " steps; give 0 or more.");
    if (!(schedule.minimumRatio >= 0.0 && schedule.minimumRatio <= 1.0))
        throw Error(ErrorCode::Usage, "The schedule's minimum ratio is " + std::to_string(schedule.minimumRatio) + "; give a number from 0 to 1.");
    if (!(schedule.decayShare > 0.0 && schedule.decayShare <= 1.0))
        throw Error(ErrorCode::Usage, "The schedule's decay share is " + std::to_string(schedule.decayShare) + "; give a number above 0, at most 1.");
}

/// How much of the way from 1 down to the minimum is left, in [0,1].
double remaining(const Schedule &schedule, std::int64_t step, std::int64_t total)
{
    const auto doneAfterWarmup = static_cast<double>(step - schedule.warmupSteps);
    const auto stepsAfterWarmup = static_cast<double>(total - schedule.warmupSteps);
    switch (schedule.kind) {
    case ScheduleKind::Constant:
        return 1.0;
    case ScheduleKind::Linear:
        return 1.0 - doneAfterWarmup / stepsAfterWarmup;
    case ScheduleKind::Cosine:
        return 0.5 * (1.0 + std::cos(std::numbers::pi * doneAfterWarmup / stepsAfterWarmup));
    case ScheduleKind::Wsd: {
        const double decaySteps = std::min(stepsAfterWarmup, std::max(1.0, std::round(schedule.decayShare * static_cast<double>(total))));
        const double intoDecay = static_cast<double>(step) - (static_cast<double>(total) - decaySteps);
        return intoDecay <= 0.0 ? 1.0 : 1.0 - intoDecay / decaySteps;
    }
    }
    return 1.0;
}

}  // namespace

double learningRateFactor(const Schedule &schedule, std::int64_t step, std::int64_t total)
{
    check(schedule, step, total);
    if (step < schedule.warmupSteps)
        return static_cast<double>(step + 1) / static_cast<double>(schedule.warmupSteps);
    return schedule.minimumRatio + (1.0 - schedule.minimumRatio) * remaining(schedule, step, total);
}

ScheduleKind parseScheduleKind(const std::string &text)
{
    if (text == "constant")
        return ScheduleKind::Constant;
    if (text == "linear")
        return ScheduleKind::Linear;
    if (text == "cosine")
        return ScheduleKind::Cosine;
    if (text == "wsd")
        return ScheduleKind::Wsd;
    throw Error(ErrorCode::Usage, "There is no schedule \"" + text + "\"; choose constant, linear, cosine or wsd.");
}

}  // namespace stillroom::distillation
