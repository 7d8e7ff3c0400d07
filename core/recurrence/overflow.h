// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "recurrence/recurrence.h"

namespace stillroom::recurrence {

/// Refuses results that ran over: finite inputs whose final state, or (half precision) whose output, is not finite. Says what made it grow: keys that were
/// not normalised, a decay above 0. Inputs that were not finite themselves are not its business: they show where they came from.
/// Looks at the final state, and at the outputs where they are narrower than the state or documents hide it. \throws Error(NonFinite)
void refuseOverflow(const Inputs &inputs, const Outputs &outputs);

}  // namespace stillroom::recurrence
