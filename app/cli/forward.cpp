// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"
#include "commands.h"
#include "error.h"
#include "folders.h"
#include "formatted.h"
#include "mixers/registry.h"
#include "nn/tensorfile.h"
#include "procedures/finiteweights.h"
#include "procedures/modelargument.h"
#include "procedures/tokenfile.h"
#include "shownname.h"
#include "store/layout.h"
#include "store/stagecache.h"
#include "warningline.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <ATen/Parallel.h>

#include <iostream>

namespace stillroom::cli {
namespace {

/// [B,T-1]: the next token of every position whose token and successor are both valid, -100 elsewhere.
/// \throws Error(Usage) where no position has both: a mean over nothing is no number
at::Tensor nextTokens(const procedures::TokenFile &tokens)
{
    const std::int64_t length = tokens.ids_BT.size(1);
    if (length < 2)
        throw Error(ErrorCode::Usage, "gradients need at least 2 tokens: the loss is that of the next token");
    const at::Tensor labels_BT = tokens.ids_BT.narrow(1, 1, length - 1);
    if (!tokens.mask_BT.defined())
        return labels_BT;
    const at::Tensor valid = tokens.mask_BT.narrow(1, 1, length - 1).logical_and(tokens.mask_BT.narrow(1, 0, length - 1));
    if (!valid.any().item<bool>())
        throw Error(ErrorCode::Usage, "gradients need 2 neighbouring tokens that attention_mask keeps: the loss is that of the next token");
    return labels_BT.masked_fill(valid.logical_not(), -100);
}

/// Mean cross-entropy of the next token.
at::Tensor nextTokenLoss(const at::Tensor &logits_BTV, const at::Tensor &labels_BT)
{
    const std::int64_t length = logits_BTV.size(1);
    const at::Tensor logits = logits_BTV.narrow(1, 0, length - 1).to(at::kFloat);
    return at::cross_entropy_loss(logits.reshape({-1, logits.size(2)}), labels_BT.reshape({-1}).to(logits.device()));
}

/// The arrays take the place of an older file, but never of a folder, nor of what they are computed from. \throws Error(Io), too, where no file can be made: better now than when all is computed
void checkOutput(const ForwardCommand &command)
{
    namespace fs = std::filesystem;
    std::error_code isAbsent;       // then it is another file
    if (command.out.empty())
        throw Error(ErrorCode::Usage, "--out is empty: name the safetensors file to write");
    if (fs::is_directory(command.out, isAbsent) || !command.out.has_filename())
        throw Error(ErrorCode::Usage, "--out names a folder, \"" + command.out.string() + "\": name a file in it");
    const fs::path folder = command.out.has_parent_path() ? command.out.parent_path() : fs::path(".");
    const bool isInput = fs::equivalent(command.out, command.tokens, isAbsent) || fs::equivalent(command.out, command.model, isAbsent);
    store::refuseStored(command.out, workspaceOr(command.workspace), "file");
    if (isInput || (isFileThere(command.out) && fs::equivalent(folder, command.model, isAbsent)))
        throw Error(ErrorCode::Usage, "--out names a file that is read, \"" + command.out.string() + "\": write to another one");
    if (!fs::is_directory(folder, isAbsent))
        throw Error(ErrorCode::Usage, "--out is in a folder that is not there, \"" + folder.string() + "\": make it, or name a file in another one");
    (void)checkpoint::AtomicFile(command.out);      // goes without a trace
}

/// The arrays are written as they are; who reads them later should not be the first to see it.
void sayNonFinite(const at::Tensor &logits)
{
    const c10::AutoGradMode noGradients(false);
    if (const std::int64_t count = logits.numel() - logits.isfinite().sum().item<std::int64_t>(); count > 0)
        std::cerr << "warning: the logits hold " << count << (count == 1 ? " value that is" : " values that are") << " not finite (NaN or infinite): check the model's weights, or compute in float32\n";
}

void append(nn::NamedTensors &out, const std::string &name, const std::vector<at::Tensor> &tensors)
{
    for (std::size_t layer = 0; layer < tensors.size(); ++layer)
        out.emplace_back(name + "." + std::to_string(layer), tensors[layer]);
}

}  // namespace

int forward(const ForwardCommand &command, std::stop_token stop)
{
    checkOutput(command);
    at::set_num_threads(command.threads);
    const at::Device device = nn::parseDevice(command.device);
    const at::ScalarType computeType = nn::parseComputeType(command.dtype);
    const checkpoint::ModelFiles files = procedures::openModelArgument(command.model, workspaceOr(command.workspace));
    store::requireUnchanged(files.path, stop);
    nn::Transformer model = mixers::loadModel(files, device);
    sayWarning(files.warning);
    sayWarning(procedures::nonFiniteWeights(files, model, stop));
    const procedures::TokenFile tokens = procedures::readTokenFile(command.tokens, model.config.vocabSize);
    const at::Tensor labels_BT = command.grads ? nextTokens(tokens) : at::Tensor();
    sayWarning(checkpoint::contextWarning(model.config, tokens.longestRow()));      // padding has no position of its own
    nn::ForwardOptions options;
    options.keepHiddenStates = command.hidden;
    options.keepMixerOutputs = command.attentionOutputs;
    options.stop = stop;
    const c10::AutoGradMode gradients(command.grads);
    model.requireGrad(command.grads);
    const at::Tensor ids = tokens.ids_BT.to(device);
    const nn::TokenPlaces places = nn::placesFromMask(ids, tokens.mask_BT.defined() ? tokens.mask_BT.to(device) : at::Tensor());
    const nn::ForwardResult result = model.forward(ids, places, computeType, options);
    const at::Tensor logits = model.logits(result.hidden_BTD);
    sayNonFinite(logits);

    nn::NamedTensors out{{"logits", logits}};
    append(out, "hidden_states", result.hiddenStates_BTD);
    append(out, "attn_output", result.mixerOutputs_BTD);
    if (command.grads) {
        const at::Tensor loss = nextTokenLoss(logits, labels_BT);
        loss.backward();
        out.emplace_back("loss", loss.reshape({1}));
        model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
            if (tensor.grad().defined())
                out.emplace_back("grad." + name, tensor.grad());
        });
    }
    nn::writeTensors(command.out, out);
    std::cerr << "Wrote " << counted(static_cast<std::int64_t>(out.size()), "array") << " to " << shownLine(command.out.string()) << '\n';
    return 0;
}

}  // namespace stillroom::cli
