// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/recurrence.h"

#include <ATen/ATen.h>

#include "error.h"
#include "recurrence/arguments.h"
#include "recurrence/decay.h"
#include "recurrence/documents.h"
#include "recurrence/layout.h"
#include "recurrence/scores.h"

namespace stillroom::recurrence {

// The whole sequence as one chunk from a zero state:  M = Aqk + Aqb (I - Aab)^{-1} Aak,  or with b = k  M = Aqk (I - Aab)^{-1}.
at::Tensor matrix(const Inputs &inputs) try {
    if (inputs.initialState_BHKV.defined())
        throw Error(ErrorCode::Usage, "recurrence: the matrix is that of a zero initial state; leave initialState undefined.");
    auto form = checkedForm(inputs, 16);
    form.C = (form.T + 15) / 16 * 16;
    form.N = 1;
    form.operandType = form.type;
    const auto segments = segmentsOf(inputs.documents_BT);
    const auto load = [&](const at::Tensor &x) { return toChunks(x, segments, form, form.type); };
    const auto decay = form.decay == DecayKind::None ? LogDecay{} : logDecay(load(inputs.g));
    const auto readers = form.readers() == 1 ? load(inputs.q_BTHK) : at::cat({load(inputs.q_BTHK), load(inputs.a_BTHK)}, 1);
    const auto writers = form.writers() == 1 ? load(inputs.k_BTHK) : at::cat({load(inputs.k_BTHK), load(inputs.b_BTHK)}, 1);
    const auto all = scores(readers, writers, decay, chunkSegments(segments, form), form);
    const auto block = [&](std::int64_t reader, std::int64_t writer) {
        return all.narrow(1, reader * form.C, form.C).narrow(2, writer * form.C, form.C);
    };
    auto matrix_LCC = block(0, 0);
    if (form.writing != Writing::Additive) {
        const auto system = at::eye(form.C, all.options()) - block(1, form.writers() - 1);
        if (form.writing == Writing::Tied)
            matrix_LCC = at::linalg_solve_triangular(system, matrix_LCC, /*upper=*/false, /*left=*/false, /*unitriangular=*/true);
        else
            matrix_LCC = matrix_LCC + at::matmul(block(0, 1), at::linalg_solve_triangular(system, block(1, 0), /*upper=*/false,
                                                                                         /*left=*/true, /*unitriangular=*/true));
    }
    return matrix_LCC.view({form.B, form.H, form.C, form.C}).slice(2, 0, form.T).slice(3, 0, form.T);
} catch (const c10::Error &error) {
    throw Error(ErrorCode::Failed, "The mixing matrix could not be computed; see the log for LibTorch's reason.", error.what());
}

}  // namespace stillroom::recurrence
