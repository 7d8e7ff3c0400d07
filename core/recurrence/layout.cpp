// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/layout.h"

#include <ATen/ATen.h>

namespace stillroom::recurrence {

at::Tensor toChunks(const at::Tensor &x_BTHD, const Segments &segments, const Form &form, c10::ScalarType type) {
    const std::int64_t D = x_BTHD.dim() == 4 ? x_BTHD.size(3) : 1;
    auto x = x_BTHD.reshape({form.B, form.T, form.H, D});
    if (segments.defined())
        x = x.masked_fill(segments.padding_BT.view({form.B, form.T, 1, 1}), 0);
    if (form.N * form.C > form.T)
        x = at::constant_pad_nd(x, {0, 0, 0, 0, 0, form.N * form.C - form.T});
    return x.reshape({form.B, form.N, form.C, form.H, D})
        .permute({1, 0, 3, 2, 4})
        .to(type, /*non_blocking=*/false, /*copy=*/false, at::MemoryFormat::Contiguous)
        .reshape({form.N * form.B * form.H, form.C, D});
}

at::Tensor fromChunks(const at::Tensor &x_LCD, const Segments &segments, const Form &form, const at::Tensor &like) {
    const auto D = x_LCD.size(2);
    auto x = x_LCD.view({form.N, form.B, form.H, form.C, D}).permute({1, 0, 3, 2, 4});
    x = x.reshape({form.B, form.N * form.C, form.H, D}).slice(1, 0, form.T);
    if (segments.defined())
        x = x.masked_fill(segments.padding_BT.view({form.B, form.T, 1, 1}), 0);
    return x.reshape(like.sizes()).to(like.scalar_type());
}

}  // namespace stillroom::recurrence
