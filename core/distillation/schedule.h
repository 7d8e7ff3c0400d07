// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace stillroom::distillation {

enum class ScheduleKind {
    Constant,   ///< 1 after the warm-up
    Linear,     ///< 1 → minimumRatio in a straight line
    Cosine,     ///< 1 → minimumRatio along half a cosine
    Wsd,        ///< warm-up, stable, decay: 1, then a straight line to minimumRatio over the last `decayShare` of all steps
};

/// How the learning rate moves. A pure function of (step, total): a resumed run needs nothing else.
struct Schedule {
    ScheduleKind kind = ScheduleKind::Cosine;
    std::int64_t warmupSteps = 0;   ///< step s of the warm-up has factor (s + 1) / warmupSteps, so its last step has 1
    double minimumRatio = 0.0;      ///< in [0,1]: what is left at the end of the decay
    double decayShare = 0.1;        ///< Wsd only, in (0,1]
};

/// What the base learning rate is multiplied with in step `step` = 0 … total-1. The decay runs over the s = total - warmupSteps steps after
/// the warm-up and reaches minimumRatio where the step after the last one would be (the factor of the last step is above it, as in
/// the schedulers of PyTorch and transformers that are stepped after each update).
/// \throws Error(Usage) for a step outside 0 … total-1 or a field out of range.
[[nodiscard]] double learningRateFactor(const Schedule &schedule, std::int64_t step, std::int64_t total);

/// "constant" | "linear" | "cosine" | "wsd". \throws Error(Usage)
[[nodiscard]] ScheduleKind parseScheduleKind(const std::string &text);

}  // namespace stillroom::distillation
