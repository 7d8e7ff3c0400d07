// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/recurrence.h"

#include <optional>

#include <torch/csrc/autograd/custom_function.h>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "error.h"
#include "recurrence/arguments.h"
#include "recurrence/headscan.h"
#include "recurrence/overflow.h"
#include "recurrence/tensorscan.h"

namespace stillroom::recurrence {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// What the backward needs besides tensors; travels in the context as a capsule.
struct CallShape final : torch::CustomClassHolder {
    Form form;
    std::stop_token stop;
};

bool onCpu(const Inputs &inputs) { return inputs.v_BTHV.is_cpu(); }

/// Tensors in the order in which they are saved and differentiated.
enum Slot : std::size_t { slotQ, slotK, slotV, slotG, slotA, slotB, slotInitial, slotDocuments, slotStarts, numSlots };

class ChunkedRecurrence : public torch::autograd::Function<ChunkedRecurrence> {
public:
    using Maybe = std::optional<at::Tensor>;

    static variable_list forward(AutogradContext *ctx, const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, const Maybe &g,
                                 const Maybe &a, const Maybe &b, const Maybe &initial, const Maybe &documents, const Form &form,
                                 const std::stop_token &stop) {
        const auto orUndefined = [](const Maybe &x) { return x.value_or(at::Tensor()); };
        const Inputs inputs{q, k, v, orUndefined(g), orUndefined(a), orUndefined(b), orUndefined(initial), orUndefined(documents), form.read};
        auto result = onCpu(inputs) ? headForward(inputs, form, /*keepStarts=*/true, stop) : tensorForward(inputs, form, stop);
        ctx->save_for_backward({q, k, v, inputs.g, inputs.a_BTHK, inputs.b_BTHK, inputs.initialState_BHKV, inputs.documents_BT,
                                result.starts_NPKV});
        ctx->set_materialize_grads(false);
        auto shape = c10::make_intrusive<CallShape>();
        shape->form = form;
        shape->stop = stop;
        ctx->saved_data["call"] = c10::IValue::make_capsule(std::move(shape));
        return {result.o_BTHV, result.finalState_BHKV};
    }

    static variable_list backward(AutogradContext *ctx, const variable_list &outputGrads) {
        if (at::GradMode::is_enabled())
            throw Error(ErrorCode::Usage, "recurrence: second derivatives are not available; do not ask for create_graph.");
        const auto saved = ctx->get_saved_variables();
        const auto call = c10::static_intrusive_pointer_cast<CallShape>(ctx->saved_data["call"].toCapsule());
        const Inputs inputs{saved[slotQ], saved[slotK], saved[slotV],       saved[slotG],         saved[slotA],
                            saved[slotB], saved[slotInitial], saved[slotDocuments], call->form.read};
        variable_list grads(numSlots + 1);
        if (!outputGrads[0].defined() && !outputGrads[1].defined())
            return grads;
        const auto pass = onCpu(inputs) ? headBackward : tensorBackward;
        auto result = pass(inputs, call->form, saved[slotStarts], outputGrads[0], outputGrads[1], call->stop);
        grads[slotQ] = result.q_BTHK;
        grads[slotK] = result.k_BTHK;
        grads[slotV] = result.v_BTHV;
        grads[slotG] = result.g;
        grads[slotA] = result.a_BTHK;
        grads[slotB] = result.b_BTHK;
        grads[slotInitial] = result.initialState_BHKV;
        return grads;
    }
};

bool wantsGradient(const Inputs &inputs) {
    if (!at::GradMode::is_enabled())
        return false;
    for (const auto *x : {&inputs.q_BTHK, &inputs.k_BTHK, &inputs.v_BTHV, &inputs.g, &inputs.a_BTHK, &inputs.b_BTHK, &inputs.initialState_BHKV})
        if (x->defined() && x->requires_grad())
            return true;
    return false;
}

}  // namespace

Outputs chunked(const Inputs &inputs, const Options &options) try {
    const auto form = checkedForm(inputs, options.chunkLength);
    if (onCpu(inputs) && !wantsGradient(inputs)) {
        auto result = headForward(inputs, form, /*keepStarts=*/false, options.stop);
        Outputs outputs{result.o_BTHV, result.finalState_BHKV};
        refuseOverflow(inputs, outputs);
        return outputs;
    }
    const auto maybe = [](const at::Tensor &x) { return x.defined() ? std::optional(x) : std::nullopt; };
    const auto results = ChunkedRecurrence::apply(inputs.q_BTHK, inputs.k_BTHK, inputs.v_BTHV, maybe(inputs.g), maybe(inputs.a_BTHK),
                                                  maybe(inputs.b_BTHK), maybe(inputs.initialState_BHKV), maybe(inputs.documents_BT), form,
                                                  options.stop);
    Outputs outputs{results[0], results[1]};
    if (onCpu(inputs))  // on a GPU the look would wait for it; there the training's own stop finds it
        refuseOverflow(inputs, outputs);
    return outputs;
} catch (const c10::OutOfMemoryError &error) {
    throw Error(ErrorCode::OutOfMemory, "The recurrence ran out of memory; use a smaller batch or shorter sequences.", error.what());
} catch (const c10::Error &error) {
    throw Error(ErrorCode::Failed, "The recurrence could not be computed; see the log for LibTorch's reason.", error.what());
}

double savedBytesPerTokenHead(std::int64_t keyDim, std::int64_t valueDim, const Inputs &shape, const Options &options) {
    const auto &v = shape.v_BTHV;
    const double element = v.defined() ? static_cast<double>(v.element_size()) : 4.0;
    const double wide = v.defined() && v.scalar_type() == at::kDouble ? 8.0 : 4.0;
    const double numKeyLike = 2.0 + (shape.a_BTHK.defined() ? 1.0 : 0.0) + (shape.b_BTHK.defined() ? 1.0 : 0.0);
    const double numDecays = !shape.g.defined() ? 0.0 : (shape.g.dim() == 4 ? static_cast<double>(keyDim) : 1.0);
    const double inputBytes = element * (numKeyLike * static_cast<double>(keyDim) + static_cast<double>(valueDim)) + wide * numDecays;
    return inputBytes + wide * static_cast<double>(keyDim * valueDim) / options.chunkLength;
}

}  // namespace stillroom::recurrence
