// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/arguments.h"

#include <algorithm>
#include <sstream>
#include <string>

#include <ATen/ATen.h>

#include "error.h"

namespace stillroom::recurrence {
namespace {

[[noreturn]] void refuse(const std::string &message) { throw Error(ErrorCode::Usage, "recurrence: " + message); }

std::string shapeText(at::IntArrayRef shape) {
    std::ostringstream text;
    text << shape;
    return text.str();
}

void requireShape(const char *name, const at::Tensor &tensor, at::IntArrayRef expected) {
    if (tensor.sizes() != expected)
        refuse(std::string(name) + " has shape " + shapeText(tensor.sizes()) + ", it must have " + shapeText(expected) + ".");
}

void requireType(const char *name, const at::Tensor &tensor, c10::ScalarType expected) {
    if (tensor.scalar_type() != expected)
        refuse(std::string(name) + " is of type " + c10::toString(tensor.scalar_type()) + ", it must be " + c10::toString(expected) + ".");
}

void requireDevice(const char *name, const at::Tensor &tensor, const at::Device &expected) {
    if (tensor.device() != expected)
        refuse(std::string(name) + " lies on " + tensor.device().str() + ", it must lie on " + expected.str() + " like v.");
}

Form formOf(const Inputs &inputs) {
    if (!inputs.v_BTHV.defined() || inputs.v_BTHV.dim() != 4)
        refuse("v must be given as [batch, tokens, heads, value channels].");
    if (!inputs.q_BTHK.defined() || inputs.q_BTHK.dim() != 4)
        refuse("q must be given as [batch, tokens, heads, key channels].");
    if (!inputs.k_BTHK.defined())
        refuse("k must be given.");
    if (inputs.b_BTHK.defined() && !inputs.a_BTHK.defined())
        refuse("b is given without a; give both, or a alone (then b = k), or neither.");
    Form form;
    form.B = inputs.v_BTHV.size(0);
    form.T = inputs.v_BTHV.size(1);
    form.H = inputs.v_BTHV.size(2);
    form.V = inputs.v_BTHV.size(3);
    form.K = inputs.q_BTHK.size(3);
    if (form.B == 0 || form.T == 0 || form.H == 0 || form.K == 0 || form.V == 0)
        refuse("v " + shapeText(inputs.v_BTHV.sizes()) + " and q " + shapeText(inputs.q_BTHK.sizes()) + " must not be empty.");
    form.read = inputs.read;
    form.type = inputs.v_BTHV.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    form.operandType = inputs.v_BTHV.is_cuda() ? inputs.v_BTHV.scalar_type() : form.type;
    if (inputs.a_BTHK.defined())
        form.writing = inputs.b_BTHK.defined() ? Writing::General : Writing::Tied;
    if (inputs.g.defined())
        form.decay = inputs.g.dim() == 4 ? DecayKind::Channel : DecayKind::Scalar;
    return form;
}

}  // namespace

Form checkedForm(const Inputs &inputs, int chunkLength) {
    Form form = formOf(inputs);
    const auto type = inputs.v_BTHV.scalar_type();
    if (type != at::kFloat && type != at::kDouble && type != at::kBFloat16 && type != at::kHalf)
        refuse(std::string("v is of type ") + c10::toString(type) + ", it must be a floating type.");
    if (chunkLength != 16 && chunkLength != 32 && chunkLength != 64 && chunkLength != 128)
        refuse("chunkLength is " + std::to_string(chunkLength) + ", it must be 16, 32, 64 or 128.");
    const struct {
        const char *name;
        const at::Tensor &tensor;
    } keyLike[] = {{"q", inputs.q_BTHK}, {"k", inputs.k_BTHK}, {"a", inputs.a_BTHK}, {"b", inputs.b_BTHK}};
    for (const auto &[name, tensor] : keyLike) {
        if (!tensor.defined())
            continue;
        requireShape(name, tensor, {form.B, form.T, form.H, form.K});
        requireType(name, tensor, type);
        requireDevice(name, tensor, inputs.v_BTHV.device());
    }
    if (form.decay == DecayKind::Channel)
        requireShape("g", inputs.g, {form.B, form.T, form.H, form.K});
    else if (form.decay == DecayKind::Scalar)
        requireShape("g", inputs.g, {form.B, form.T, form.H});
    if (inputs.g.defined()) {
        requireType("g", inputs.g, form.type);
        requireDevice("g", inputs.g, inputs.v_BTHV.device());
    }
    if (inputs.initialState_BHKV.defined()) {
        requireShape("initialState", inputs.initialState_BHKV, {form.B, form.H, form.K, form.V});
        requireType("initialState", inputs.initialState_BHKV, form.type);
        requireDevice("initialState", inputs.initialState_BHKV, inputs.v_BTHV.device());
    }
    if (inputs.documents_BT.defined()) {
        requireShape("documents", inputs.documents_BT, {form.B, form.T});
        requireType("documents", inputs.documents_BT, at::kLong);
        requireDevice("documents", inputs.documents_BT, inputs.v_BTHV.device());
    }
    form.C = chunkLength;
    while (form.C > 16 && form.C / 2 >= form.T)
        form.C /= 2;
    form.N = (form.T + form.C - 1) / form.C;
    return form;
}

}  // namespace stillroom::recurrence
