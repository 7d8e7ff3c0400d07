// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/adamw.h"
#include "error.h"
#include "golden.h"

#include <cmath>
#include <doctest/doctest.h>
#include <map>

namespace adamw_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

constexpr nn::ParameterTraits decays{true, false}, undecayed{false, true};

/// The optimizer of the golden file: two groups with different rates; "norm" and "A_log" are told apart by their traits alone.
struct GoldenModel {
    nlohmann::json expected = test::golden("adamw");
    std::map<std::string, at::Tensor> parameters;

    at::Tensor make(const std::string &name, at::ScalarType type)
    {
        return parameters[name] = test::tensorOf(expected["initial"][name], expected["shapes"][name], type).requires_grad_();
    }
    std::vector<ParameterGroup> groups(at::ScalarType type)
    {
        return {{"fast", 1e-2, 0.1, {{"w", make("w", type), decays}, {"bias", make("bias", type), decays}}},
                {"slow", 3e-3, 0.1, {{"norm", make("norm", type), undecayed}, {"A_log", make("A_log", type), undecayed}}}};
    }
    void setGradients(std::size_t step)
    {
        for (auto &[name, parameter] : parameters)
            parameter.mutable_grad() = test::tensorOf(expected["gradients"][step][name], expected["shapes"][name], parameter.scalar_type());
    }
};

/// Algorithm 2 of Loshchilov and Hutter (2019), one number at a time.
struct ScalarAdamW {
    double weight, first = 0.0, second = 0.0;
    int count = 0;
    void step(double gradient, double rate, double decay)
    {
        ++count;
        first = 0.9 * first + 0.1 * gradient;
        second = 0.95 * second + 0.05 * gradient * gradient;
        const double firstUnbiased = first / (1.0 - std::pow(0.9, count)), secondUnbiased = second / (1.0 - std::pow(0.95, count));
        weight -= rate * (firstUnbiased / (std::sqrt(secondUnbiased) + 1e-8) + decay * weight);
    }
};

AdamW oneParameter(const at::Tensor &tensor, nn::ParameterTraits traits = decays) { return AdamW({{"all", 1e-2, 0.1, {{"w", tensor, traits}}}}, {}); }

}  // namespace

TEST_CASE("ten steps equal torch.optim.AdamW")
{
    for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
        GoldenModel model;
        AdamW optimizer(model.groups(type), {});
        for (std::size_t step = 0; step < 10; ++step) {
            model.setGradients(step);
            optimizer.step(model.expected["factors"][step]);
            for (const auto &[name, parameter] : model.parameters) {
                CAPTURE(name);
                CHECK(test::largestDifference(parameter, test::tensorOf(model.expected["after"][step][name], model.expected["shapes"][name], at::kDouble)) <= 1e-6);
            }
        }
    }
}

TEST_CASE("ten steps equal a scalar float64 AdamW")
{
    at::Tensor weight = test::normal({37}, 1, at::kDouble).requires_grad_();
    std::vector<ScalarAdamW> scalars;
    for (std::int64_t i = 0; i < 37; ++i)
        scalars.push_back({weight[i].item<double>()});
    AdamW optimizer = oneParameter(weight);
    for (std::uint64_t step = 0; step < 10; ++step) {
        const at::Tensor gradient = test::normal({37}, 100 + step, at::kDouble);
        weight.mutable_grad() = gradient.clone();
        optimizer.step(0.5);
        for (std::size_t i = 0; i < scalars.size(); ++i) {
            scalars[i].step(gradient[static_cast<std::int64_t>(i)].item<double>(), 0.5e-2, 0.1);
            CHECK(weight[static_cast<std::int64_t>(i)].item<double>() == doctest::Approx(scalars[i].weight).epsilon(1e-13));
        }
    }
}

TEST_CASE("parameters without decay and parameters without a gradient")
{
    at::Tensor decayed = at::ones({3}).requires_grad_(), norm = at::ones({3}).requires_grad_(), idle = at::ones({3}).requires_grad_();
    AdamW optimizer({{"all", 0.1, 0.5, {{"decayed", decayed, decays}, {"norm", norm, undecayed}, {"idle", idle, decays}}}}, {});
    for (at::Tensor *tensor : {&decayed, &norm})
        tensor->mutable_grad() = at::zeros({3});
    optimizer.step(1.0);
    CHECK(at::equal(norm.detach(), at::ones({3})));
    CHECK(at::equal(idle.detach(), at::ones({3})));
    CHECK(decayed[0].item<double>() == doctest::Approx(0.95));
    // Its first update, later, is corrected as a first one: a step of the full rate.
    idle.mutable_grad() = at::full({3}, 1e-3);
    optimizer.step(1.0);
    CHECK(idle[0].item<double>() == doctest::Approx(0.95 - 0.1).epsilon(1e-4));
    CHECK(optimizer.gradients(0).size() == 3);
    optimizer.zeroGradients();
    CHECK(optimizer.gradients(0).empty());
}

TEST_CASE("a restored optimizer goes on bit for bit")
{
    const auto train = [](AdamW &optimizer, at::Tensor weight, std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t step = first; step < last; ++step) {
            weight.mutable_grad() = test::normal({1001}, step);
            optimizer.step(1.0);
        }
    };
    at::Tensor whole = test::normal({1001}, 7).requires_grad_(), halves = whole.detach().clone().requires_grad_();
    AdamW uninterrupted = oneParameter(whole);
    train(uninterrupted, whole, 0, 10);
    std::map<std::string, at::Tensor> saved;
    {
        AdamW before = oneParameter(halves);
        train(before, halves, 0, 4);
        for (const auto &[name, tensor] : before.state())
            saved[name] = tensor.clone();
    }
    at::Tensor taken = halves.detach().clone().requires_grad_();
    AdamW after = oneParameter(taken);
    after.restore([&](const std::string &name) { return saved[name]; });
    train(after, taken, 4, 10);
    CHECK(at::equal(taken, whole));
    saved.erase("exp_avg.w");
    CHECK_THROWS_AS(after.restore([&](const std::string &name) { return saved[name]; }), Error);
}

TEST_CASE("grouping and order of parameters change no bit")
{
    const auto train = [](bool together) {
        std::vector<at::Tensor> weights;
        for (std::uint64_t i = 0; i < 3; ++i)
            weights.push_back(test::normal({777}, i).requires_grad_());
        std::vector<AdamW> optimizers;
        if (together)
            optimizers.push_back(AdamW({{"all", 1e-2, 0.1, {{"2", weights[2], decays}, {"0", weights[0], decays}, {"1", weights[1], decays}}}}, {}));
        else
            for (const at::Tensor &weight : weights)
                optimizers.push_back(oneParameter(weight));
        for (std::uint64_t step = 0; step < 5; ++step) {
            for (std::uint64_t i = 0; i < 3; ++i)
                weights[i].mutable_grad() = test::normal({777}, 10 * step + i);
            for (AdamW &optimizer : optimizers)
                optimizer.step(1.0);
        }
        return at::stack(weights);
    };
    CHECK(at::equal(train(true), train(false)));
}

TEST_CASE("an optimizer refuses what it cannot train")
{
    const at::Tensor good = at::ones({2}).requires_grad_();
    CHECK_THROWS_AS(AdamW({{"a", 1e-3, 0.0, {{"w", good, decays}}}, {"b", 1e-3, 0.0, {{"w", good, decays}}}}, {}), Error);
    CHECK_THROWS_AS(oneParameter(at::ones({2})), Error);
    CHECK_THROWS_AS(oneParameter(at::ones({2}, at::kBFloat16).requires_grad_()), Error);
    CHECK_THROWS_AS(oneParameter((good * 2)), Error);
    CHECK_THROWS_AS(AdamW({{"a", -1.0, 0.0, {{"w", good, decays}}}}, {}), Error);
    CHECK_THROWS_AS(AdamW({}, {1.0, 0.95, 1e-8}), Error);
    CHECK(oneParameter(good).stateBytes() == 2 * 8 + 4);
}

}  // namespace adamw_tests
