// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

#include "recurrence/arguments.h"

namespace stillroom::recurrence {

/// Batched a·b: operands in `form.operandType`, sums and result in `form.type`.
inline at::Tensor product(const at::Tensor &a, const at::Tensor &b, const Form &form) {
    if (form.operandType == form.type)
        return at::bmm(a, b);
    return at::bmm(a.to(form.operandType), b.to(form.operandType), form.type);
}

}  // namespace stillroom::recurrence
