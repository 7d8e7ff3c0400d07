// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/perplexity.h"

#include "error.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

namespace stillroom::evaluation {
namespace {

constexpr std::int64_t longestWindow = 2048;
constexpr std::int64_t sliceTokens = 256;      // logits of so many tokens exist at a time

std::int64_t windowOf(const nn::Transformer &model, const PerplexityOptions &options)
{
    if (options.window > 0)
        return options.window;
    return model.config.maxPositions > 0 ? std::min(model.config.maxPositions, longestWindow) : longestWindow;
}

/// Σ -log p(ids[t]) over t = first … end-1 of one window, float64.
double windowLoss(const nn::Transformer &model, const at::Tensor &ids_T, std::int64_t first, at::ScalarType computeType, const std::stop_token &stop)
{
    nn::ForwardOptions forward;
    forward.stop = stop;
    const at::Tensor hidden_TD = model.forward(ids_T.unsqueeze(0), {}, computeType, forward).hidden_BTD.squeeze(0);
    double sum = 0.0;
    for (std::int64_t from = first; from < ids_T.size(0); from += sliceTokens) {
        const std::int64_t count = std::min(sliceTokens, ids_T.size(0) - from);
        const at::Tensor logits_TV = model.logits(hidden_TD.narrow(0, from - 1, count).unsqueeze(0)).squeeze(0);
        const at::Tensor wide_TV = logits_TV.to(computeType == at::kDouble ? at::kDouble : at::kFloat);
        const at::Tensor chosen_T = wide_TV.gather(1, ids_T.narrow(0, from, count).unsqueeze(1)).squeeze(1);
        sum += (wide_TV.logsumexp(1) - chosen_T).to(at::kDouble).sum().item<double>();
    }
    return sum;
}

}  // namespace

double Perplexity::perplexity() const
{
    return std::exp(natsPerToken);
}

namespace {

Perplexity measured(const nn::Transformer &model, std::span<const std::int64_t> ids, const PerplexityOptions &options)
{
    const c10::NoGradGuard noGradients;
    const auto total = static_cast<std::int64_t>(ids.size());
    const std::int64_t window = windowOf(model, options);
    const std::int64_t stride = options.stride > 0 ? options.stride : window;
    if (total < 2)
        throw Error(ErrorCode::Usage, "perplexity needs at least 2 tokens, the text has " + std::to_string(total));
    if (options.window < 0 || options.stride < 0)
        throw Error(ErrorCode::Usage, "window is " + std::to_string(options.window) + " and stride " + std::to_string(options.stride) + ": give positive numbers of tokens, or 0 for the usual ones");
    if (window < 2 || stride > window)
        throw Error(ErrorCode::Usage, "stride is " + std::to_string(stride) + " and window " + std::to_string(window) + ": the window must be at least 2 and the stride at most the window");
    if (const auto [low, high] = std::minmax_element(ids.begin(), ids.end()); *low < 0 || *high >= model.config.vocabSize)
        throw Error(ErrorCode::Usage, "the text holds token id " + std::to_string(*low < 0 ? *low : *high) + ", but the model knows 0 to " + std::to_string(model.config.vocabSize - 1));
    const at::Tensor all_N = at::tensor(at::ArrayRef<std::int64_t>(ids.data(), ids.size()), at::TensorOptions(at::kLong)).to(model.device());
    Perplexity result;
    double sum = 0.0;
    std::int64_t predicted = 0;     // tokens before this one have been the business of an earlier window
    for (std::int64_t begin = 0; predicted < total; begin += stride) {
        const std::int64_t end = std::min(begin + window, total);
        const std::int64_t first = std::max(predicted, begin + 1);
        if (first < end) {
            sum += windowLoss(model, all_N.slice(0, begin, end), first - begin, options.computeType, options.stop);
            result.tokens += end - first;
        }
        predicted = end;
        if (options.progress)
            options.progress(end, total);
    }
    if (!std::isfinite(sum))
        throw Error(ErrorCode::NonFinite, "the model's loss on this text is not finite: try float32 as compute type");
    result.natsPerToken = sum / static_cast<double>(result.tokens);
    result.convention = "window " + std::to_string(window) + " tokens, stride " + std::to_string(stride) + ", no BOS, first token of the text not predicted" +
                        (stride == window ? ", nor the first of each window" : "");
    return result;
}

}  // namespace

Perplexity perplexity(const nn::Transformer &model, std::span<const std::int64_t> ids, const PerplexityOptions &options)
{
    return nn::asStillroomError("Measuring perplexity", [&] { return measured(model, ids, options); });
}

}  // namespace stillroom::evaluation
