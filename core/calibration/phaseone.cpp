// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/phaseone.h"

#include "calibration/studentcopy.h"
#include "calibration/valuescale.h"
#include "error.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace stillroom::calibration {

namespace {

constexpr GateInit allGateInits[] = {GateInit::FromValues, GateInit::Keep};
constexpr double none = std::numeric_limits<double>::quiet_NaN();

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
        const Observation start = seen();
        m_report.before = stateOf(start, matchOf(*m_mixer, start, m_sequences), m_states);
        setGates();
        const Observation gated = setsGates() ? seen() : start;
        setValueScale(gated);
        const Observation scaled = m_options.setValueScale ? seen() : gated;
        setOutputGate(scaled);
        m_report.after = stateOf(scaled, matchOf(*m_mixer, scaled, m_sequences), m_states);
        const auto cosineAtFit = gated.fit.cosines(m_states);
        for (std::size_t state = 0; state < m_states; ++state)
            m_report.heads[state].cosineAtFit = cosineAtFit[state];
        m_report.changes = parameterChanges(*m_before, *m_mixer);
        return m_report;
    }

    [[nodiscard]] std::shared_ptr<nn::TokenMixer> mixer() const { return m_mixer; }

private:
    [[nodiscard]] Observation seen() const { return observe(*m_mixer, m_sequences, m_stop); }
    [[nodiscard]] bool setsGates() const { return m_options.setDecay || m_options.setWriteStrength; }

    [[nodiscard]] at::Tensor deviceTensor(const std::vector<double> &values) const
    {
        return at::tensor(values, at::TensorOptions(at::kDouble)).to(m_sequences.front().x_1TD.device());
    }

    /// Decay and write strength.
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
            const Observation now = seen();
            for (std::size_t state = 0; state < m_states; ++state)
                constant[state] *= rates[state] / (std::numbers::ln2 / now.halfLives[state].mean);
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
        const bool gates = m_options.setOutputGate && m_options.gateInit == GateInit::FromValues && m_mixer->has(mixers::Quantity::OutputGate);
        m_report.gateFactor = gates ? m_options.gateAmplitude * m_report.teacherRms / std::max(scaled.valueRms(), 1e-8) : none;
        if (gates)
            m_mixer->setGateFromValues(m_report.gateFactor);
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

PhaseOneOptions PhaseOneOptions::measuring()
{
    PhaseOneOptions options;
    options.setDecay = options.setWriteStrength = options.setValueScale = options.setOutputGate = false;
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
