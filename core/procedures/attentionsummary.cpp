// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/attentionsummary.h"

#include "calibration/attentionstatistics.h"
#include "error.h"
#include "procedures/calibrationreport.h"
#include "procedures/modelargument.h"
#include "procedures/tokenfile.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::procedures {
namespace {

constexpr std::int64_t longestWindow = 2048;

/// Adds a text window by window: statistics grow with the context, so windows are the model's context, at most 2048 tokens.
void addText(calibration::AttentionStatistics &statistics, const LoadedModel &model, const std::string &text, at::ScalarType computeType, const std::stop_token &stop)
{
    const std::vector<text::TokenId> ids = tokenizerOf(model.files)->encode(text);
    if (ids.empty())
        throw Error(ErrorCode::Usage, "the text has no token: give a longer one");
    const at::Tensor all_N = at::tensor(ids, at::TensorOptions(at::kLong)).to(model.model.device());
    const std::int64_t window = std::min(longestWindow, std::max<std::int64_t>(model.files.config.maxPositions, 1));
    for (std::int64_t begin = 0; begin < all_N.size(0); begin += window)
        statistics.add(all_N.slice(0, begin, std::min(begin + window, all_N.size(0))).unsqueeze(0), {}, computeType, stop);
}

}  // namespace

void checkAttentionInput(const std::string &text, const std::filesystem::path &tokensFile)
{
    if (text.empty() == tokensFile.empty())
        throw Error(ErrorCode::Usage, "attention statistics need a text or a file of token ids: give one of them");
}

nlohmann::json attentionSummary(const LoadedModel &model, const std::string &text, const std::filesystem::path &tokensFile, const ComputeSettings &settings,
                                const std::function<void(std::string)> &warn, std::stop_token stop)
{
    checkAttentionInput(text, tokensFile);
    const c10::NoGradGuard noGradients;
    calibration::AttentionOptions options;
    options.lagHistogram = false;
    calibration::AttentionStatistics statistics(model.model, options);
    if (!text.empty()) {
        addText(statistics, model, text, settings.computeType, stop);
    } else {
        const TokenFile tokens = readTokenFile(tokensFile, model.files.config.vocabSize);
        const at::Tensor ids_BT = tokens.ids_BT.to(model.model.device());
        if (std::string warning = checkpoint::contextWarning(model.files.config, ids_BT.size(1)); !warning.empty())
            warn(std::move(warning));
        statistics.add(ids_BT, nn::placesFromMask(ids_BT, tokens.mask_BT.defined() ? tokens.mask_BT.to(ids_BT.device()) : at::Tensor()), settings.computeType, stop);
    }
    nlohmann::json layers = nlohmann::json::array();
    for (const calibration::LayerAttention &layer : statistics.result()) {
        nlohmann::json heads = nlohmann::json::array();
        for (const calibration::HeadAttention &head : layer.heads) {
            heads.push_back(toJson(head));
            for (const char *list : {"lag_share", "entropy_by_position_nats"})       // one number a statistic here; a calibration keeps the rest
                heads.back().erase(list);
        }
        layers.push_back({{"layer", layer.layer}, {"heads", heads}});
    }
    return layers;
}

}  // namespace stillroom::procedures
