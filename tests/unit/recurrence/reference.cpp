// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/reference.h"

#include <algorithm>

namespace stillroom::recurrence::testing {
namespace {

at::Generator generator(std::uint64_t seed) { return at::make_generator<at::CPUGeneratorImpl>(seed); }

at::Tensor unit(const at::Tensor &x) { return x / x.norm(2, -1, true); }

at::Tensor mapDefined(const at::Tensor &x, const auto &map) { return x.defined() ? map(x) : x; }

Inputs mapTokens(const Inputs &inputs, const auto &map) {
    Inputs result = inputs;
    for (auto *x : {&result.q_BTHK, &result.k_BTHK, &result.v_BTHV, &result.g, &result.a_BTHK, &result.b_BTHK, &result.documents_BT})
        *x = mapDefined(*x, map);
    return result;
}

}  // namespace

std::string Variant::name() const {
    const char *writings[] = {"additive", "tied", "general"};
    const char *decays[] = {"no decay", "scalar decay", "channel decay"};
    return std::string(writings[static_cast<int>(writing)]) + ", " + decays[static_cast<int>(decay)] +
           (read == Read::AfterWrite ? ", read after write" : ", read before write");
}

std::vector<Variant> allVariants() {
    std::vector<Variant> variants;
    for (const auto writing : {Writing::Additive, Writing::Tied, Writing::General})
        for (const auto decay : {DecayKind::None, DecayKind::Scalar, DecayKind::Channel})
            for (const auto read : {Read::AfterWrite, Read::BeforeWrite})
                variants.push_back({writing, decay, read});
    return variants;
}

at::Tensor randn(at::IntArrayRef shape, std::uint64_t seed, c10::ScalarType type) {
    return at::randn(shape, generator(seed), at::TensorOptions().dtype(at::kDouble)).to(type);
}

void setDecay(Inputs &inputs, const Variant &variant, const at::Tensor &g) {
    inputs.g = g;
    if (variant.writing != Writing::Tied)
        return;
    const auto unitKey = unit(inputs.k_BTHK);
    const auto decay = g.defined() ? g.exp() : at::ones({1}, unitKey.options());
    inputs.a_BTHK = -(decay.dim() == 3 ? decay.unsqueeze(3) : decay) * unitKey;
}

Inputs randomInputs(const Variant &variant, const Size &size, std::uint64_t seed, c10::ScalarType type, double decayScale) {
    auto draw = [&, next = seed * 100](at::IntArrayRef shape) mutable { return randn(shape, next++); };
    const std::vector<std::int64_t> keyShape{size.B, size.T, size.H, size.K};
    Inputs inputs;
    inputs.read = variant.read;
    inputs.q_BTHK = draw(keyShape);
    const auto key = unit(draw(keyShape)), beta = draw({size.B, size.T, size.H, 1}).sigmoid();
    inputs.k_BTHK = variant.writing == Writing::Tied ? key * beta : key;
    inputs.v_BTHV = draw({size.B, size.T, size.H, size.V});
    if (variant.writing == Writing::General) {
        const auto erase = unit(draw(keyShape));
        inputs.a_BTHK = -erase;
        inputs.b_BTHK = erase * draw(keyShape).sigmoid();
    }
    at::Tensor g;
    if (variant.decay == DecayKind::Scalar)
        g = at::log_sigmoid(draw({size.B, size.T, size.H})) * decayScale;
    if (variant.decay == DecayKind::Channel)
        g = at::log_sigmoid(draw(keyShape)) * decayScale;
    setDecay(inputs, variant, g);
    inputs.initialState_BHKV = draw({size.B, size.H, size.K, size.V});
    return converted(inputs, type);
}

Outputs tokenLoop(const Inputs &inputs) {
    const auto type = inputs.v_BTHV.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const auto B = inputs.v_BTHV.size(0), T = inputs.v_BTHV.size(1), H = inputs.v_BTHV.size(2), V = inputs.v_BTHV.size(3);
    const auto K = inputs.q_BTHK.size(3);
    const auto options = inputs.v_BTHV.options().dtype(type);
    std::vector<at::Tensor> rows, finals;
    for (std::int64_t b = 0; b < B; ++b) {
        auto S_HKV = inputs.initialState_BHKV.defined() ? inputs.initialState_BHKV[b] : at::zeros({H, K, V}, options);
        std::vector<at::Tensor> outputs;
        std::int64_t document = -1;
        for (std::int64_t t = 0; t < T; ++t) {
            if (inputs.documents_BT.defined()) {
                const auto id = inputs.documents_BT[b][t].item<std::int64_t>();
                if (id < 0) {
                    outputs.push_back(at::zeros({H, V}, options));
                    continue;
                }
                if (document >= 0 && id != document)
                    S_HKV = at::zeros_like(S_HKV);
                document = id;
            }
            const auto at = [&](const at::Tensor &x) { return x[b][t].to(type); };
            const auto read = [&] { return at::einsum("hkv,hk->hv", {S_HKV, at(inputs.q_BTHK)}); };
            at::Tensor o_HV;
            if (inputs.read == Read::BeforeWrite)
                o_HV = read();
            at::Tensor next_HKV = S_HKV;
            if (inputs.g.defined()) {
                const auto decay = at(inputs.g).exp();
                next_HKV = S_HKV * (decay.dim() == 2 ? decay.unsqueeze(2) : decay.view({H, 1, 1}));
            }
            next_HKV = next_HKV + at(inputs.k_BTHK).unsqueeze(2) * at(inputs.v_BTHV).unsqueeze(1);
            if (inputs.a_BTHK.defined()) {
                const auto &b_BTHK = inputs.b_BTHK.defined() ? inputs.b_BTHK : inputs.k_BTHK;
                const auto u_HV = at::einsum("hkv,hk->hv", {S_HKV, at(inputs.a_BTHK)});
                next_HKV = next_HKV + at(b_BTHK).unsqueeze(2) * u_HV.unsqueeze(1);
            }
            S_HKV = next_HKV;
            if (inputs.read == Read::AfterWrite)
                o_HV = read();
            outputs.push_back(o_HV);
        }
        rows.push_back(at::stack(outputs, 0));
        finals.push_back(S_HKV);
    }
    return {at::stack(rows, 0).to(inputs.v_BTHV.scalar_type()), at::stack(finals, 0)};
}

std::vector<Named> differentiable(Inputs &inputs) {
    std::vector<Named> all{{"q", &inputs.q_BTHK}, {"k", &inputs.k_BTHK}, {"v", &inputs.v_BTHV},
                           {"g", &inputs.g},      {"a", &inputs.a_BTHK}, {"b", &inputs.b_BTHK},
                           {"initialState", &inputs.initialState_BHKV}};
    std::erase_if(all, [](const Named &named) { return !named.tensor->defined(); });
    return all;
}

Inputs withGradients(const Inputs &inputs) {
    Inputs copy = inputs;
    for (const auto &[name, tensor] : differentiable(copy))
        *tensor = tensor->detach().clone().set_requires_grad(true);
    return copy;
}

Inputs converted(const Inputs &inputs, c10::ScalarType type) {
    Inputs copy = inputs;
    for (const auto &[name, tensor] : differentiable(copy)) {
        const bool wide = name == "g" || name == "initialState";
        *tensor = tensor->to(wide && type != at::kDouble ? at::kFloat : type);
    }
    return copy;
}

std::vector<at::Tensor> gradientsOf(Inputs &inputs, const Outputs &outputs, std::uint64_t seed) {
    const auto weigh = [&](const at::Tensor &x, std::uint64_t at) {
        return (x.to(at::kDouble) * randn(x.sizes(), seed + at).to(x.device())).sum();
    };
    const auto loss = weigh(outputs.o_BTHV, 0) + weigh(outputs.finalState_BHKV, 1);
    loss.backward();
    std::vector<at::Tensor> gradients;
    for (const auto &[name, tensor] : differentiable(inputs))
        gradients.push_back(tensor->grad().defined() ? tensor->grad() : at::zeros_like(*tensor));
    return gradients;
}

double largest(const at::Tensor &x) { return x.numel() == 0 ? 0.0 : x.detach().to(at::kDouble).abs().max().item<double>(); }

double relativeError(const at::Tensor &a, const at::Tensor &b) {
    return largest(a.detach().to(at::kDouble) - b.detach().to(at::kDouble)) / std::max(1e-30, largest(b));
}

Inputs tokens(const Inputs &inputs, std::int64_t first, std::int64_t last) {
    return mapTokens(inputs, [&](const at::Tensor &x) { return x.slice(1, first, last); });
}

Inputs row(const Inputs &inputs, std::int64_t index) {
    auto result = mapTokens(inputs, [&](const at::Tensor &x) { return x.slice(0, index, index + 1); });
    result.initialState_BHKV = mapDefined(inputs.initialState_BHKV, [&](const at::Tensor &x) { return x.slice(0, index, index + 1); });
    return result;
}

}  // namespace stillroom::recurrence::testing
