// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/stageone.h"
#include "mixers/linearmixer.h"

#include <memory>

namespace stillroom::calibration {

/// A copy of a student's mixer whose tensors are its own. \throws Error(Usage) if it is no linear mixer.
[[nodiscard]] std::shared_ptr<mixers::LinearMixer> ownLinearCopy(const distillation::AlignedLayer &student);

}  // namespace stillroom::calibration
