// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/recurrentmixer.h"

#include "error.h"
#include "mixers/initial.h"
#include "mixers/shortconv.h"
#include "nn/linear.h"
#include "nn/sharedtables.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stillroom::mixers {

namespace {

constexpr double unitGateBias = 1.278464542761074;   // SiLU(x) = 1
const std::int64_t chunkLength = recurrence::Options().chunkLength;

at::ScalarType stateType(at::ScalarType computeType)
{
    return computeType == at::kDouble ? at::kDouble : at::kFloat;
}

at::Tensor splitHeads(const at::Tensor &x_BTC, std::int64_t heads)
{
    return x_BTC.unflatten(2, {heads, x_BTC.size(2) / heads});
}

void visitDefined(const nn::ParameterVisitor &visit, const std::string &name, at::Tensor &tensor, nn::ParameterTraits traits = {})
{
    if (tensor.defined())
        visit(name, tensor, traits);
}

constexpr nn::ParameterTraits normTraits{.weightDecay = false, .keepFp32 = true};

/// Copies teacher rows, widened to the mixer's heads, into `to` where both exist.
void copyRows(at::Tensor &to, const at::Tensor &from, std::int64_t heads, std::int64_t toHeads, Expand expand)
{
    if (to.defined())
        to.copy_(widenRows(from, heads, toHeads, expand));
}

}  // namespace

std::int64_t HeadShape::heads() const
{
    return std::max({queryHeads, keyHeads, valueHeads});
}

std::int64_t HeadShape::states() const
{
    return std::max(keyHeads, valueHeads);
}

void RecurrentOptions::read(OptionReader &reader, const HeadShape &headShape, const checkpoint::ModelConfig &teacher)
{
    shape = headShape;
    outputGate = reader.boolean("output_gate", true);
    gateBias = reader.boolean("gate_bias", false);
    shortConv = reader.boolean("short_conv", false);
    convSize = reader.integer("conv_size", 4, 1, 64);
    convIdentity = reader.choice("conv_init", "identity", {"identity", "random"}) == "identity";
    normEps = reader.number("norm_eps", teacher.rmsNormEps, 0.0, 1.0);
    expand = reader.choice("expand", "head", {"head", "row"}) == "head" ? Expand::Head : Expand::Row;
    copyTeacher = reader.choice("init", "teacher", {"teacher", "random"}) == "teacher";
    carryBias = reader.boolean("carry_bias", false);
    teacherRope = reader.choice("rope", "none", {"none", "teacher"}) == "teacher";
    teacherQkNorm = reader.choice("qk_norm", "none", {"none", "teacher"}) == "teacher";
    if (gateBias && !outputGate)
        reader.refuse("gate_bias", "needs \"output_gate\": true");
    if (carryBias && !teacher.qkvBias && !teacher.outputBias)
        reader.settle("carry_bias", carryBias = false);
    if (teacherQkNorm && !teacher.qkNorm) {
        teacherQkNorm = false;
        reader.settle("qk_norm", "none");
    }
    if ((teacherRope || teacherQkNorm) && shape.keyDim != teacher.headDim)
        reader.refuse(teacherRope ? "rope" : "qk_norm", "must be \"none\" unless the heads are as wide as the teacher's (" + std::to_string(teacher.headDim) + ")");
    if (!copyTeacher)
        return;
    const bool fits = shape.queryHeads == teacher.numHeads && shape.keyDim == teacher.headDim && shape.valueDim == teacher.headDim &&
                      shape.keyHeads % teacher.numKvHeads == 0 && shape.valueHeads % teacher.numKvHeads == 0;
    if (!fits)
        reader.refuse("init", "must be \"random\" with these head counts and widths: the teacher has " + std::to_string(teacher.numHeads) + " query and " +
                                  std::to_string(teacher.numKvHeads) + " key/value heads of width " + std::to_string(teacher.headDim));
}

RecurrentMixer::RecurrentMixer(RecurrentOptions options, std::string normName, Rule rule, const checkpoint::ModelConfig &config, at::Device device)
    : m_options(std::move(options)), m_normName(std::move(normName)), m_rule(rule), m_qkNormEps(config.rmsNormEps)
{
    if (m_options.teacherRope)
        m_rope = std::make_shared<const nn::RotaryEmbedding>(config.rope, config.headDim, config.maxPositions);
    const HeadShape &s = m_options.shape;
    const auto zeros = [&](at::IntArrayRef sizes) { return at::zeros(sizes, at::TensorOptions().dtype(at::kFloat).device(device)); };
    const std::int64_t qChannels = s.queryHeads * s.keyDim, kChannels = s.keyHeads * s.keyDim, vChannels = s.valueHeads * s.valueDim;
    const std::int64_t oChannels = s.heads() * s.valueDim;
    m_q = zeros({qChannels, s.width});
    m_k = zeros({kChannels, s.width});
    m_v = zeros({vChannels, s.width});
    m_o = zeros({s.width, oChannels});
    m_norm_V = zeros({s.valueDim});
    if (m_options.outputGate)
        m_gate = zeros({oChannels, s.width});
    if (m_options.gateBias)
        m_gateBias = zeros({oChannels});
    if (m_options.carryBias && config.qkvBias) {
        m_qBias = zeros({qChannels});
        m_kBias = zeros({kChannels});
        m_vBias = zeros({vChannels});
    }
    if (m_options.carryBias && config.outputBias)
        m_oBias = zeros({s.width});
    if (m_options.shortConv) {
        m_qConv = zeros({qChannels, 1, m_options.convSize});
        m_kConv = zeros({kChannels, 1, m_options.convSize});
        m_vConv = zeros({vChannels, 1, m_options.convSize});
    }
    if (m_options.teacherQkNorm) {
        m_qNorm_K = zeros({s.keyDim});
        m_kNorm_K = zeros({s.keyDim});
    }
}

void RecurrentMixer::visitParameters(const nn::ParameterVisitor &visit)
{
    visitDefined(visit, "q_proj.weight", m_q);
    visitDefined(visit, "q_proj.bias", m_qBias);
    visitDefined(visit, "k_proj.weight", m_k);
    visitDefined(visit, "k_proj.bias", m_kBias);
    visitDefined(visit, "v_proj.weight", m_v);
    visitDefined(visit, "v_proj.bias", m_vBias);
    visitDefined(visit, "q_conv1d.weight", m_qConv);
    visitDefined(visit, "k_conv1d.weight", m_kConv);
    visitDefined(visit, "v_conv1d.weight", m_vConv);
    visitDefined(visit, "q_norm.weight", m_qNorm_K, normTraits);
    visitDefined(visit, "k_norm.weight", m_kNorm_K, normTraits);
    visitOwnParameters(visit);
    visitDefined(visit, "g_proj.weight", m_gate);
    visitDefined(visit, "g_proj.bias", m_gateBias);
    visitDefined(visit, m_normName, m_norm_V, normTraits);
    visitDefined(visit, "o_proj.weight", m_o);
    visitDefined(visit, "o_proj.bias", m_oBias);
}

void RecurrentMixer::initialise(const TeacherAttention &teacher, int layer, std::uint64_t seed)
{
    nn::asStillroomError("Starting a linear mixer from its teacher", [&] {
        at::NoGradGuard noGrad;
        copyProjections(teacher, layer, seed);
        if (m_options.shortConv)
            for (auto &[name, taps] : {std::pair{"q_conv1d.weight", &m_qConv}, {"k_conv1d.weight", &m_kConv}, {"v_conv1d.weight", &m_vConv}}) {
                if (m_options.convIdentity)
                    taps->zero_().select(2, m_options.convSize - 1).fill_(1.0);
                else
                    drawLinear(*taps, m_options.convSize, name, layer, seed);
            }
        m_norm_V.fill_(1.0);
        if (m_gateBias.defined()) {
            m_gate.zero_();
            m_gateBias.fill_(unitGateBias);
        } else if (m_gate.defined()) {
            drawLinear(m_gate, shape().width, "g_proj.weight", layer, seed);
        }
        initialiseOwn(layer, seed);
    });
}

void RecurrentMixer::copyProjections(const TeacherAttention &teacher, int layer, std::uint64_t seed)
{
    const HeadShape &s = shape();
    copyRows(m_qNorm_K, teacher.qNorm_K, 1, 1, Expand::Head);
    copyRows(m_kNorm_K, teacher.kNorm_K, 1, 1, Expand::Head);
    if (m_options.copyTeacher) {
        const Expand expand = m_options.expand;
        m_q.copy_(teacher.q_HKxD);
        copyRows(m_k, teacher.k_JKxD, teacher.kvHeads, s.keyHeads, expand);
        copyRows(m_v, teacher.v_JKxD, teacher.kvHeads, s.valueHeads, expand);
        m_o.copy_(shareColumns(teacher.o_DxHK, teacher.heads, s.heads()));
        copyRows(m_qBias, teacher.qBias_HK, 1, 1, Expand::Head);
        copyRows(m_kBias, teacher.kBias_JK, teacher.kvHeads, s.keyHeads, expand);
        copyRows(m_vBias, teacher.vBias_JK, teacher.kvHeads, s.valueHeads, expand);
        copyRows(m_oBias, teacher.oBias_D, 1, 1, Expand::Head);
        return;
    }
    for (auto &[name, weight] : {std::pair{"q_proj.weight", &m_q}, {"k_proj.weight", &m_k}, {"v_proj.weight", &m_v}, {"o_proj.weight", &m_o}})
        drawLinear(*weight, weight->size(1), name, layer, seed);
    for (auto &[name, bias, fanIn] : {std::tuple{"q_proj.bias", &m_qBias, s.width}, {"k_proj.bias", &m_kBias, s.width}, {"v_proj.bias", &m_vBias, s.width}, {"o_proj.bias", &m_oBias, m_o.size(1)}})
        if (bias->defined())
            drawLinear(*bias, fanIn, name, layer, seed);
}

at::Tensor RecurrentMixer::toAllHeads(const at::Tensor &perHead) const
{
    const std::int64_t repeats = shape().heads() / perHead.size(2);
    return repeats == 1 ? perHead : perHead.repeat_interleave(repeats, 2);
}

RecurrentMixer::Streams RecurrentMixer::streams(const at::Tensor &x_BTD, const nn::TokenPlaces &places, RecurrentState *state) const
{
    const HeadShape &s = shape();
    at::Tensor q_BTC = nn::linear(x_BTD, m_q, m_qBias), k_BTC = nn::linear(x_BTD, m_k, m_kBias), v_BTC = nn::linear(x_BTD, m_v, m_vBias);
    if (m_options.shortConv) {
        const auto convolved = shortConvolution(at::cat({q_BTC, k_BTC, v_BTC}, 2), at::cat({m_qConv, m_kConv, m_vConv}, 0), state ? state->history_BPC : at::Tensor(), places.documents_BT);
        const auto parts = convolved.y_BTC.split_with_sizes({q_BTC.size(2), k_BTC.size(2), v_BTC.size(2)}, 2);
        q_BTC = parts[0];
        k_BTC = parts[1];
        v_BTC = parts[2];
        if (state)
            state->history_BPC.copy_(convolved.history_BPC.detach());
    }
    Streams streams{splitHeads(q_BTC, s.queryHeads), splitHeads(k_BTC, s.keyHeads), splitHeads(v_BTC, s.valueHeads)};
    if (m_qNorm_K.defined()) {
        streams.q_BThK = nn::rmsNorm(streams.q_BThK, m_qNorm_K, m_qkNormEps);
        streams.k_BThK = nn::rmsNorm(streams.k_BThK, m_kNorm_K, m_qkNormEps);
    }
    if (m_rope) {
        nn::TokenPlaces counted = places;
        if (!counted.positions_BT.defined())
            counted.positions_BT = at::arange(x_BTD.size(1), x_BTD.options().dtype(at::kLong)).unsqueeze(0);
        const auto table = nn::rotaryTable(m_rope, counted, streams.q_BThK.scalar_type());
        streams.q_BThK = nn::rotate(streams.q_BThK, table);
        streams.k_BThK = nn::rotate(streams.k_BThK, table);
    }
    return streams;
}

recurrence::Inputs RecurrentMixer::inputs(const at::Tensor &x_BTD, const nn::TokenPlaces &places, RecurrentState *state) const
{
    recurrence::Inputs inputs;
    fill(inputs, streams(x_BTD, places, state), x_BTD);
    inputs.documents_BT = places.documents_BT;
    return inputs;
}

at::Tensor RecurrentMixer::recur(recurrence::Inputs inputs, RecurrentState *state) const
{
    if (!state)
        return recurrence::chunked(inputs).o_BTHV;
    const HeadShape &s = shape();
    const std::int64_t sharing = s.heads() / s.states();   // heads with one state: kept once, widened for the recurrence
    at::Tensor all_BHKV = sharing == 1 ? state->S_BHKV : state->S_BHKV.repeat_interleave(sharing, 1);
    at::Tensor o_BTHV, after_BHKV;
    if (inputs.q_BTHK.size(1) == 1 && !at::GradMode::is_enabled()) {   // a step knows no autograd
        o_BTHV = recurrence::step(inputs, all_BHKV);
        after_BHKV = all_BHKV;
    } else {
        inputs.initialState_BHKV = all_BHKV.clone();   // the state below is written in place, backward may still need this one
        auto outputs = recurrence::chunked(inputs);
        o_BTHV = outputs.o_BTHV;
        after_BHKV = outputs.finalState_BHKV.detach();
    }
    if (sharing > 1)
        after_BHKV = after_BHKV.unflatten(1, {s.states(), sharing}).select(2, 0);
    if (!after_BHKV.is_same(state->S_BHKV))
        state->S_BHKV.copy_(after_BHKV);
    return o_BTHV;
}

at::Tensor RecurrentMixer::output(const at::Tensor &o_BTHV, const at::Tensor &x_BTD) const
{
    // Norm, gain and gate in fp32, rounded once.
    at::Tensor y_BTHV = nn::rmsNorm(o_BTHV.to(stateType(x_BTD.scalar_type())), m_norm_V, m_options.normEps);
    if (m_gate.defined()) {
        const auto gate_BTHV = splitHeads(nn::linear(x_BTD, m_gate, m_gateBias), shape().heads());
        y_BTHV = y_BTHV * at::silu(gate_BTHV.to(y_BTHV.scalar_type()));
    }
    return nn::linear(y_BTHV.to(x_BTD.scalar_type()).flatten(2), m_o, m_oBias);
}

at::Tensor RecurrentMixer::forward(const at::Tensor &x_BTD, const nn::TokenPlaces &places, nn::LayerState *state) const
{
    return nn::asStillroomError("A linear mixer", [&] {
        auto *recurrent = dynamic_cast<RecurrentState *>(state);
        if (state && !recurrent)
            throw Error(ErrorCode::Usage, "The decode state handed to a \"" + std::string(kind()) + "\" layer was made by another kind of layer.");
        if (recurrent)
            recurrent->enter(places.documents_BT);
        return output(recur(inputs(x_BTD, places, recurrent), recurrent), x_BTD);
    });
}

at::Tensor RecurrentMixer::matrix(const at::Tensor &x_BTD, const nn::TokenPlaces &places) const
{
    return nn::asStillroomError("The map of a linear mixer", [&] { return recurrence::matrix(inputs(x_BTD, places, nullptr)); });
}

bool RecurrentMixer::has(Quantity quantity) const
{
    return quantity == Quantity::ValueScale || (quantity == Quantity::OutputGate && m_gate.defined());
}

ParameterRole RecurrentMixer::role(std::string_view parameter) const
{
    const auto belongsTo = [&](std::string_view module) { return parameter.starts_with(module) && parameter.substr(module.size()).starts_with('.'); };
    if (parameter == m_normName || belongsTo("o_proj"))
        return ParameterRole::Output;
    for (const std::string_view module : {"q_proj", "k_proj", "v_proj", "q_norm", "k_norm"})
        if (belongsTo(module))
            return ParameterRole::Copied;
    return ParameterRole::New;
}

Trace RecurrentMixer::trace(const at::Tensor &x_BTD, const nn::TokenPlaces &places) const
{
    return nn::asStillroomError("The trace of a linear mixer", [&] {
        const auto wide = stateType(x_BTD.scalar_type());
        recurrence::Inputs driven = inputs(x_BTD, places, nullptr);
        Trace trace;
        if (driven.g.defined())
            trace.logDecay_BTH = driven.g.dim() == 4 ? driven.g.mean(3) : driven.g;
        const at::Tensor beta_BTh = writeStrength(x_BTD);
        if (beta_BTh.defined())
            trace.beta_BTH = toAllHeads(beta_BTh);
        trace.values_BTHV = driven.v_BTHV.to(wide);
        trace.context_BTHV = recurrence::chunked(driven).o_BTHV.to(wide);
        return trace;
    });
}

at::Tensor RecurrentMixer::outputOf(const at::Tensor &context_BTHV, const at::Tensor &x_BTD) const
{
    return nn::asStillroomError("A linear mixer", [&] { return output(context_BTHV, x_BTD); });
}

void RecurrentMixer::setDecay(const at::Tensor & /*rate_H*/)
{
    throw Error(ErrorCode::Unsupported, "A \"" + std::string(kind()) + "\" layer has no decay that could be set.");
}

void RecurrentMixer::scaleValues(const at::Tensor &scale_H)
{
    at::NoGradGuard noGrad;
    const at::Tensor scale_C = scale_H.to(m_v.device(), m_v.scalar_type()).repeat_interleave(shape().valueDim);
    m_v.mul_(scale_C.unsqueeze(1));
    if (m_vBias.defined())
        m_vBias.mul_(scale_C);
}

void RecurrentMixer::setGateFromValues(double factor)
{
    at::NoGradGuard noGrad;
    m_gate.copy_(widenRows(m_v, shape().valueHeads, shape().heads(), Expand::Head) * factor);
    if (m_gateBias.defined())
        m_gateBias.zero_();
}

void RecurrentMixer::scaleGate(double factor)
{
    at::NoGradGuard noGrad;
    m_gate.mul_(factor);
    if (m_gateBias.defined())
        m_gateBias.mul_(factor);
}

std::unique_ptr<nn::LayerState> RecurrentMixer::initialState(std::int64_t batch, std::int64_t /*maxTokens*/, at::ScalarType computeType) const
{
    return nn::asStillroomError("Making room for a recurrent state", [&] {
        const HeadShape &s = shape();
        const auto options = m_o.options().requires_grad(false);
        auto state = std::make_unique<RecurrentState>();
        state->S_BHKV = at::zeros({batch, s.states(), s.keyDim, s.valueDim}, options.dtype(stateType(computeType)));
        if (m_options.shortConv)
            state->history_BPC = at::zeros({batch, m_options.convSize - 1, s.convChannels()}, options.dtype(computeType));
        state->lastDocument_B = at::full({batch}, -1, options.dtype(at::kLong));
        return std::unique_ptr<nn::LayerState>(std::move(state));
    });
}

std::int64_t RecurrentMixer::stateBytes(std::int64_t batch, std::int64_t /*tokens*/, at::ScalarType computeType) const
{
    const HeadShape &s = shape();
    const auto bytesOf = [](at::ScalarType type) { return static_cast<std::int64_t>(c10::elementSize(type)); };
    const std::int64_t history = m_options.shortConv ? (m_options.convSize - 1) * s.convChannels() * bytesOf(computeType) : 0;
    return batch * (s.states() * s.keyDim * s.valueDim * bytesOf(stateType(computeType)) + history + bytesOf(at::kLong));
}

double RecurrentMixer::flopsPerToken(std::int64_t contextTokens) const
{
    const HeadShape &s = shape();
    double multiplyAdds = 0;
    // Every matrix and every convolution tap meets each token once; vectors do elementwise work only.
    const auto count = [&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { multiplyAdds += tensor.dim() > 1 ? static_cast<double>(tensor.numel()) : 0.0; };
    const_cast<RecurrentMixer *>(this)->visitParameters(count);   // only reads
    const double C = static_cast<double>(std::clamp<std::int64_t>(contextTokens, 1, chunkLength));
    const double K = static_cast<double>(s.keyDim), V = static_cast<double>(s.valueDim);
    const double perHead = m_rule == Rule::Delta ? C * (3 * K + 2 * V) + 3 * K * V : C * (K + V) + 2 * K * V;
    return 2.0 * (multiplyAdds + static_cast<double>(s.heads()) * perHead);
}

bool RecurrentMixer::carries(nn::TeacherFeature feature) const
{
    switch (feature) {
    case nn::TeacherFeature::QkvBias:
    case nn::TeacherFeature::OutputBias: return m_options.carryBias && m_options.copyTeacher;
    case nn::TeacherFeature::QkNorm: return m_options.teacherQkNorm;
    case nn::TeacherFeature::Rope:
    case nn::TeacherFeature::RopeScaling: return m_options.teacherRope;
    case nn::TeacherFeature::SlidingWindow: return false;
    case nn::TeacherFeature::GroupedQuery: return m_options.copyTeacher && m_options.expand == Expand::Head;
    case nn::TeacherFeature::WideHeads: return m_options.copyTeacher;
    }
    return false;
}

}  // namespace stillroom::mixers
