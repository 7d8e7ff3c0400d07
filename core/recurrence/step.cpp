// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/recurrence.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "error.h"
#include "recurrence/arguments.h"

namespace stillroom::recurrence {
namespace {

/// state^T x, per batch row and head.
at::Tensor readState(const at::Tensor &state_BHKV, const at::Tensor &x_BHK) {
    return at::matmul(x_BHK.unsqueeze(2), state_BHKV).squeeze(2);
}

void requireState(const Inputs &inputs, const Form &form, const at::Tensor &state_BHKV) {
    if (form.T != 1)
        throw Error(ErrorCode::Usage, "recurrence: step takes one token, not " + std::to_string(form.T) + "; use chunked.");
    if (inputs.initialState_BHKV.defined())
        throw Error(ErrorCode::Usage, "recurrence: step keeps its state in its second argument; leave initialState undefined.");
    if (!state_BHKV.defined() || state_BHKV.sizes() != at::IntArrayRef({form.B, form.H, form.K, form.V}) ||
        state_BHKV.scalar_type() != form.type || state_BHKV.device() != inputs.v_BTHV.device())
        throw Error(ErrorCode::Usage, "recurrence: the state of step must be [batch, heads, key channels, value channels] in fp32 "
                                      "(fp64 for fp64 inputs), on the device of v.");
}

}  // namespace

at::Tensor step(const Inputs &inputs, at::Tensor &state_BHKV) try {
    const at::NoGradGuard noGrad;
    const auto form = checkedForm(inputs, 16);
    requireState(inputs, form, state_BHKV);
    // Padding: every input zero leaves the state exactly as it is and reads zero.
    const auto load = [&](const at::Tensor &x) {
        const auto token = x.select(1, 0).to(form.type);
        if (!inputs.documents_BT.defined())
            return token;
        const auto padding_B = inputs.documents_BT.select(1, 0).lt(0);
        return token.masked_fill(token.dim() == 3 ? padding_B.view({form.B, 1, 1}) : padding_B.view({form.B, 1}), 0);
    };
    const auto q_BHK = load(inputs.q_BTHK), k_BHK = load(inputs.k_BTHK);
    auto written_BHV = load(inputs.v_BTHV);
    at::Tensor o_BHV, erased_BHV;
    if (form.read == Read::BeforeWrite)
        o_BHV = readState(state_BHKV, q_BHK);
    if (form.writing != Writing::Additive)
        erased_BHV = readState(state_BHKV, load(inputs.a_BTHK));
    if (form.writing == Writing::Tied)
        written_BHV = written_BHV + erased_BHV;
    if (form.decay != DecayKind::None) {
        const auto decay = load(inputs.g).exp();
        state_BHKV.mul_(form.decay == DecayKind::Channel ? decay.unsqueeze(3) : decay.view({form.B, form.H, 1, 1}));
    }
    state_BHKV.addcmul_(k_BHK.unsqueeze(3), written_BHV.unsqueeze(2));
    if (form.writing == Writing::General)
        state_BHKV.addcmul_(load(inputs.b_BTHK).unsqueeze(3), erased_BHV.unsqueeze(2));
    if (form.read == Read::AfterWrite)
        o_BHV = readState(state_BHKV, q_BHK);
    return o_BHV.unsqueeze(1).to(inputs.v_BTHV.scalar_type());
} catch (const c10::Error &error) {
    throw Error(ErrorCode::Failed, "A decode step of the recurrence could not be computed; see the log for LibTorch's reason.", error.what());
}

}  // namespace stillroom::recurrence
