// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/transformer.h"

#include "error.h"
#include "nn/block.h"
#include "nn/linear.h"
#include "nn/places.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace stillroom::nn {

namespace {

/// On the CPU, where looking costs nothing; a wrong id on a GPU would poison its context.
void checkIds(const at::Tensor &ids_BT, std::int64_t vocabSize)
{
    if (ids_BT.dim() != 2 || ids_BT.numel() == 0 || !at::isIntegralType(ids_BT.scalar_type(), false)) {
        throw Error(ErrorCode::Usage, "Token ids must be a non-empty integer array [batch, tokens].");
    }
    if (!ids_BT.is_cpu()) {
        return;
    }
    const auto lowest = ids_BT.min().item<std::int64_t>(), highest = ids_BT.max().item<std::int64_t>();
    if (lowest < 0 || highest >= vocabSize) {
        throw Error(ErrorCode::Usage, "Token id " + std::to_string(lowest < 0 ? lowest : highest) + " is outside the model's vocabulary of " + std::to_string(vocabSize) + ".");
    }
}

void checkComputeType(at::ScalarType type)
{
    if (type != at::kFloat && type != at::kBFloat16 && type != at::kDouble) {
        throw Error(ErrorCode::Usage, std::string("Computing in ") + c10::toString(type) + " is not supported: float32, bfloat16 and float64 are.");
    }
}

}  // namespace

DecodeState DecodeState::clone() const
{
    DecodeState copy;
    for (const auto &layer : layers) {
        copy.layers.push_back(layer->clone());
    }
    copy.validTokens_B = validTokens_B.defined() ? validTokens_B.clone() : validTokens_B;
    copy.documents_B = documents_B.defined() ? documents_B.clone() : documents_B;
    return copy;
}

std::int64_t DecodeState::sizeBytes() const
{
    std::int64_t bytes = 0;
    for (const auto &layer : layers) {
        bytes += layer->sizeBytes();
    }
    for (const at::Tensor *tensor : {&validTokens_B, &documents_B}) {
        bytes += tensor->defined() ? static_cast<std::int64_t>(tensor->nbytes()) : 0;
    }
    return bytes;
}

at::Tensor Transformer::embed(const at::Tensor &ids_BT, at::ScalarType computeType) const
{
    return asStillroomError("The embedding", [&] {
        checkComputeType(computeType);
        checkIds(ids_BT, embedding_VD.size(0));
        // As transformers does: the padding id's row gets no gradient from here.
        const std::int64_t padding = config.padId && *config.padId >= 0 && *config.padId < embedding_VD.size(0) ? *config.padId : -1;
        return at::embedding(embedding_VD, ids_BT.to(device()), padding).to(computeType);
    });
}

at::Tensor Transformer::runBlocks(at::Tensor h_BTD, const TokenPlaces &given, std::size_t first, std::size_t last, const ForwardOptions &options, ForwardResult *kept) const
{
    return asStillroomError("The forward pass", [&] {
        TokenPlaces places = given;
        if (!places.shared || !places.positions_BT.defined()) {
            places = completePlaces(std::move(places), h_BTD.size(0), h_BTD.size(1), h_BTD.device(), options.state);
        }
        for (std::size_t layer = first; layer < last; ++layer) {
            throwIfStopped(options.stop);
            if (kept && options.keepHiddenStates) {
                kept->hiddenStates_BTD.push_back(h_BTD);
            }
            h_BTD = stopPoint(h_BTD, options.stop);
            LayerState *state = options.state ? options.state->layers.at(layer).get() : nullptr;
            BlockOutputs outputs = options.checkpointBlocks && !state && at::GradMode::is_enabled()
                                       ? checkpointedBlock(blocks[layer], config, h_BTD, places, options.stop)
                                       : forwardBlock(blocks[layer], config, h_BTD, places, state);
            h_BTD = std::move(outputs.h_BTD);
            if (kept && options.keepMixerInputs) {
                kept->mixerInputs_BTD.push_back(std::move(outputs.mixerInput_BTD));
            }
            if (kept && options.keepMixerOutputs) {
                kept->mixerOutputs_BTD.push_back(std::move(outputs.mixerOutput_BTD));
            }
        }
        return h_BTD;
    });
}

at::Tensor Transformer::normFinal(const at::Tensor &h_BTD) const
{
    return asStillroomError("The final norm", [&] { return rmsNorm(h_BTD, finalNorm_D, config.rmsNormEps); });
}

at::Tensor Transformer::logits(const at::Tensor &hidden_BTD) const
{
    return asStillroomError("The head", [&] { return nn::linear(hidden_BTD, head_VD); });
}

ForwardResult Transformer::forward(const at::Tensor &ids_BT, TokenPlaces places, at::ScalarType computeType, const ForwardOptions &options) const
{
    return asStillroomError("The forward pass", [&] {
        ForwardResult result;
        const at::Tensor h_BTD = embed(ids_BT, computeType);
        if (options.state && options.state->layers.size() != blocks.size()) {
            throw Error(ErrorCode::Usage, "The decode state has " + std::to_string(options.state->layers.size()) + " layers and the model " + std::to_string(blocks.size()) + ": make the state from this model.");
        }
        places = completePlaces(std::move(places), ids_BT.size(0), ids_BT.size(1), device(), options.state);
        const at::Tensor last_BTD = runBlocks(h_BTD, places, 0, blocks.size(), options, &result);
        result.hidden_BTD = normFinal(last_BTD);
        if (options.keepHiddenStates) {
            result.hiddenStates_BTD.push_back(result.hidden_BTD);
        }
        if (options.state) {
            rememberPlaces(*options.state, places);
        }
        return result;
    });
}

DecodeState Transformer::initialState(std::int64_t batch, std::int64_t maxTokens, at::ScalarType computeType) const
{
    return asStillroomError("The decode state", [&] {
        checkComputeType(computeType);
        if (batch < 1 || maxTokens < 1) {
            throw Error(ErrorCode::Usage, "A decode state needs at least one row and one token, not " + std::to_string(batch) + " × " + std::to_string(maxTokens) + ".");
        }
        DecodeState state;
        for (const Block &block : blocks) {
            state.layers.push_back(block.mixer->initialState(batch, maxTokens, computeType));
        }
        return state;
    });
}

void Transformer::visitParameters(const ParameterVisitor &visit)
{
    const ParameterTraits norm{false, false};
    visit("model.embed_tokens.weight", embedding_VD, {});
    for (std::size_t layer = 0; layer < blocks.size(); ++layer) {
        Block &block = blocks[layer];
        const std::string prefix = "model.layers." + std::to_string(layer) + ".";
        const std::string mixerPrefix = prefix + (block.mixer->kind() == "softmax" ? "self_attn." : "mixer.");
        const auto each = [&](const char *name, at::Tensor &tensor) {
            if (tensor.defined()) {
                visit(prefix + name, tensor, {});
            }
        };
        visit(prefix + "input_layernorm.weight", block.inputNorm_D, norm);
        block.mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, ParameterTraits traits) { visit(mixerPrefix + name, tensor, traits); });
        visit(prefix + "post_attention_layernorm.weight", block.postNorm_D, norm);
        each("mlp.gate_proj.weight", block.mlp.gate_FD);
        each("mlp.gate_proj.bias", block.mlp.gateBias_F);
        each("mlp.up_proj.weight", block.mlp.up_FD);
        each("mlp.up_proj.bias", block.mlp.upBias_F);
        each("mlp.down_proj.weight", block.mlp.down_DF);
        each("mlp.down_proj.bias", block.mlp.downBias_D);
    }
    visit("model.norm.weight", finalNorm_D, norm);
    if (config.tiedHead) {
        head_VD = embedding_VD;
    } else {
        visit("lm_head.weight", head_VD, {});
    }
}

void Transformer::requireGrad(bool on)
{
    visitParameters([on](const std::string &, at::Tensor &tensor, ParameterTraits) { tensor.requires_grad_(on); });
}

void Transformer::moveTo(at::Device device)
{
    asStillroomError("Moving the model", [&] {
        for (Block &block : blocks) {
            block.mixer = block.mixer->clone();   // other models may hold the same mixer
        }
        visitParameters([device](const std::string &, at::Tensor &tensor, ParameterTraits) {
            if (tensor.device() != device) {
                tensor = tensor.detach().to(device).requires_grad_(tensor.requires_grad());
            }
        });
    });
}

Transformer deepCopy(const Transformer &model)
{
    return asStillroomError("Copying the model", [&] {
        Transformer copy = model;
        for (Block &block : copy.blocks) {
            block.mixer = block.mixer->clone();
        }
        copy.visitParameters([](const std::string &, at::Tensor &tensor, ParameterTraits) { tensor = tensor.detach().clone().requires_grad_(tensor.requires_grad()); });
        return copy;
    });
}

}  // namespace stillroom::nn
