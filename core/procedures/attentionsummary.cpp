// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/attentionsummary.h"

#include "calibration/attentionstatistics.h"
#include "error.h"
#include "procedures/calibrationreport.h"
#include "procedures/modelargument.h"
#include "procedures/tokenfile.h"
#include "text/writtentext.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::procedures {
namespace {

constexpr std::int64_t longestWindow = 2048;

using Warn = std::function<void(std::string)>;

void warnIf(const Warn &warn, std::string warning)
{
    if (!warning.empty())
        warn(std::move(warning));
}

/// Adds a text window by window: statistics grow with the context, so windows are the model's context, at most 2048 tokens.
void addText(calibration::AttentionStatistics &statistics, const LoadedModel &model, const std::string &text, at::ScalarType computeType, const Warn &warn, const std::stop_token &stop)
{
    const std::string what = "the text";
    const text::WrittenText written = text::encodeWritten(*tokenizerOf(model.files), text, false, what);
    if (written.ids.empty())
        throw Error(ErrorCode::Usage, "the text has no token: give a longer one");
    warnIf(warn, text::unknownWarning(written.unknownTokens, written.ids.size(), what));
    const at::Tensor all_N = at::tensor(written.ids, at::TensorOptions(at::kLong)).to(model.model.device());
    const std::int64_t window = std::min(longestWindow, std::max<std::int64_t>(model.files.config.maxPositions, 1));
    for (std::int64_t begin = 0; begin < all_N.size(0); begin += window)
        statistics.add(all_N.slice(0, begin, std::min(begin + window, all_N.size(0))).unsqueeze(0), {}, computeType, stop);
}

/// Adds the rows of a file. Padding has no position of its own, so that it counts for no context.
void addTokens(calibration::AttentionStatistics &statistics, const LoadedModel &model, const std::filesystem::path &file, at::ScalarType computeType, const Warn &warn, const std::stop_token &stop)
{
    const TokenFile tokens = readTokenFile(file, model.files.config.vocabSize);
    const std::int64_t longest = tokens.longestRow();
    if (longest == 0)
        throw Error(ErrorCode::BadFile, file.string() + ": attention_mask keeps no token, so that there is nothing to measure: write 1 where a token is to be read");
    warnIf(warn, checkpoint::contextWarning(model.files.config, longest));
    const at::Tensor ids_BT = tokens.ids_BT.to(model.model.device());
    statistics.add(ids_BT, nn::placesFromMask(ids_BT, tokens.mask_BT.defined() ? tokens.mask_BT.to(ids_BT.device()) : at::Tensor()), computeType, stop);
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
    if (!text.empty())
        addText(statistics, model, text, settings.computeType, warn, stop);
    else
        addTokens(statistics, model, tokensFile, settings.computeType, warn, stop);
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
