// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mixers/transfer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace stillroom::mixers {

/// What of a mixer can be set from what the teacher's attention does. A mixer says which of them it has.
enum class Quantity {
    Decay,           ///< how fast each head forgets
    WriteStrength,   ///< β: how strongly each head writes a token
    ValueScale,      ///< the amplitude of each head's values
    OutputGate,      ///< a projection of x that gates the output
};

/// How a parameter came into a mixer that takes the place of attention: what trains it differently.
enum class ParameterRole {
    Copied,   ///< query, key and value projections, their biases and norms: the teacher's
    Output,   ///< output projection and the norm in front of it
    New,      ///< decays, gates, convolutions: the teacher has nothing like them
};

/// What a mixer's recurrence does on some tokens, in fp32 (fp64 for fp64 x). H heads of the recurrence.
struct Trace {
    at::Tensor logDecay_BTH;    ///< g ≤ 0, natural log; the mean over key channels where each has its own; undefined: nothing is forgotten
    at::Tensor beta_BTH;        ///< undefined: the mixer has no write strength
    at::Tensor values_BTHV;     ///< as they enter the recurrence
    at::Tensor context_BTHV;    ///< o: what is read, with the mixer's own scale of q, before norm and gate; zero at padding
};

/// Handles of what decides β = range · σ(W x + b).
struct WriteProjection {
    at::Tensor weight_HD;       ///< one row for each head with a state of its own; undefined: the mixer has no write strength
    at::Tensor bias_H;          ///< undefined where the mixer has none
    double range = 1.0;
};

/// A token mixer that can take the place of a teacher's attention.
class LinearMixer : public nn::TokenMixer {
public:
    /// Copies what the options say from the teacher's attention and draws the rest: every parameter from its own generator.
    virtual void initialise(const TeacherAttention &teacher, int layer, std::uint64_t seed) = 0;

    [[nodiscard]] virtual bool has(Quantity quantity) const = 0;
    [[nodiscard]] virtual ParameterRole role(std::string_view parameter) const = 0;
    /// Heads of the recurrence and of the output, H.
    [[nodiscard]] virtual std::int64_t numHeads() const = 0;
    /// Heads with a state, a decay and values of their own; head n of H uses number ⌊n · numStates / H⌋.
    [[nodiscard]] virtual std::int64_t numStates() const = 0;

    [[nodiscard]] virtual Trace trace(const at::Tensor &x_BTD, const nn::TokenPlaces &places) const = 0;
    /// The layer's output from a trace's context: norm, gate and output projection. \return [B,T,D] in the type of x
    [[nodiscard]] virtual at::Tensor outputOf(const at::Tensor &context_BTHV, const at::Tensor &x_BTD) const = 0;

    // What follows is to be called only where `has` says so; values are float64 on any device, one for each of numStates() heads.

    /// Sets the constant part of each decay so that g = −rate where the part that depends on x is zero. \param rate  nats per token, > 0
    virtual void setDecay(const at::Tensor &rate_H) = 0;
    [[nodiscard]] virtual WriteProjection writeProjection() = 0;
    /// Multiplies the value projection of each head (its bias too).
    virtual void scaleValues(const at::Tensor &scale_H) = 0;
    /// Gate projection = factor × value projection, head by head; a gate bias becomes zero.
    virtual void setGateFromValues(double factor) = 0;
    /// Gate projection × factor (its bias too): 0 closes the gate.
    virtual void scaleGate(double factor) = 0;
};

/// One kind of linear mixer, as registry.cpp lists them. Constant-initialised, so that the order of files does not matter.
struct MixerKind {
    std::string_view name;
    /// The options with every default filled in for this teacher. \throws Error(Usage)
    std::string (*completeOptions)(const std::string &optionsJson, const checkpoint::ModelConfig &teacher);
    /// A mixer of zeros with the shapes that completed options ask for.
    std::shared_ptr<LinearMixer> (*make)(const std::string &optionsJson, const checkpoint::ModelConfig &config, at::Device device);
};

}  // namespace stillroom::mixers
