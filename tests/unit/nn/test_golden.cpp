// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/modelfiles.h"
#include "nn/generate.h"
#include "nn/tensorfile.h"
#include "tinymodel.h"
#include "testdata.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <filesystem>

namespace golden_tests {

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
    model.requireGrad(true);
    nn::ForwardOptions options;
    options.keepHiddenStates = options.keepMixerOutputs = true;
    const nn::ForwardResult result = model.forward(ids, {}, at::kFloat, options);
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
        numHeld += info.name.starts_with("grad.") ? 1U : 0U;
    }
    CHECK(numCompared == numHeld);
    CHECK(numHeld > 0);
}

std::vector<std::vector<std::int64_t>> rowsOf(const at::Tensor &ids_BT, const at::Tensor &mask_BT = {})
{
    std::vector<std::vector<std::int64_t>> rows;
    for (std::int64_t row = 0; row < ids_BT.size(0); ++row) {
        const at::Tensor ids = (mask_BT.defined() ? ids_BT[row].masked_select(mask_BT[row].ne(0)) : ids_BT[row]).contiguous();
        rows.emplace_back(ids.const_data_ptr<std::int64_t>(), ids.const_data_ptr<std::int64_t>() + ids.numel());
    }
    return rows;
}

/// `all_BT` holds the prompts and what was made of them.
void checkContinuation(const nn::Transformer &model, const std::vector<std::vector<std::int64_t>> &prompts, const at::Tensor &all_BT, std::int64_t promptWidth)
{
    nn::GenerateOptions options;
    options.maxNewTokens = all_BT.size(1) - promptWidth;
    const auto expected = rowsOf(all_BT.narrow(1, promptWidth, options.maxNewTokens));
    for (const bool useCache : {true, false}) {
        options.useCache = useCache;
        CHECK(nn::generate(model, prompts, options) == expected);
    }
}

}  // namespace

TEST_CASE("tiny models of every family agree with transformers")
{
    std::size_t numModels = 0;
    for (const auto &entry : fs::directory_iterator(stillroom::test::testData() / "nn/models")) {
        ++numModels;
        const std::string name = entry.path().filename().string();
        INFO(name);
        checkForwardAndGradients(entry.path());
        const auto golden = checkpoint::openSafetensors(entry.path() / "golden.safetensors");
        const nn::Transformer model = nn::loadTransformer(checkpoint::openModel(entry.path()), at::kCPU);
        const at::Tensor generated = nn::readTensor(*golden, "generated"), padded = nn::readTensor(*golden, "padded_ids");
        checkContinuation(model, rowsOf(generated.narrow(1, 0, 6)), generated, 6);
        checkContinuation(model, rowsOf(padded, nn::readTensor(*golden, "padded_mask")), nn::readTensor(*golden, "padded_generated"), padded.size(1));
    }
    CHECK(numModels == 11);
}

TEST_CASE("models written by transformers, from the shared folder")
{
    for (const char *name : {"llama_gqa_tied", "llama3_scaled", "qwen2_bias", "qwen3_qknorm_widehead"}) {
        const fs::path folder = stillroom::test::sharedData() / "golden/models" / name;
        if (!fs::exists(folder / "golden.safetensors")) {
            MESSAGE("skipped: " << folder.string() << " is not there");
            continue;
        }
        SUBCASE(name)
        {
            checkForwardAndGradients(folder);
            const at::Tensor generated = nn::readTensor(*checkpoint::openSafetensors(folder / "golden.safetensors"), "generated");
            checkContinuation(nn::loadTransformer(checkpoint::openModel(folder), at::kCPU), rowsOf(generated.narrow(1, 0, 9)), generated, 9);
        }
    }
}

}  // namespace golden_tests
