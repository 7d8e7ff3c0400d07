// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/modelfiles.h"
#include "nn/tensorfile.h"
#include "tinymodel.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <filesystem>

using namespace stillroom;
namespace fs = std::filesystem;

namespace {

/// DESIGN: max|a − b| ≤ 1e-4 · max|b| per tensor, against transformers in fp32.
constexpr double parityTolerance = 1e-4;

void compare(const checkpoint::TensorSource &golden, const std::string &name, const at::Tensor &ours)
{
    INFO(name);
    CHECK(test::relativeError(ours, nn::readTensor(golden, name)) <= parityTolerance);
}

/// Logits, hidden states, attention outputs and every gradient that the golden file holds.
void checkForwardAndGradients(const fs::path &folder)
{
    const auto golden = checkpoint::openSafetensors(folder / "golden.safetensors");
    nn::Transformer model = nn::loadTransformer(checkpoint::openModel(folder), at::kCPU);
    const at::Tensor ids = nn::readTensor(*golden, "input_ids");
    const nn::TokenPlaces places = golden->find("attention_mask") ? nn::placesFromMask(ids, nn::readTensor(*golden, "attention_mask")) : nn::TokenPlaces();
    model.requireGrad(true);
    nn::ForwardOptions options;
    options.keepHiddenStates = options.keepMixerOutputs = true;
    const nn::ForwardResult result = model.forward(ids, places, at::kFloat, options);
    const at::Tensor logits = model.logits(result.hidden_BTD);
    compare(*golden, "logits", logits);
    for (std::size_t n = 0; n < result.hiddenStates_BTD.size(); ++n) {
        compare(*golden, "hidden_states." + std::to_string(n), result.hiddenStates_BTD[n]);
    }
    for (std::size_t n = 0; n < result.mixerOutputs_BTD.size(); ++n) {
        compare(*golden, "attn_output." + std::to_string(n), result.mixerOutputs_BTD[n]);
    }
    const at::Tensor loss = test::nextTokenLoss(logits, ids);
    compare(*golden, "loss", loss.view_as(nn::readTensor(*golden, "loss")));
    loss.backward();
    std::size_t numCompared = 0;
    model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        if (golden->find("grad." + name)) {
            ++numCompared;
            compare(*golden, "grad." + name, tensor.grad());
        }
    });
    std::size_t numHeld = 0;
    for (const auto &info : golden->tensors()) {
        numHeld += info.name.starts_with("grad.") ? 1 : 0;
    }
    CHECK(numCompared == numHeld);
    CHECK(numHeld > 0);
}

}  // namespace

TEST_CASE("models written by transformers, from the shared folder")
{
    for (const char *name : {"llama_gqa_tied", "llama3_scaled", "qwen2_bias", "qwen3_qknorm_widehead"}) {
        const fs::path folder = fs::path(STILLROOM_SHARED_DATA) / "golden/models" / name;
        if (!fs::exists(folder / "golden.safetensors")) {
            MESSAGE("skipped: " << folder.string() << " is not there");
            continue;
        }
        SUBCASE(name)
        {
            checkForwardAndGradients(folder);
        }
    }
}
