// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

namespace stillroom::recurrence {

/// (I - A)^{-1} for strictly lower triangular A [L,C,C], by forward substitution.
/// Never by the doubling product (I+A)(I+A^2)(I+A^4)…: equal in algebra, but its powers reach 1e18 on correlated keys.
[[nodiscard]] at::Tensor unitLowerInverse(const at::Tensor &a_LCC);

}  // namespace stillroom::recurrence
