// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/costs.h"

#include <QString>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace stillroom::widgets {

/// What one mixer can carry of a teacher, and what a layer of it takes.
struct MixerSupport {
    QString kind;
    QStringList carries, doesNotCarry;
    qint64 parametersPerLayer = 0, stateBytesPerLayer = 0;
};

/// "embedding", "attention", "mlp", "norms" or "head", of all layers together.
struct ModelPart {
    QString name;
    qint64 parameters = 0;
};

struct ExportSupport {
    QString format;
    bool exact = false;
    QStringList reasons;
};

/// A model as `inspect` describes it, for showing.
struct ModelDescription {
    QString argument;                 ///< what was opened: a path, or "demo"
    QString name, path, format, architecture, activation, ropeType;
    int numLayers = 0, hiddenSize = 0, intermediateSize = 0, numHeads = 0, numKvHeads = 0, headDim = 0, vocabSize = 0;
    qint64 contextTokens = 0, parameters = 0, kvBytesPerToken = 0;
    double ropeTheta = 0.0;
    bool tiedHead = false;
    QStringList features, storedTypes, layerKinds;
    QString tokenizerProblem;         ///< empty: the tokenizer is understood
    QString tokenizerPath;
    bool hasTokenizer = false, hasChatTemplate = false;
    std::vector<qint64> windowTokens; ///< by layer: how far its softmax attention sees; 0: all
    std::vector<ModelPart> parts;
    std::vector<MixerSupport> mixers;
    std::vector<ExportSupport> exports;

    [[nodiscard]] bool isValid() const { return numLayers > 0; }
    [[nodiscard]] bool isTeacher() const;                              ///< all softmax
    [[nodiscard]] const MixerSupport *mixer(const QString &kind) const;
    [[nodiscard]] analysis::LayerCosts costs(const QString &mixerKind) const;   ///< bf16 weights and cache
};

/// \throws nlohmann::json::exception when a field is missing: the description is our own.
[[nodiscard]] ModelDescription modelDescription(const QString &argument, const nlohmann::json &json);

}  // namespace stillroom::widgets
