// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "nn/transformer.h"

namespace stillroom::distillation {

/// Where a batch's tokens stand, every member defined, on `device`.
[[nodiscard]] nn::TokenPlaces placesOf(const Batch &batch, at::Device device);

}  // namespace stillroom::distillation
