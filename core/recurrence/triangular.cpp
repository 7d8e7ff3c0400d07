// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/triangular.h"

#include <ATen/ATen.h>

namespace stillroom::recurrence {

at::Tensor unitLowerInverse(const at::Tensor &a_LCC) {
    const auto identity_CC = at::eye(a_LCC.size(1), a_LCC.options());
    return at::linalg_solve_triangular(identity_CC - a_LCC, identity_CC.expand_as(a_LCC), /*upper=*/false, /*left=*/true,
                                       /*unitriangular=*/true);
}

}  // namespace stillroom::recurrence
