// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "procedures/stagerun.h"

#include <string>

namespace stillroom::procedures {

/// A file whose weights are not numbers is damaged; what is computed from it would look like a training that diverged. Reads every weight once (some ten
/// milliseconds for 100 M of them), so it is asked for where work begins that takes longer.
/// \throws Error(BadFile) naming the first tensor that holds a NaN or an infinity, and its file; Error(Cancelled) once a stop is requested, which it looks for at every tensor
void requireFiniteWeights(const LoadedModel &model, const std::stop_token &stop = {});
/// The same as a sentence, for who goes on all the same: attention may hide what is not a number. Empty where every weight is finite.
[[nodiscard]] std::string nonFiniteWeights(const checkpoint::ModelFiles &files, const nn::Transformer &model, const std::stop_token &stop = {});

}  // namespace stillroom::procedures
