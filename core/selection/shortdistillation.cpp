// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/shortdistillation.h"

#include "error.h"
#include "selection/curvefile.h"
#include "selection/hybrid.h"

#include <nlohmann/json.hpp>

namespace stillroom::selection {
namespace {

std::vector<distillation::Student> students(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const std::vector<experiment::LayerSet> &sets)
{
    std::vector<distillation::Student> made;
    for (const experiment::LayerSet &kept : sets) {
        std::string name = kept.empty() ? "all-linear" : "keep";
        for (const int layer : kept)
            name += '-' + std::to_string(layer);
        made.push_back({std::move(name), hybrid(teacher, aligned, kept)});
    }
    return made;
}

distillation::StageTwoOptions withCallback(distillation::StageTwoOptions options, std::function<void(std::int64_t, std::int64_t)> callback)
{
    options.onEvaluate = std::move(callback);
    return options;
}

}  // namespace

experiment::LayerScore scoreOf(const StudentCurve &curve, std::size_t evaluation, experiment::LayerScore blank)
{
    if (evaluation >= curve.kl.size())
        throw Error(ErrorCode::Usage, "a student was evaluated " + std::to_string(curve.kl.size()) + " times, not " + std::to_string(evaluation + 1));
    const distillation::HeldOutKl &kl = curve.kl[evaluation];
    blank.score = kl.mean();
    blank.klNats = blank.score;
    blank.se = kl.se();
    blank.numSequences = static_cast<std::int64_t>(kl.klNats.size());
    blank.tokens = curve.tokens[evaluation];
    return blank;
}

ShortDistillation::ShortDistillation(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const distillation::HeldOutSet &heldOut,
                     distillation::BatchSource &source, Options options)
    : m_heldOut(heldOut), m_options(std::move(options)),
      m_stage(teacher, students(teacher, aligned, m_options.kept), source,
              withCallback(m_options.training, [this](std::int64_t, std::int64_t tokens) { evaluate(tokens); }))
{
    for (const experiment::LayerSet &kept : m_options.kept)
        m_curves.push_back({kept, {}, {}});
}

void ShortDistillation::evaluate(std::int64_t tokens)
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

void ShortDistillation::advance(std::stop_token stop)
{
    // A step is whole or not at all, and so are the evaluations that belong to it.
    const std::vector<StudentCurve> before = m_curves;
    try {
        m_stage.advance(std::move(stop));
    } catch (...) {
        m_curves = before;
        m_endsEarly = false;
        throw;
    }
}

distillation::TrainingState ShortDistillation::state(bool withOptimizer) const
{
    distillation::TrainingState state = m_stage.state(withOptimizer);
    nlohmann::json curves = nlohmann::json::array();
    for (const StudentCurve &curve : m_curves)
        curves.push_back(curveToJson(curve));
    state.scalarsJson = nlohmann::json{{"training", nlohmann::json::parse(state.scalarsJson)}, {"curves", std::move(curves)}, {"ended_early", m_endsEarly}}.dump();
    if (!withOptimizer)
        state.weights.clear();
    return state;
}

void ShortDistillation::restore(const distillation::TrainingState &state)
{
    const nlohmann::json scalars = nlohmann::json::parse(state.scalarsJson, nullptr, false);
    if (!scalars.is_object() || !scalars.contains("training") || !scalars.contains("curves") || scalars["curves"].size() != m_curves.size())
        throw Error(ErrorCode::BadFile, "the checkpoint is not one of this scoring group: start afresh");
    std::vector<StudentCurve> curves;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        curves.push_back(curveFromJson(scalars["curves"][i]));
        if (curves.back().kept != m_curves[i].kept)
            throw Error(ErrorCode::BadFile, "the checkpoint is one of other students: start afresh");
    }
    if (state.weights.empty()) {
        m_finished = Position{state.step, state.tokens};
    } else {
        distillation::TrainingState inner = state;
        inner.scalarsJson = scalars["training"].dump();
        m_stage.restore(inner);
    }
    m_curves = std::move(curves);
    m_endsEarly = scalars.value("ended_early", false);
}

}  // namespace stillroom::selection
