// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/layerstate.h"

#include "calibration/studentcopy.h"
#include "distillation/attentionoutputloss.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace stillroom::calibration {

namespace {

constexpr double notThere = std::numeric_limits<double>::quiet_NaN();
constexpr Spread noSpread{notThere, notThere, notThere, notThere};

/// Reads a value per token and head with linear interpolation between order statistics, as numpy does. \param sorted_NH ascending along N
std::vector<double> quantileOf(const at::Tensor &sorted_NH, double share)
{
    const double place = share * static_cast<double>(sorted_NH.size(0) - 1);
    const auto below = static_cast<std::int64_t>(std::floor(place)), above = std::min(below + 1, sorted_NH.size(0) - 1);
    const at::Tensor low_H = sorted_NH[below], high_H = sorted_NH[above];
    const at::Tensor value_H = at::where(low_H == high_H, low_H, low_H + (high_H - low_H) * (place - static_cast<double>(below))).contiguous();
    return {value_H.const_data_ptr<double>(), value_H.const_data_ptr<double>() + value_H.size(0)};
}

/// \param means_H  to be reported as means; the quantiles are those of `values_NH`.
std::vector<Spread> spreads(const at::Tensor &values_NH, const at::Tensor &means_H)
{
    const at::Tensor sorted_NH = std::get<0>(values_NH.sort(0));
    const auto p10 = quantileOf(sorted_NH, 0.1), p50 = quantileOf(sorted_NH, 0.5), p90 = quantileOf(sorted_NH, 0.9);
    std::vector<Spread> result;
    for (std::size_t head = 0; head < p10.size(); ++head)
        result.push_back({means_H[static_cast<std::int64_t>(head)].item<double>(), p10[head], p50[head], p90[head]});
    return result;
}

/// [N,H] → [N,states]: heads that share a state have the same value.
at::Tensor perState(const at::Tensor &values_NH, std::int64_t states)
{
    return values_NH.unflatten(1, {states, -1}).select(2, 0).to(at::kCPU, at::kDouble);
}

}  // namespace

double Observation::valueRms() const
{
    return std::sqrt(valueSquares / std::max(valueCount, 1.0));
}

Observation observe(const mixers::LinearMixer &mixer, const std::vector<SequenceInLayer> &sequences, const std::stop_token &stop)
{
    Observation seen;
    std::vector<at::Tensor> decays_NH, betas_NH;
    for (const SequenceInLayer &sequence : sequences) {
        nn::throwIfStopped(stop);
        mixers::Trace trace = mixer.trace(sequence.x_1TD, sequence.places);
        if (trace.logDecay_BTH.defined())
            decays_NH.push_back(perState(sequence.counted(trace.logDecay_BTH), mixer.numStates()));
        if (trace.beta_BTH.defined())
            betas_NH.push_back(perState(sequence.counted(trace.beta_BTH), mixer.numStates()));
        const at::Tensor values_NHV = sequence.counted(trace.values_BTHV);
        seen.valueSquares += values_NHV.square().sum(at::kDouble).item<double>();
        seen.valueCount += static_cast<double>(values_NHV.numel());
        seen.fit.add(sequence.counted(sequence.context_1THV), sequence.counted(trace.context_BTHV));
        seen.contexts_1THV.push_back(std::move(trace.context_BTHV));
    }
    if (!decays_NH.empty()) {
        const at::Tensor rate_NH = -at::cat(decays_NH);
        seen.halfLives = spreads(std::numbers::ln2 / rate_NH, std::numbers::ln2 / rate_NH.mean(0));
    }
    if (!betas_NH.empty()) {
        const at::Tensor beta_NH = at::cat(betas_NH);
        seen.betas = spreads(beta_NH, beta_NH.mean(0));
    }
    return seen;
}

BranchMatch matchOf(const mixers::LinearMixer &mixer, const Observation &seen, const std::vector<SequenceInLayer> &sequences)
{
    double errors = 0.0, targets = 0.0, cosines = 0.0, squares = 0.0, tokens = 0.0;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
        const SequenceInLayer &sequence = sequences[i];
        const at::Tensor student_ND = sequence.counted(mixer.outputOf(seen.contexts_1THV[i], sequence.x_1TD)), teacher_ND = sequence.counted(sequence.target_1TD);
        const auto sums = distillation::outputLossSums(distillation::OutputLoss::Squared, teacher_ND, student_ND, {});
        errors += sums.errorSquares.item<double>();
        targets += sums.targetSquares.item<double>();
        cosines += sums.cosineSum.item<double>();
        squares += student_ND.square().sum(at::kDouble).item<double>();
        tokens += static_cast<double>(student_ND.size(0));
    }
    return {std::sqrt(squares / targets), errors / targets, cosines / tokens};
}

LayerState stateOf(const Observation &seen, const BranchMatch &branch, std::size_t states)
{
    const auto cosines = seen.fit.cosines(states), rms = seen.fit.studentRms(states);
    const auto spreadAt = [](const std::vector<Spread> &all, std::size_t state) { return all.empty() ? noSpread : all[state]; };
    LayerState made{{}, branch, seen.valueRms()};
    for (std::size_t state = 0; state < states; ++state)
        made.heads.push_back({spreadAt(seen.halfLives, state), spreadAt(seen.betas, state), cosines[state], rms[state]});
    return made;
}

std::vector<LayerState> layerStates(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &students, const distillation::Batch &sequences,
                                    at::ScalarType computeType, const std::stop_token &stop)
{
    return nn::asStillroomError("Measuring linear layers", [&] {
        const c10::NoGradGuard noGrad;
        TeacherStream stream(teacher, sequences, computeType, stop);
        std::vector<LayerState> made;
        for (const distillation::AlignedLayer &student : inOrder(teacher, students)) {
            const auto mixer = ownLinearCopy(student);
            LayerAttentionSums sums(student.layer, {.lagHistogram = false});      // for the contexts
            const std::vector<SequenceInLayer> inLayer = stream.through(static_cast<std::size_t>(student.layer), softmaxLayer(teacher, student.layer), sums);
            const Observation seen = observe(*mixer, inLayer, stop);
            made.push_back(stateOf(seen, matchOf(*mixer, seen, inLayer), static_cast<std::size_t>(mixer->numStates())));
        }
        return made;
    });
}

std::vector<ParameterChange> parameterChanges(nn::TokenMixer &before, nn::TokenMixer &after)
{
    std::map<std::string, at::Tensor> was;
    std::vector<ParameterChange> changes;
    before.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { was[name] = tensor; });
    after.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        const at::Tensor old = was.at(name).to(at::kDouble);
        const double change = (tensor.to(at::kDouble) - old).norm().item<double>(), size = old.norm().item<double>();
        if (!(change == 0.0))      // what became NaN differs, too
            changes.push_back({name, change / size});
    });
    std::sort(changes.begin(), changes.end(), [](const ParameterChange &a, const ParameterChange &b) { return a.name < b.name; });
    return changes;
}

}  // namespace stillroom::calibration
