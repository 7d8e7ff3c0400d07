// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection/shortdistillation.h"

#include "error.h"
#include "selection/curvefile.h"
#include "selection/hybrid.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace stillroom::selection {
namespace {

std::string studentName(const experiment::LayerSet &kept)
{
    std::string name = kept.empty() ? "all-linear" : "keep";
    for (const int layer : kept)
        name += '-' + std::to_string(layer);
    return name;
}

std::vector<distillation::Student> students(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, const std::vector<experiment::LayerSet> &sets)
{
    std::vector<distillation::Student> made;
    for (const experiment::LayerSet &kept : sets)
        made.push_back({studentName(kept), hybrid(teacher, aligned, kept)});
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
              withCallback(m_options.training, [this](std::int64_t step, std::int64_t tokens) { evaluate(step, tokens); }))
{
    for (const experiment::LayerSet &kept : m_options.kept)
        m_curves.push_back({kept, {}, {}});
    for (std::size_t i = 0; i < m_curves.size(); ++i)
        m_training.push_back(i);
}

void ShortDistillation::evaluate(std::int64_t step, std::int64_t tokens)
{
    std::vector<nn::Transformer> models;   // handles
    for (const distillation::Student &student : m_stage.students())
        models.push_back(student.model);
    std::vector<distillation::HeldOutKl> measured = m_heldOut.measure(models);
    // Nothing is kept before the callback has come back: when it throws, the evaluation is made again.
    std::vector<StudentCurve> grown = m_curves;
    for (std::size_t i = 0; i < m_training.size(); ++i) {
        StudentCurve &curve = grown[m_training[i]];
        curve.kl.push_back(std::move(measured[i]));
        curve.tokens.push_back(tokens);
    }
    const bool last = step == m_options.training.steps;
    const std::vector<std::size_t> leaving = m_options.onEvaluation ? m_options.onEvaluation(grown, last) : std::vector<std::size_t>();
    m_curves = std::move(grown);
    if (!last)
        leave(leaving);
}

void ShortDistillation::leave(const std::vector<std::size_t> &students)
{
    std::vector<std::size_t> left;
    for (const std::size_t student : m_training)
        if (std::find(students.begin(), students.end(), student) == students.end())
            left.push_back(student);
    if (left.empty()) {
        m_endsEarly = true;      // the stage keeps its students: it is not asked for another step
        return;
    }
    for (const std::size_t student : m_training)
        if (std::find(left.begin(), left.end(), student) == left.end())
            m_stage.retire(studentName(m_curves[student].kept));
    m_training = std::move(left);
}

void ShortDistillation::advance(std::stop_token stop)
{
    m_stage.advance(std::move(stop));
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
        if (std::any_of(curves.begin(), curves.end(), [](const StudentCurve &curve) { return curve.tokens.empty(); }))
            throw Error(ErrorCode::BadFile, "the checkpoint says that the group is finished, but a curve is empty: start afresh");
        m_finished = Position{state.step, state.tokens};
        std::erase_if(m_training, [&](std::size_t i) { return curves[i].tokens.back() < state.tokens; });
    } else {
        distillation::TrainingState inner = state;
        inner.scalarsJson = scalars["training"].dump();
        m_stage.restore(inner);
        m_training.clear();
        for (std::size_t i = 0; i < curves.size(); ++i)
            if (std::any_of(m_stage.students().begin(), m_stage.students().end(), [&](const distillation::Student &student) { return student.name == studentName(curves[i].kept); }))
                m_training.push_back(i);
    }
    m_curves = std::move(curves);
    m_endsEarly = scalars.value("ended_early", false);
}

}  // namespace stillroom::selection
