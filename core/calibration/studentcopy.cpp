// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/studentcopy.h"

#include "error.h"

#include <ATen/ATen.h>

#include <string>

namespace stillroom::calibration {

std::shared_ptr<mixers::LinearMixer> ownLinearCopy(const distillation::AlignedLayer &student)
{
    const auto copy = std::dynamic_pointer_cast<mixers::LinearMixer>(student.mixer->clone());
    if (!copy)
        throw Error(ErrorCode::Usage, "Layer " + std::to_string(student.layer) + "'s mixer \"" + std::string(student.mixer->kind()) + "\" is not a linear one: there is nothing to calibrate.");
    copy->visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.detach().clone(); });
    return copy;
}

}  // namespace stillroom::calibration
