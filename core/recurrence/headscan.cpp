// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/headscan.h"

#include <atomic>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "error.h"
#include "recurrence/kernel/headcall.h"

namespace stillroom::recurrence {
namespace {

/// Segments of all batch rows, as the kernel reads them.
struct RowSegments {
    std::vector<std::int32_t> segments_BT;
    std::vector<unsigned char> isPadding_BT;
};

RowSegments rowSegments(const at::Tensor &documents_BT) {
    RowSegments rows;
    if (!documents_BT.defined())
        return rows;
    const auto ids_BT = documents_BT.contiguous();
    const auto *id = ids_BT.const_data_ptr<std::int64_t>();
    const auto T = ids_BT.size(1);
    for (std::int64_t b = 0; b < ids_BT.size(0); ++b) {
        std::int32_t segment = 0;
        std::int64_t current = -1;
        for (std::int64_t t = 0; t < T; ++t, ++id) {
            if (*id >= 0) {
                segment += current >= 0 && *id != current ? 1 : 0;
                current = *id;
            }
            rows.segments_BT.push_back(segment);
            rows.isPadding_BT.push_back(*id < 0);
        }
    }
    return rows;
}

template <typename T>
const HeadKernel<T> &kernelOf();
template <>
const HeadKernel<float> &kernelOf<float>() {
    return headKernels().single;
}
template <>
const HeadKernel<double> &kernelOf<double>() {
    return headKernels().wide;
}

bool stopRequested(const void *token) { return static_cast<const std::stop_token *>(token)->stop_requested(); }

/// Contiguous tensors in the type of the state; undefined stays undefined.
struct Operands {
    Operands(const Inputs &inputs, const Form &form) {
        const auto dense = [&](const at::Tensor &x) { return x.defined() ? x.to(form.type).contiguous() : x; };
        q = dense(inputs.q_BTHK);
        k = dense(inputs.k_BTHK);
        v = dense(inputs.v_BTHV);
        g = dense(inputs.g);
        a = dense(inputs.a_BTHK);
        b = dense(inputs.b_BTHK);
        initial = dense(inputs.initialState_BHKV);
    }
    at::Tensor q, k, v, g, a, b, initial;
};

/// Pointers of head h of batch row b, from tensors of the call.
template <typename T>
class HeadPointers {
public:
    HeadPointers(const Form &form, std::int64_t head) : m_form(form), m_b(head / form.H), m_h(head % form.H), m_head(head) {}

    const T *in(const at::Tensor &x_BTHD) const { return x_BTHD.defined() ? x_BTHD.const_data_ptr<T>() + tokenOffset(x_BTHD) : nullptr; }
    T *out(const at::Tensor &x_BTHD) const { return x_BTHD.defined() ? x_BTHD.mutable_data_ptr<T>() + tokenOffset(x_BTHD) : nullptr; }
    const T *stateIn(const at::Tensor &x_BHKV) const { return x_BHKV.defined() ? x_BHKV.const_data_ptr<T>() + stateOffset() : nullptr; }
    T *stateOut(const at::Tensor &x_BHKV) const { return x_BHKV.defined() ? x_BHKV.mutable_data_ptr<T>() + stateOffset() : nullptr; }

private:
    std::int64_t tokenOffset(const at::Tensor &x_BTHD) const { return m_b * x_BTHD.stride(0) + m_h * x_BTHD.stride(2); }
    std::int64_t stateOffset() const { return m_head * m_form.K * m_form.V; }

    const Form &m_form;
    std::int64_t m_b, m_h, m_head;
};

template <typename T>
HeadCall<T> headCall(const Operands &operands, const RowSegments &rows, const Form &form, const at::Tensor &starts_NPKV,
                     std::int64_t head, const std::stop_token &stop) {
    const HeadPointers<T> pointers(form, head);
    HeadCall<T> call;
    call.tokens = form.T;
    call.keyDim = form.K;
    call.valueDim = form.V;
    call.chunkLength = form.C;
    call.decay = form.decay;
    call.writing = form.writing;
    call.readsAfterWrite = form.read == Read::AfterWrite;
    call.keyStride = form.H * form.K;
    call.valueStride = form.H * form.V;
    call.decayStride = form.decay == DecayKind::Channel ? form.H * form.K : form.H;
    call.q = pointers.in(operands.q);
    call.k = pointers.in(operands.k);
    call.v = pointers.in(operands.v);
    call.g = pointers.in(operands.g);
    call.a = pointers.in(operands.a);
    call.b = pointers.in(operands.b);
    call.initialState = pointers.stateIn(operands.initial);
    if (!rows.segments_BT.empty()) {
        call.segments = rows.segments_BT.data() + head / form.H * form.T;
        call.isPadding = rows.isPadding_BT.data() + head / form.H * form.T;
    }
    call.starts = pointers.stateOut(starts_NPKV);
    call.startsStride = form.B * form.H * form.K * form.V;
    call.stopRequested = stopRequested;
    call.stopContext = &stop;
    return call;
}

/// Runs `pass(call)` for every head; `complete` adds the pass's own pointers.
template <typename T, typename Complete>
void overHeads(const Operands &operands, const RowSegments &rows, const Form &form, const at::Tensor &starts_NPKV,
               const std::stop_token &stop, bool (*pass)(const HeadCall<T> &), const Complete &complete) {
    std::atomic<bool> finished = true;
    at::parallel_for(0, form.B * form.H, 1, [&](std::int64_t begin, std::int64_t end) {
        const auto example = headCall<T>(operands, rows, form, starts_NPKV, begin, stop);
        const auto bytes = static_cast<std::int64_t>(kernelOf<T>().scratchBytes(example));
        const auto scratch = at::empty({bytes}, at::TensorOptions().dtype(at::kByte));
        for (auto head = begin; head < end && finished; ++head) {
            auto call = headCall<T>(operands, rows, form, starts_NPKV, head, stop);
            call.scratch = scratch.mutable_data_ptr();
            complete(HeadPointers<T>(form, head), call);
            if (!pass(call))
                finished = false;
        }
    });
    if (!finished)
        throwIfStopped(stop);
}

template <typename T>
ScanResult forwardAs(const Inputs &inputs, const Form &form, bool keepStarts, const std::stop_token &stop) {
    const Operands operands(inputs, form);
    const auto options = operands.v.options();
    ScanResult result;
    result.o_BTHV = at::empty(operands.v.sizes(), options);
    result.finalState_BHKV = at::empty({form.B, form.H, form.K, form.V}, options);
    if (keepStarts)
        result.starts_NPKV = at::empty({form.N, form.B * form.H, form.K, form.V}, options);
    overHeads<T>(operands, rowSegments(inputs.documents_BT), form, result.starts_NPKV, stop, kernelOf<T>().forward,
                 [&](const HeadPointers<T> &pointers, HeadCall<T> &call) {
                     call.o = pointers.out(result.o_BTHV);
                     call.finalState = pointers.stateOut(result.finalState_BHKV);
                 });
    result.o_BTHV = result.o_BTHV.to(inputs.v_BTHV.scalar_type());
    return result;
}

template <typename T>
Gradients backwardAs(const Inputs &inputs, const Form &form, const at::Tensor &starts_NPKV, const at::Tensor &oGrad_BTHV,
                     const at::Tensor &finalStateGrad_BHKV, const std::stop_token &stop) {
    const Operands operands(inputs, form);
    const auto dense = [&](const at::Tensor &x) { return x.defined() ? x.to(form.type).contiguous() : x; };
    const auto oGrad = dense(oGrad_BTHV), finalStateGrad = dense(finalStateGrad_BHKV);
    const auto like = [](const at::Tensor &x) { return x.defined() ? at::empty(x.sizes(), x.options()) : at::Tensor(); };
    Gradients grads{like(operands.q), like(operands.k), like(operands.v),      like(operands.g),
                    like(operands.a), like(operands.b), like(operands.initial)};
    overHeads<T>(operands, rowSegments(inputs.documents_BT), form, starts_NPKV, stop, kernelOf<T>().backward,
                 [&](const HeadPointers<T> &pointers, HeadCall<T> &call) {
                     call.oGrad = pointers.in(oGrad);
                     call.finalStateGrad = pointers.stateIn(finalStateGrad);
                     call.qGrad = pointers.out(grads.q_BTHK);
                     call.kGrad = pointers.out(grads.k_BTHK);
                     call.vGrad = pointers.out(grads.v_BTHV);
                     call.gGrad = pointers.out(grads.g);
                     call.aGrad = pointers.out(grads.a_BTHK);
                     call.bGrad = pointers.out(grads.b_BTHK);
                     call.initialStateGrad = pointers.stateOut(grads.initialState_BHKV);
                 });
    const auto type = inputs.v_BTHV.scalar_type();
    for (auto *grad : {&grads.q_BTHK, &grads.k_BTHK, &grads.v_BTHV, &grads.a_BTHK, &grads.b_BTHK})
        if (grad->defined())
            *grad = grad->to(type);
    return grads;
}

}  // namespace

ScanResult headForward(const Inputs &inputs, const Form &form, bool keepStarts, const std::stop_token &stop) {
    return form.type == at::kDouble ? forwardAs<double>(inputs, form, keepStarts, stop) : forwardAs<float>(inputs, form, keepStarts, stop);
}

Gradients headBackward(const Inputs &inputs, const Form &form, const at::Tensor &starts_NPKV, const at::Tensor &oGrad_BTHV,
                       const at::Tensor &finalStateGrad_BHKV, const std::stop_token &stop) {
    return form.type == at::kDouble ? backwardAs<double>(inputs, form, starts_NPKV, oGrad_BTHV, finalStateGrad_BHKV, stop)
                                    : backwardAs<float>(inputs, form, starts_NPKV, oGrad_BTHV, finalStateGrad_BHKV, stop);
}

}  // namespace stillroom::recurrence
