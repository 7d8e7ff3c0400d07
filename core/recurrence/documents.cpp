// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/documents.h"

#include <tuple>

#include <ATen/ATen.h>

namespace stillroom::recurrence {

Segments segmentsOf(const at::Tensor &documents_BT) {
    if (!documents_BT.defined())
        return {};
    const auto isToken_BT = documents_BT.ge(0);
    const auto positions_T = at::arange(documents_BT.size(1), documents_BT.options());
    const auto lastToken_BT = std::get<0>(at::where(isToken_BT, positions_T, positions_T.new_full({}, -1)).cummax(1));
    // Padding takes the id of the token before it; what still is negative stands before the first token.
    const auto filled_BT = documents_BT.gather(1, lastToken_BT.clamp_min(0)).masked_fill(lastToken_BT.lt(0), -1);
    const auto before_BT = filled_BT.slice(1, 0, -1);
    const auto starts_BT = filled_BT.slice(1, 1).ne(before_BT).logical_and(before_BT.ge(0));
    const auto first_B1 = at::zeros({documents_BT.size(0), 1}, documents_BT.options());
    return {isToken_BT.logical_not(), at::cat({first_B1, starts_BT.to(at::kLong)}, 1).cumsum(1)};
}

ChunkSegments chunkSegments(const Segments &segments, const Form &form) {
    if (!segments.defined())
        return {};
    auto segment_BT = segments.segment_BT;
    if (form.N * form.C > form.T) {  // the tail of the last chunk goes on with the last document
        const auto last_B1 = segment_BT.slice(1, form.T - 1);
        segment_BT = at::cat({segment_BT, last_B1.expand({form.B, form.N * form.C - form.T})}, 1);
    }
    const auto rows_NBC = segment_BT.view({form.B, form.N, form.C}).transpose(0, 1);
    const auto end_NB1 = rows_NBC.slice(2, form.C - 1);
    const auto start_NB1 = at::cat({at::zeros_like(end_NB1.slice(0, 0, 1)), end_NB1.slice(0, 0, form.N - 1)}, 0);
    const auto perHead = [&](const at::Tensor &mask, at::IntArrayRef tail) {
        std::vector<std::int64_t> wide{form.N, form.B, form.H}, flat{form.N * form.B * form.H};
        wide.insert(wide.end(), tail.begin(), tail.end());
        flat.insert(flat.end(), tail.begin(), tail.end());
        return mask.unsqueeze(2).expand(wide).reshape(flat);
    };
    return {perHead(rows_NBC.unsqueeze(3).eq(rows_NBC.unsqueeze(2)), {form.C, form.C}),
            perHead(rows_NBC.eq(start_NB1).unsqueeze(3), {form.C, 1}),
            perHead(rows_NBC.eq(end_NB1).unsqueeze(3), {form.C, 1}),
            perHead(start_NB1.eq(end_NB1).unsqueeze(3), {1, 1})};
}

}  // namespace stillroom::recurrence
