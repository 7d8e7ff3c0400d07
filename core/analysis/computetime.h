// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

/// How long a run worked, where it was stopped and went on later. The workspace keeps when every row of a curve was measured, and of a run that it went on from a
/// checkpoint at least once, but not when: the pauses are found in the times of the rows.
namespace stillroom::analysis {

/// Unix time, in seconds.
struct Pause {
    double beginSeconds = 0.0, endSeconds = 0.0;
    [[nodiscard]] bool operator==(const Pause &) const = default;
};

/// Gaps between neighbouring rows of a run that went on from a checkpoint. With d_i = t_(i+1) - t_i and m the median of all d_i, a gap is a pause where
///     d_i > max(10 m, 1 s),
/// and lasts from t_i to t_(i+1) - m: the work between two rows takes m. With fewer than four gaps nothing is usual, and none is a pause.
/// \param timesSeconds  of the rows of the curve that has most of them; what is not finite or not after the one before is left out
/// \param resumed  what the workspace says of the run; one that never stopped has no pauses, however uneven it ran
[[nodiscard]] std::vector<Pause> pausesOf(const std::vector<double> &timesSeconds, bool resumed);

/// Seconds of work from one time to a later one: their difference less what of the pauses lies between, at least 0.
/// \param pauses  ascending, apart from each other
[[nodiscard]] double computeSeconds(double fromSeconds, double toSeconds, const std::vector<Pause> &pauses);

}  // namespace stillroom::analysis
