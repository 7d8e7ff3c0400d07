// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/generate.h"

#include "error.h"
#include "nn/sampling.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace stillroom::nn {

namespace {

struct PaddedPrompts {
    at::Tensor ids_BT, mask_BT;
};

PaddedPrompts padOnTheLeft(const std::vector<std::vector<std::int64_t>> &prompts, std::int64_t vocabSize)
{
    std::size_t longest = 0;
    for (std::size_t row = 0; row < prompts.size(); ++row) {
        if (prompts[row].empty()) {
            throw Error(ErrorCode::Usage, "Prompt " + std::to_string(row) + " is empty: give it at least one token.");
        }
        for (const std::int64_t id : prompts[row]) {
            if (id < 0 || id >= vocabSize) {
                throw Error(ErrorCode::Usage, "Prompt " + std::to_string(row) + " holds the token id " + std::to_string(id) + ", outside the model's vocabulary of " + std::to_string(vocabSize) + ".");
            }
        }
        longest = std::max(longest, prompts[row].size());
    }
    const auto numRows = static_cast<std::int64_t>(prompts.size()), width = static_cast<std::int64_t>(longest);
    PaddedPrompts padded{at::zeros({numRows, width}, at::TensorOptions(at::kLong)), at::zeros({numRows, width}, at::TensorOptions(at::kLong))};
    for (std::int64_t row = 0; row < numRows; ++row) {
        const auto &prompt = prompts[static_cast<std::size_t>(row)];
        const auto length = static_cast<std::int64_t>(prompt.size());
        padded.ids_BT[row].narrow(0, width - length, length).copy_(at::tensor(prompt));
        padded.mask_BT[row].narrow(0, width - length, length).fill_(1);
    }
    return padded;
}

/// Rows that grow by one token a step.
class Continuation {
public:
    Continuation(const Transformer &model, const std::vector<std::vector<std::int64_t>> &prompts, const GenerateOptions &options)
        : m_model(model), m_options(options), m_context(padOnTheLeft(prompts, model.embedding_VD.size(0))), m_rows(prompts.size()), m_finished(prompts.size(), false)
    {
        for (std::size_t row = 0; row < prompts.size(); ++row) {
            m_samplers.emplace_back(options.sampling, static_cast<std::int64_t>(row));
        }
        m_forward.stop = options.stop;
        if (options.useCache) {
            m_state = model.initialState(m_context.ids_BT.size(0), m_context.ids_BT.size(1) + options.maxNewTokens, options.computeType);
            m_forward.state = &m_state;
        }
    }

    std::vector<std::vector<std::int64_t>> run()
    {
        at::Tensor ids_BT = m_context.ids_BT;
        TokenPlaces places = placesFromMask(ids_BT, m_context.mask_BT);
        for (std::int64_t step = 0; step < m_options.maxNewTokens; ++step) {
            const at::Tensor hidden_BTD = m_model.forward(ids_BT, places, m_options.computeType, m_forward).hidden_BTD;
            const at::Tensor next_B1 = take(m_model.logits(hidden_BTD.narrow(1, hidden_BTD.size(1) - 1, 1)).select(1, 0));
            if (std::find(m_finished.begin(), m_finished.end(), false) == m_finished.end()) {
                break;
            }
            if (m_options.useCache) {
                ids_BT = next_B1;
                places = {};
                continue;
            }
            ids_BT = at::cat({ids_BT, next_B1}, 1);
            m_context.mask_BT = at::cat({m_context.mask_BT, at::ones_like(next_B1)}, 1);
            places = placesFromMask(ids_BT, m_context.mask_BT);
        }
        return std::move(m_rows);
    }

private:
    /// One token per unfinished row; finished rows go on with whatever, which nobody sees.
    at::Tensor take(const at::Tensor &logits_BV)
    {
        const at::Tensor next_B1 = at::zeros({logits_BV.size(0), 1}, at::TensorOptions(at::kLong));
        const at::Tensor greedy_B = m_options.sampling.temperature == 0.0 ? logits_BV.argmax(1).to(at::kCPU) : at::Tensor();
        for (std::size_t row = 0; row < m_rows.size(); ++row) {
            if (m_finished[row]) {
                continue;
            }
            const auto index = static_cast<std::int64_t>(row);
            if (!logits_BV[index].isfinite().all().item<bool>())
                throw Error(ErrorCode::NonFinite, "The model's logits are not finite after " + std::to_string(m_rows[row].size()) + " new tokens: check its weights, or compute in float32.");
            const std::int64_t id = greedy_B.defined() ? greedy_B[index].item<std::int64_t>() : m_samplers[row].draw(logits_BV[index]);
            if (std::find(m_options.stopIds.begin(), m_options.stopIds.end(), id) != m_options.stopIds.end()) {
                m_finished[row] = true;
                continue;
            }
            next_B1[index][0] = id;
            m_rows[row].push_back(id);
            if (m_options.onToken) {
                m_options.onToken(index, id);
            }
        }
        return next_B1;
    }

    const Transformer &m_model;
    const GenerateOptions &m_options;
    PaddedPrompts m_context;
    std::vector<std::vector<std::int64_t>> m_rows;
    std::vector<bool> m_finished;
    std::vector<Sampler> m_samplers;
    DecodeState m_state;
    ForwardOptions m_forward;
};

}  // namespace

std::vector<std::vector<std::int64_t>> generate(const Transformer &model, const std::vector<std::vector<std::int64_t>> &prompts, const GenerateOptions &options)
{
    return asStillroomError("Generating", [&]() -> std::vector<std::vector<std::int64_t>> {
        if (options.maxNewTokens < 0) {
            throw Error(ErrorCode::Usage, "The number of new tokens must be at least 0, not " + std::to_string(options.maxNewTokens) + ".");
        }
        if (prompts.empty()) {
            return {};
        }
        const at::NoGradGuard noGrad;
        return Continuation(model, prompts, options).run();
    });
}

}  // namespace stillroom::nn
