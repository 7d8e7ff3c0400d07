// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/selectoroffers.h"

namespace stillroom {

/// The selectors of the compute rooms, as the window offers them.
[[nodiscard]] widgets::SelectorOffers selectorOffers();

}  // namespace stillroom
