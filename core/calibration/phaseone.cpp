// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/phaseone.h"

#include "calibration/studentcopy.h"
#include "calibration/valuescale.h"
#include "distillation/attentionoutputloss.h"
#include "distillation/batchplaces.h"
#include "error.h"
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

constexpr GateInit allGateInits[] = {GateInit::FromValues, GateInit::Keep};
constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr Spread noSpread{none, none, none, none};

/// What the teacher does with one sequence in one layer.
struct SequenceInLayer {
    at::Tensor x_1TD, target_1TD;       ///< normed input and output of its attention
    at::Tensor context_1THV;
    nn::TokenPlaces places;
    at::Tensor counted_N;               ///< indices of the tokens that are not padding

    [[nodiscard]] at::Tensor counted(const at::Tensor &values_1T) const { return values_1T[0].index_select(0, counted_N); }
};

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

/// What a mixer's recurrence did on all sequences.
struct Observation {
    std::vector<Spread> halfLives, betas;      ///< by state; empty where the mixer has none
    ContextFit fit;
    double valueSquares = 0.0, valueCount = 0.0;
    std::vector<at::Tensor> contexts_1THV;     ///< one for each sequence
};

/// One layer on its way through Phase 1.
class LayerPhaseOne {
public:
    LayerPhaseOne(const distillation::AlignedLayer &student, const PhaseOneOptions &options, std::vector<SequenceInLayer> sequences, LayerAttention attention, std::int64_t headDim,
                  std::stop_token stop)
        : m_mixer(ownLinearCopy(student)), m_before(ownLinearCopy(student)), m_options(options), m_sequences(std::move(sequences)), m_headDim(headDim), m_stop(std::move(stop)),
          m_states(static_cast<std::size_t>(m_mixer->numStates()))
    {
        m_report.layer = student.layer;
        m_report.attention = std::move(attention);
        m_report.heads.resize(m_states);
    }

    LayerCalibration run()
    {
        const Observation start = observe();
        m_report.before = matchOf(start);
        setGates();
        const Observation gated = observe();
        setValueScale(gated);
        const Observation scaled = m_options.setValueScale ? observe() : gated;
        setOutputGate(scaled);
        m_report.after = matchOf(scaled);
        noteHeads(start, gated, scaled);
        noteChanges();
        return m_report;
    }

    [[nodiscard]] std::shared_ptr<nn::TokenMixer> mixer() const { return m_mixer; }

private:
    [[nodiscard]] at::Tensor deviceTensor(const std::vector<double> &values) const
    {
        return at::tensor(values, at::TensorOptions(at::kDouble)).to(m_sequences.front().x_1TD.device());
    }

    /// [N,H] → [N,states]: heads that share a state have the same value.
    [[nodiscard]] at::Tensor perState(const at::Tensor &values_NH) const
    {
        return values_NH.unflatten(1, {static_cast<std::int64_t>(m_states), -1}).select(2, 0).to(at::kCPU, at::kDouble);
    }

    [[nodiscard]] Observation observe() const
    {
        Observation seen;
        std::vector<at::Tensor> decays_NH, betas_NH;
        for (const SequenceInLayer &sequence : m_sequences) {
            nn::throwIfStopped(m_stop);
            mixers::Trace trace = m_mixer->trace(sequence.x_1TD, sequence.places);
            if (trace.logDecay_BTH.defined())
                decays_NH.push_back(perState(sequence.counted(trace.logDecay_BTH)));
            if (trace.beta_BTH.defined())
                betas_NH.push_back(perState(sequence.counted(trace.beta_BTH)));
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

    /// The layer's output with the contexts that were seen and the gate as it is now.
    [[nodiscard]] BranchMatch matchOf(const Observation &seen) const
    {
        double errors = 0.0, targets = 0.0, cosines = 0.0, squares = 0.0, tokens = 0.0;
        for (std::size_t i = 0; i < m_sequences.size(); ++i) {
            const SequenceInLayer &sequence = m_sequences[i];
            const at::Tensor student_ND = sequence.counted(m_mixer->outputOf(seen.contexts_1THV[i], sequence.x_1TD)), teacher_ND = sequence.counted(sequence.target_1TD);
            const auto sums = distillation::outputLossSums(distillation::OutputLoss::Squared, teacher_ND, student_ND, {});
            errors += sums.errorSquares.item<double>();
            targets += sums.targetSquares.item<double>();
            cosines += sums.cosineSum.item<double>();
            squares += student_ND.square().sum(at::kDouble).item<double>();
            tokens += static_cast<double>(student_ND.size(0));
        }
        return {std::sqrt(squares / targets), errors / targets, cosines / tokens};
    }

    void setGates()
    {
        std::vector<double> distances_H, entropies_H;
        for (const HeadAttention &head : m_report.attention.heads) {
            distances_H.push_back(head.meanDistanceTokens.value);
            entropies_H.push_back(head.entropyNats.value);
        }
        const std::vector<double> concentration_H = concentrations(entropies_H, m_options.writeTarget.leastSpreadNats);      // the one that the targets come from
        for (std::size_t head = 0; head < concentration_H.size(); ++head)
            m_report.attention.heads[head].concentration = concentration_H[head];
        const std::vector<double> distances = byState(distances_H, m_states), targets = byState(writeTargets(entropies_H, m_options.writeTarget), m_states);
        std::vector<double> rates;
        for (const double distance : distances)
            rates.push_back(decayTarget(distance, m_options.decayTarget));
        const bool decays = m_options.setDecay && m_mixer->has(mixers::Quantity::Decay);
        const bool writes = m_options.setWriteStrength && m_options.writeInit != WriteInit::Keep && m_mixer->has(mixers::Quantity::WriteStrength);
        if (decays)
            setDecay(rates);
        if (writes) {
            std::vector<at::Tensor> inputs_ND;
            for (const SequenceInLayer &sequence : m_sequences)
                inputs_ND.push_back(sequence.counted(sequence.x_1TD));
            calibration::setWriteStrength(m_mixer->writeProjection(), targets, m_options.writeInit, at::cat(inputs_ND));
        }
        for (std::size_t state = 0; state < m_states; ++state) {
            m_report.heads[state].distanceTokens = distances[state];
            m_report.heads[state].halfLifeTarget = decays ? halfLifeTokens(rates[state]) : none;
            m_report.heads[state].betaTarget = writes ? targets[state] : none;
        }
    }

    void setDecay(const std::vector<double> &rates)
    {
        m_mixer->setDecay(deviceTensor(rates));
        constexpr int corrections = 6;   // each is exact where −g grows with the exponential of its constant part, and close elsewhere
        std::vector<double> constant = rates;
        for (int i = 0; m_options.meanDecay && i < corrections; ++i) {
            const Observation seen = observe();
            for (std::size_t state = 0; state < m_states; ++state)
                constant[state] *= rates[state] / (std::numbers::ln2 / seen.halfLives[state].mean);
            m_mixer->setDecay(deviceTensor(constant));
        }
    }

    void setValueScale(const Observation &gated)
    {
        const bool scales = m_options.setValueScale && m_mixer->has(mixers::Quantity::ValueScale);
        const std::vector<double> raw = gated.fit.scales(m_states);
        std::vector<double> clamped;
        double atFloor = 0.0, atCeiling = 0.0;
        for (std::size_t state = 0; state < m_states; ++state) {
            HeadCalibration &head = m_report.heads[state];
            head.scaleRaw = head.scale = none;
            if (!scales)
                continue;
            // Without its d^-½, o is √d times as large and σ as much smaller.
            head.scaleRaw = m_options.kernelScale ? raw[state] : raw[state] / std::sqrt(static_cast<double>(m_headDim));
            head.scale = std::clamp(head.scaleRaw, m_options.leastScale, m_options.mostScale);
            head.scaleAtFloor = head.scaleRaw < m_options.leastScale;
            head.scaleAtCeiling = head.scaleRaw > m_options.mostScale;
            atFloor += head.scaleAtFloor ? 1.0 : 0.0;
            atCeiling += head.scaleAtCeiling ? 1.0 : 0.0;
            clamped.push_back(head.scale);
        }
        m_report.floorShare = scales ? atFloor / static_cast<double>(m_states) : none;
        m_report.ceilingShare = scales ? atCeiling / static_cast<double>(m_states) : none;
        if (scales)
            m_mixer->scaleValues(deviceTensor(clamped));
    }

    void setOutputGate(const Observation &scaled)
    {
        m_report.teacherRms = m_options.meanOfRms ? m_report.attention.contextRms() : m_report.attention.contextRootMeanSquare();
        m_report.valueRms = std::sqrt(scaled.valueSquares / std::max(scaled.valueCount, 1.0));
        const bool gates = m_options.setOutputGate && m_options.gateInit == GateInit::FromValues && m_mixer->has(mixers::Quantity::OutputGate);
        m_report.gateFactor = gates ? m_options.gateAmplitude * m_report.teacherRms / std::max(m_report.valueRms, 1e-8) : none;
        if (gates)
            m_mixer->setGateFromValues(m_report.gateFactor);
    }

    void noteHeads(const Observation &start, const Observation &gated, const Observation &scaled)
    {
        const auto cosineBefore = start.fit.cosines(m_states), cosineAtFit = gated.fit.cosines(m_states), cosineAfter = scaled.fit.cosines(m_states);
        const auto rmsBefore = start.fit.studentRms(m_states), rmsAfter = scaled.fit.studentRms(m_states);
        const auto spreadOf = [](const std::vector<Spread> &all, std::size_t state) { return all.empty() ? noSpread : all[state]; };
        for (std::size_t state = 0; state < m_states; ++state) {
            HeadCalibration &head = m_report.heads[state];
            head.halfLifeBefore = spreadOf(start.halfLives, state);
            head.halfLifeAfter = spreadOf(scaled.halfLives, state);
            head.betaBefore = spreadOf(start.betas, state);
            head.betaAfter = spreadOf(scaled.betas, state);
            head.cosineBefore = cosineBefore[state];
            head.cosineAtFit = cosineAtFit[state];
            head.cosineAfter = cosineAfter[state];
            head.contextRmsBefore = rmsBefore[state];
            head.contextRmsAfter = rmsAfter[state];
        }
    }

    void noteChanges()
    {
        std::map<std::string, at::Tensor> before;
        m_before->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { before[name] = tensor; });
        m_mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
            const double change = (tensor - before[name]).norm().item<double>(), size = before[name].norm().item<double>();
            if (change > 0.0)
                m_report.changes.push_back({name, change / size});
        });
        std::sort(m_report.changes.begin(), m_report.changes.end(), [](const ParameterChange &a, const ParameterChange &b) { return a.name < b.name; });
    }

    std::shared_ptr<mixers::LinearMixer> m_mixer, m_before;
    const PhaseOneOptions &m_options;
    std::vector<SequenceInLayer> m_sequences;
    std::int64_t m_headDim;
    std::stop_token m_stop;
    std::size_t m_states;
    LayerCalibration m_report;
};

void checkScales(const PhaseOneOptions &options)
{
    if (!(options.leastScale > 0.0 && options.leastScale <= options.mostScale))
        throw Error(ErrorCode::Usage, "Value scales are clamped to " + std::to_string(options.leastScale) + " … " + std::to_string(options.mostScale) + "; give 0 < least ≤ most.");
    if (!(options.gateAmplitude >= 0.0))
        throw Error(ErrorCode::Usage, "The gate's amplitude must be 0 or more.");
}

const nn::SoftmaxMixer &softmaxLayer(const nn::Transformer &teacher, int layer)
{
    if (layer < 0 || static_cast<std::size_t>(layer) >= teacher.blocks.size())
        throw Error(ErrorCode::Usage, "There is no layer " + std::to_string(layer) + "; the teacher's are 0 to " + std::to_string(teacher.blocks.size() - 1) + '.');
    const auto *mixer = dynamic_cast<const nn::SoftmaxMixer *>(teacher.blocks[static_cast<std::size_t>(layer)].mixer.get());
    if (!mixer)
        throw Error(ErrorCode::Usage, "Layer " + std::to_string(layer) + " of the teacher is no softmax attention: it has nothing to calibrate from.");
    return *mixer;
}

std::vector<distillation::AlignedLayer> inOrder(const nn::Transformer &teacher, std::vector<distillation::AlignedLayer> students)
{
    std::sort(students.begin(), students.end(), [](const auto &a, const auto &b) { return a.layer < b.layer; });
    for (std::size_t i = 0; i < students.size(); ++i) {
        (void)softmaxLayer(teacher, students[i].layer);
        if (i > 0 && students[i].layer == students[i - 1].layer)
            throw Error(ErrorCode::Usage, "Layer " + std::to_string(students[i].layer) + " is given twice.");
    }
    return students;
}

/// The residual stream of every sequence, block after block.
class TeacherStream {
public:
    TeacherStream(const nn::Transformer &teacher, const distillation::Batch &sequences, at::ScalarType computeType, std::stop_token stop)
        : m_teacher(teacher), m_stop(std::move(stop))
    {
        for (std::int64_t row = 0; row < sequences.ids_BT.size(0); ++row) {
            const distillation::Batch one = distillation::rowsOf(sequences, row, 1);
            SequenceInLayer sequence;
            sequence.places = distillation::placesOf(one, teacher.device());
            const at::Tensor counted_T = sequence.places.documents_BT.defined() ? sequence.places.documents_BT[0].ge(0) : at::ones({one.ids_BT.size(1)}, at::kBool);
            sequence.counted_N = counted_T.nonzero().squeeze(1).to(teacher.device());
            if (sequence.counted_N.size(0) == 0)
                continue;   // nothing but padding
            m_streams_1TD.push_back(teacher.embed(one.ids_BT, computeType));
            m_sequences.push_back(std::move(sequence));
        }
        if (m_sequences.empty())
            throw Error(ErrorCode::Usage, "There is no token to calibrate on.");
    }

    void advanceTo(std::size_t layer)
    {
        nn::ForwardOptions options;
        options.stop = m_stop;
        for (std::size_t i = 0; i < m_sequences.size(); ++i)
            m_streams_1TD[i] = m_teacher.runBlocks(m_streams_1TD[i], m_sequences[i].places, m_next, layer, options);
        m_next = layer;
    }

    /// Runs one softmax layer, measuring its attention. \return all sequences in it
    std::vector<SequenceInLayer> through(std::size_t layer, const nn::SoftmaxMixer &mixer, LayerAttentionSums &sums)
    {
        advanceTo(layer);
        std::vector<SequenceInLayer> inLayer = m_sequences;
        nn::ForwardOptions options;
        options.stop = m_stop;
        options.keepMixerInputs = options.keepMixerOutputs = true;
        for (std::size_t i = 0; i < inLayer.size(); ++i) {
            nn::ForwardResult kept;
            m_streams_1TD[i] = m_teacher.runBlocks(m_streams_1TD[i], inLayer[i].places, layer, layer + 1, options, &kept);
            inLayer[i].x_1TD = kept.mixerInputs_BTD.front();
            inLayer[i].target_1TD = kept.mixerOutputs_BTD.front();
            inLayer[i].context_1THV = sums.add(mixer, inLayer[i].x_1TD, inLayer[i].places, m_stop);
        }
        m_next = layer + 1;
        return inLayer;
    }

    [[nodiscard]] std::int64_t numSequences() const { return static_cast<std::int64_t>(m_sequences.size()); }
    [[nodiscard]] std::int64_t numTokens() const
    {
        std::int64_t tokens = 0;
        for (const SequenceInLayer &sequence : m_sequences)
            tokens += sequence.counted_N.size(0);
        return tokens;
    }

private:
    const nn::Transformer &m_teacher;
    std::stop_token m_stop;
    std::vector<SequenceInLayer> m_sequences;      ///< places only
    std::vector<at::Tensor> m_streams_1TD;
    std::size_t m_next = 0;
};

}  // namespace

const char *gateInitName(GateInit init)
{
    return init == GateInit::FromValues ? "from-values" : "keep";
}

GateInit parseGateInit(const std::string &text)
{
    for (const GateInit init : allGateInits)
        if (text == gateInitName(init))
            return init;
    throw Error(ErrorCode::Usage, "There is no way \"" + text + "\" to start an output gate; choose from-values or keep.");
}

PhaseOneOptions PhaseOneOptions::published()
{
    PhaseOneOptions options;
    options.droppedKeys = 0;
    options.writeInit = WriteInit::Weight;
    options.kernelScale = false;
    options.meanOfRms = true;
    return options;
}

PhaseOneResult calibratePhaseOne(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &students, const distillation::Batch &sequences,
                                 const PhaseOneOptions &options, at::ScalarType computeType, const PhaseOneProgress &progress)
{
    return nn::asStillroomError("Calibration", [&] {
        const c10::NoGradGuard noGrad;
        checkScales(options);
        distillation::checkBatch(sequences, teacher.embedding_VD.size(0));
        TeacherStream stream(teacher, sequences, computeType, progress.stop);
        PhaseOneResult result;
        for (const distillation::AlignedLayer &student : inOrder(teacher, students)) {
            const nn::SoftmaxMixer &mixer = softmaxLayer(teacher, student.layer);
            LayerAttentionSums sums(student.layer, {.droppedKeys = options.droppedKeys});
            std::vector<SequenceInLayer> inLayer = stream.through(static_cast<std::size_t>(student.layer), mixer, sums);
            LayerAttention attention = sums.result();
            if (attention.heads.empty() || !(attention.heads.front().entropyByPosition.size() > 0))
                throw Error(ErrorCode::Usage, "No row of attention is left once the first " + std::to_string(options.droppedKeys) + " keys are dropped: give longer texts.");
            LayerPhaseOne phase(student, options, std::move(inLayer), std::move(attention), mixer.options().headDim, progress.stop);
            result.reports.push_back(phase.run());
            result.layers.push_back({student.layer, phase.mixer()});
            if (progress.onLayer)
                progress.onLayer(result.reports.back());
        }
        result.numSequences = stream.numSequences();
        result.numTokens = stream.numTokens();
        return result;
    });
}

}  // namespace stillroom::calibration
