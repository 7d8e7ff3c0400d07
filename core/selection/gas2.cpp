// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/gas2.h"

#include "error.h"
#include "selection/curvefile.h"
#include "selection/hybrid.h"

#include <nlohmann/json.hpp>

namespace stillroom::selection {
namespace {

std::vector<distillation::Student> students(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const std::vector<int> &layers)
{
    std::vector<distillation::Student> made;
    for (const int layer : layers) {
        if (layer < 0)
            made.push_back({"all-linear", hybrid(teacher, aligned, {})});
        else
            made.push_back({"keep-" + std::to_string(layer), hybrid(teacher, aligned, {layer})});
    }
    return made;
}

distillation::StageTwoOptions withCallback(distillation::StageTwoOptions options, std::function<void(std::int64_t, std::int64_t)> callback)
{
    options.onEvaluate = std::move(callback);
    return options;
}

}  // namespace

experiment::LayerScore scoreOf(const LayerCurve &curve, std::size_t evaluation, const std::string &selector, const std::string &mixer)
{
    if (evaluation >= curve.kl.size())
        throw Error(ErrorCode::Usage, "layer " + std::to_string(curve.layer) + " was evaluated " + std::to_string(curve.kl.size()) + " times, not " + std::to_string(evaluation + 1));
    const distillation::HeldOutKl &kl = curve.kl[evaluation];
    experiment::LayerScore score;
    score.selector = selector;
    score.mixer = mixer;
    score.layer = curve.layer;
    score.score = kl.mean();
    score.klNats = score.score;
    score.se = kl.se();
    score.numSequences = static_cast<std::int64_t>(kl.klNats.size());
    score.tokens = curve.tokens[evaluation];
    return score;
}

GaS2Group::GaS2Group(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const distillation::HeldOutSet &heldOut,
                     distillation::BatchSource &source, Options options)
    : m_heldOut(heldOut), m_options(std::move(options)),
      m_stage(teacher, students(teacher, aligned, m_options.layers), source,
              withCallback(m_options.training, [this](std::int64_t, std::int64_t tokens) { evaluate(tokens); }))
{
    for (const int layer : m_options.layers)
        m_curves.push_back({layer, {}, {}});
}

void GaS2Group::evaluate(std::int64_t tokens)
{
    std::vector<nn::Transformer> models;   // handles
    for (const distillation::Student &student : m_stage.students())
        models.push_back(student.model);
    std::vector<distillation::HeldOutKl> measured = m_heldOut.measure(models);
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        m_curves[i].kl.push_back(std::move(measured[i]));
        m_curves[i].tokens.push_back(tokens);
    }
    if (m_options.onEvaluation && m_options.onEvaluation(m_curves))
        m_endsEarly = true;
}

void GaS2Group::advance(std::stop_token stop)
{
    // A step is whole or not at all, and so are the evaluations that belong to it.
    const std::vector<LayerCurve> before = m_curves;
    try {
        m_stage.advance(std::move(stop));
    } catch (...) {
        m_curves = before;
        m_endsEarly = false;
        throw;
    }
}

distillation::TrainingState GaS2Group::state(bool withOptimizer) const
{
    distillation::TrainingState state = m_stage.state(withOptimizer);
    nlohmann::json curves = nlohmann::json::array();
    for (const LayerCurve &curve : m_curves)
        curves.push_back(curveToJson(curve));
    state.scalarsJson = nlohmann::json{{"training", nlohmann::json::parse(state.scalarsJson)}, {"curves", std::move(curves)}, {"ended_early", m_endsEarly}}.dump();
    if (!withOptimizer)
        state.weights.clear();
    return state;
}

void GaS2Group::restore(const distillation::TrainingState &state)
{
    const nlohmann::json scalars = nlohmann::json::parse(state.scalarsJson, nullptr, false);
    if (!scalars.is_object() || !scalars.contains("training") || !scalars.contains("curves") || scalars["curves"].size() != m_curves.size())
        throw Error(ErrorCode::BadFile, "the checkpoint is not one of this scoring group: start afresh");
    if (state.weights.empty()) {
        m_finished = Position{state.step, state.tokens};
    } else {
        distillation::TrainingState inner = state;
        inner.scalarsJson = scalars["training"].dump();
        m_stage.restore(inner);
    }
    for (std::size_t i = 0; i < m_curves.size(); ++i)
        m_curves[i] = curveFromJson(scalars["curves"][i]);
    m_endsEarly = scalars.value("ended_early", false);
}

}  // namespace stillroom::selection
