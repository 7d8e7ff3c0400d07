// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/modeldescription.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::widgets {
namespace {

QString text(const nlohmann::json &json, const char *field)
{
    return QString::fromStdString(json.at(field).get<std::string>());
}

QStringList texts(const nlohmann::json &json)
{
    QStringList list;
    for (const nlohmann::json &one : json)
        list << QString::fromStdString(one.get<std::string>());
    return list;
}

}  // namespace

bool ModelDescription::isTeacher() const
{
    return std::all_of(layerKinds.begin(), layerKinds.end(), [](const QString &kind) { return kind == QLatin1String("softmax"); });
}

const MixerSupport *ModelDescription::mixer(const QString &kind) const
{
    const auto found = std::find_if(mixers.begin(), mixers.end(), [&](const MixerSupport &one) { return one.kind == kind; });
    return found == mixers.end() ? nullptr : &*found;
}

analysis::LayerCosts ModelDescription::costs(const QString &mixerKind) const
{
    analysis::LayerCosts costs;
    costs.numLayers = numLayers;
    costs.kvBytesPerToken = numLayers > 0 ? kvBytesPerToken / numLayers : 0;
    costs.softmaxParameters = qint64{2} * hiddenSize * headDim * (numHeads + numKvHeads);
    if (const MixerSupport *one = mixer(mixerKind)) {
        costs.linearParameters = one->parametersPerLayer;
        costs.stateBytes = one->stateBytesPerLayer;
    }
    costs.weightBytes = parameters * costs.weightBytesPerParameter;
    return costs;
}

ModelDescription modelDescription(const QString &argument, const nlohmann::json &json)
{
    ModelDescription d;
    d.argument = argument;
    d.name = text(json, "name");
    d.path = text(json, "path");
    d.format = text(json, "format");
    d.architecture = text(json, "architecture");
    d.activation = text(json, "activation");
    d.numLayers = json.at("num_layers").get<int>();
    d.hiddenSize = json.at("hidden_size").get<int>();
    d.intermediateSize = json.at("intermediate_size").get<int>();
    d.numHeads = json.at("num_heads").get<int>();
    d.numKvHeads = json.at("num_kv_heads").get<int>();
    d.headDim = json.at("head_dim").get<int>();
    d.vocabSize = json.at("vocab_size").get<int>();
    d.contextTokens = json.at("context_tokens").get<qint64>();
    d.parameters = json.at("parameters").get<qint64>();
    d.kvBytesPerToken = json.at("kv_cache_bytes_per_token_bf16").get<qint64>();
    d.ropeType = text(json.at("rope"), "type");
    d.ropeTheta = json.at("rope").at("theta").get<double>();
    d.tiedHead = json.at("tied_head").get<bool>();
    d.features = texts(json.at("features"));
    d.layerKinds = texts(json.at("layer_kinds"));
    for (const auto &[type, count] : json.at("stored_types").items())
        d.storedTypes << QStringLiteral("%1 × %2").arg(count.get<int>()).arg(QString::fromStdString(type));
    const nlohmann::json &tokenizer = json.at("tokenizer");
    d.hasTokenizer = tokenizer.is_object() && !tokenizer.contains("error");
    if (d.hasTokenizer) {
        d.tokenizerPath = text(tokenizer, "path");
        d.hasChatTemplate = tokenizer.at("chat_template").get<bool>();
    }
    if (tokenizer.is_object() && tokenizer.contains("error"))
        d.tokenizerProblem = text(tokenizer, "error");
    d.windowTokens = json.at("sliding_window_tokens").get<std::vector<qint64>>();
    for (const nlohmann::json &one : json.at("parts"))
        d.parts.push_back({text(one, "part"), one.at("parameters").get<qint64>()});
    for (const nlohmann::json &one : json.at("mixers"))
        d.mixers.push_back({text(one, "mixer"), texts(one.at("carries")), texts(one.at("does_not_carry")), one.at("parameters_per_layer").get<qint64>(), one.at("state_bytes_per_layer").get<qint64>()});
    for (const nlohmann::json &one : json.at("exports"))
        d.exports.push_back({text(one, "format"), one.at("exact").get<bool>(), texts(one.at("reasons"))});
    return d;
}

}  // namespace stillroom::widgets
