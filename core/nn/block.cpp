// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/block.h"

#include "error.h"
#include "nn/linear.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

namespace stillroom::nn {

namespace {

at::Tensor activate(const at::Tensor &x, const std::string &act)
{
    if (act == "gelu") {
        return at::gelu(x);
    }
    if (act == "gelu_pytorch_tanh") {
        return at::gelu(x, "tanh");
    }
    if (act == "relu") {
        return at::relu(x);
    }
    throw Error(ErrorCode::Unsupported, "The MLP's activation \"" + act + "\" is not known: use silu, gelu, gelu_pytorch_tanh or relu.");
}

/// silu(gate) ∘ up, keeping those two only: plain autograd would keep silu(gate) as well.
class GatedSilu : public torch::autograd::Function<GatedSilu> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext *context, const at::Tensor &gate_BTF, const at::Tensor &up_BTF)
    {
        context->save_for_backward({gate_BTF, up_BTF});
        return at::silu(gate_BTF).mul_(up_BTF);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context, const torch::autograd::variable_list &gradients)
    {
        const auto saved = context->get_saved_variables();
        const at::Tensor &gate_BTF = saved[0], &up_BTF = saved[1];
        return {at::silu_backward(gradients[0] * up_BTF, gate_BTF), at::silu(gate_BTF).mul_(gradients[0])};
    }
};

/// Every tensor of a block that may want a gradient.
std::vector<at::Tensor> parametersOf(const Block &block)
{
    std::vector<at::Tensor> parameters = {block.inputNorm_D, block.postNorm_D};
    for (const at::Tensor *tensor : {&block.mlp.gate_FD, &block.mlp.up_FD, &block.mlp.down_DF, &block.mlp.gateBias_F, &block.mlp.upBias_F, &block.mlp.downBias_D}) {
        if (tensor->defined()) {
            parameters.push_back(*tensor);
        }
    }
    block.mixer->visitParameters([&parameters](const std::string &, at::Tensor &tensor, ParameterTraits) { parameters.push_back(tensor); });
    return parameters;
}

struct BlockCall {
    Block block;
    checkpoint::ModelConfig config;
    TokenPlaces places;
    std::stop_token stop;
};

struct HeldCall : torch::CustomClassHolder {
    explicit HeldCall(BlockCall held) : call(std::move(held)) {}
    BlockCall call;
};

/// The parameters are inputs, so that their gradients leave through the graph like any other (and torch::autograd::grad sees them).
class CheckpointedBlock : public torch::autograd::Function<CheckpointedBlock> {
public:
    static torch::autograd::variable_list forward(torch::autograd::AutogradContext *context, const at::Tensor &h_BTD, const at::TensorList &parameters,
                                                  const c10::intrusive_ptr<HeldCall> &held)
    {
        context->set_materialize_grads(false);
        context->save_for_backward({h_BTD});
        context->saved_data["parameters"] = parameters.vec();
        context->saved_data["call"] = at::IValue::make_capsule(held);
        BlockOutputs outputs = forwardBlock(held->call.block, held->call.config, h_BTD, held->call.places, nullptr);
        return {outputs.h_BTD, outputs.mixerInput_BTD, outputs.mixerOutput_BTD};
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context, const torch::autograd::variable_list &gradients)
    {
        const auto held = c10::static_intrusive_pointer_cast<HeldCall>(context->saved_data["call"].toCapsule());
        const BlockCall &call = held->call;
        throwIfStopped(call.stop);
        const std::vector<at::Tensor> parameters = context->saved_data["parameters"].toTensorVector();
        const at::Tensor h_BTD = context->get_saved_variables()[0].detach().requires_grad_(context->needs_input_grad(0));

        const at::AutoGradMode gradOn(true);
        const BlockOutputs again = forwardBlock(call.block, call.config, h_BTD, call.places, nullptr);
        torch::autograd::variable_list outputs, outputGradients;
        const at::Tensor recomputed[] = {again.h_BTD, again.mixerInput_BTD, again.mixerOutput_BTD};
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            if (gradients[i].defined() && recomputed[i].requires_grad()) {
                outputs.push_back(recomputed[i]);
                outputGradients.push_back(gradients[i]);
            }
        }
        std::vector<at::Tensor> candidates = {h_BTD};
        candidates.insert(candidates.end(), parameters.begin(), parameters.end());
        torch::autograd::variable_list wanted;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (context->needs_input_grad(i)) {
                wanted.push_back(candidates[i]);
                places.push_back(i);
            }
        }
        const auto found = torch::autograd::grad(outputs, wanted, outputGradients, std::nullopt, false, true);
        torch::autograd::variable_list result(candidates.size() + 1);   // and nothing for the call itself
        for (std::size_t i = 0; i < places.size(); ++i) {
            result[places[i]] = found[i];
        }
        return result;
    }
};

class StopPoint : public torch::autograd::Function<StopPoint> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext *context, const at::Tensor &h_BTD, const c10::intrusive_ptr<HeldCall> &held)
    {
        context->saved_data["call"] = at::IValue::make_capsule(held);
        return h_BTD.view_as(h_BTD);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context, const torch::autograd::variable_list &gradients)
    {
        throwIfStopped(c10::static_intrusive_pointer_cast<HeldCall>(context->saved_data["call"].toCapsule())->call.stop);
        return {gradients[0], at::Tensor()};
    }
};

}  // namespace

at::Tensor forwardMlp(const Mlp &mlp, const at::Tensor &x_BTD, const std::string &act)
{
    const at::Tensor gate_BTF = linear(x_BTD, mlp.gate_FD, mlp.gateBias_F), up_BTF = linear(x_BTD, mlp.up_FD, mlp.upBias_F);
    const at::Tensor inner_BTF = act == "silu" ? GatedSilu::apply(gate_BTF, up_BTF) : activate(gate_BTF, act) * up_BTF;
    return linear(inner_BTF, mlp.down_DF, mlp.downBias_D);
}

BlockOutputs forwardBlock(const Block &block, const checkpoint::ModelConfig &config, const at::Tensor &h_BTD, const TokenPlaces &places, LayerState *state)
{
    const at::Tensor mixerInput_BTD = rmsNorm(h_BTD, block.inputNorm_D, config.rmsNormEps);
    const at::Tensor mixerOutput_BTD = block.mixer->forward(mixerInput_BTD, places, state);
    const at::Tensor middle_BTD = h_BTD + mixerOutput_BTD;
    const at::Tensor mlpInput_BTD = rmsNorm(middle_BTD, block.postNorm_D, config.rmsNormEps);
    return {middle_BTD + forwardMlp(block.mlp, mlpInput_BTD, config.hiddenAct), mixerInput_BTD, mixerOutput_BTD};
}

BlockOutputs checkpointedBlock(const Block &block, const checkpoint::ModelConfig &config, const at::Tensor &h_BTD, const TokenPlaces &places, const std::stop_token &stop)
{
    const auto outputs = CheckpointedBlock::apply(h_BTD, at::TensorList(parametersOf(block)), c10::make_intrusive<HeldCall>(BlockCall{block, config, places, stop}));
    return {outputs[0], outputs[1], outputs[2]};
}

at::Tensor stopPoint(const at::Tensor &h_BTD, const std::stop_token &stop)
{
    if (!stop.stop_possible() || !h_BTD.requires_grad() || !at::GradMode::is_enabled()) {
        return h_BTD;
    }
    return StopPoint::apply(h_BTD, c10::make_intrusive<HeldCall>(BlockCall{{}, {}, {}, stop}));
}

}  // namespace stillroom::nn
