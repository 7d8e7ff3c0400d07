// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/linear.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

namespace stillroom::nn {

namespace {

at::ScalarType normType(const at::Tensor &x)
{
    return x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

/// y = x · r ∘ w with r = 1 / sqrt(c Σx² + eps) over the last dimension: c = 1/D is RMSNorm, c = 1 the L2 norm.
/// Keeps x and r only, where plain autograd would keep five tensors of x's size.
class NormalizeLast : public torch::autograd::Function<NormalizeLast> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext *context, const at::Tensor &x, const std::optional<at::Tensor> &gain, double scale, double eps)
    {
        const at::Tensor weight = gain.value_or(at::Tensor()), wide = x.to(normType(x));
        const at::Tensor inverse = wide.square().sum(-1, true).mul_(scale).add_(eps).rsqrt_();
        at::Tensor y = wide * inverse;
        if (weight.defined()) {
            y.mul_(weight.to(y.scalar_type()));
        }
        context->save_for_backward({x, weight, inverse});
        context->saved_data["scale"] = scale;
        return y.to(x.scalar_type());
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context, const torch::autograd::variable_list &gradients)
    {
        const auto saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &weight = saved[1], &inverse = saved[2];
        const double scale = context->saved_data["scale"].toDouble();
        const at::Tensor gradient = gradients[0].to(inverse.scalar_type());
        const at::Tensor unit = x.to(inverse.scalar_type()) * inverse;
        at::Tensor weightGradient, inputGradient;
        if (weight.defined() && context->needs_input_grad(1)) {
            weightGradient = (gradient * unit).reshape({-1, x.size(-1)}).sum(0).to(weight.scalar_type());
        }
        if (context->needs_input_grad(0)) {
            const at::Tensor inner = weight.defined() ? gradient * weight.to(inverse.scalar_type()) : gradient;
            const at::Tensor along = (inner * unit).sum(-1, true).mul_(scale);
            inputGradient = at::addcmul(inner, unit, along, -1).mul_(inverse).to(x.scalar_type());
        }
        return {inputGradient, weightGradient, at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor linear(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias)
{
    if (weight.scalar_type() == x.scalar_type()) {
        return bias.defined() ? at::linear(x, weight, bias) : at::linear(x, weight);
    }
    const at::Tensor castWeight = weight.to(x.scalar_type());
    return bias.defined() ? at::linear(x, castWeight, bias.to(x.scalar_type())) : at::linear(x, castWeight);
}

at::Tensor rmsNorm(const at::Tensor &x, const at::Tensor &weight, double eps)
{
    return NormalizeLast::apply(x, weight.defined() ? std::optional(weight) : std::nullopt, 1.0 / static_cast<double>(x.size(-1)), eps);
}

at::Tensor l2Norm(const at::Tensor &x, double eps)
{
    return NormalizeLast::apply(x, std::nullopt, 1.0, eps);
}

}  // namespace stillroom::nn
