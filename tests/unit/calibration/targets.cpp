// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/targets.h"
#include "calibration/writestrength.h"
#include "distillation/golden.h"
#include "distillation/tinystudents.h"
#include "mixers/registry.h"
#include "error.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace targets_tests {

using namespace stillroom;
using namespace stillroom::calibration;
namespace tiny = stillroom::distillation::test;

namespace {

std::map<std::string, at::Tensor> parametersByName(nn::TokenMixer &mixer)
{
    std::map<std::string, at::Tensor> parameters;
    mixer.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { parameters[name] = tensor; });
    return parameters;
}

std::shared_ptr<mixers::LinearMixer> linear(const nn::Transformer &teacher, const std::string &kind)
{
    return std::dynamic_pointer_cast<mixers::LinearMixer>(tiny::linearLayers(teacher, {1}, kind)[0].mixer);
}

/// g of every token when x is zero, so that only the constant part of the decay is left.
at::Tensor decayOfNothing(const mixers::LinearMixer &mixer, at::ScalarType type)
{
    const nn::TokenPlaces places = nn::placesFromMask(at::zeros({1, 3}, at::kLong));
    return mixer.trace(at::zeros({1, 3, 32}, type), places).logDecay_BTH.to(at::kDouble);
}

}  // namespace

TEST_CASE("half of a token is forgotten after the mean look-back")
{
    for (const double distance : {0.5, 1.0, 7.3, 63.76, 127.5})
        CHECK(std::exp(-decayTarget(distance) * distance) == doctest::Approx(0.5).epsilon(1e-12));
    CHECK(decayTarget(0.2) == decayTarget(0.5));
    CHECK(decayTarget(1e6) == 1e-3);
    CHECK(halfLifeTokens(decayTarget(1e6)) == doctest::Approx(693.147).epsilon(1e-5));
    CHECK(decayTarget(8.0, {.rule = DecayRule::MeanLag}) == doctest::Approx(1.0 / 8.0));
    CHECK(decayTarget(100.0, {.longestDistanceTokens = 20.0}) == doctest::Approx(std::numbers::ln2 / 20.0));
    CHECK_THROWS_AS((void)decayTarget(std::numeric_limits<double>::quiet_NaN()), Error);
    CHECK_THROWS_AS((void)decayTarget(1.0, {.leastRate = 0.0}), Error);
}

TEST_CASE("gdn: softplus of dt_bias is ln 2 over the look-back, and identity attention asks for 1.0986")
{
    const nn::Transformer teacher = tiny::tinyTeacher();
    const auto mixer = linear(teacher, "gdn");
    REQUIRE(mixer->has(mixers::Quantity::Decay));
    const std::vector<double> distances = {0.5, 3.0, 63.76, 500.0};
    std::vector<double> rates;
    for (const double distance : distances)
        rates.push_back(decayTarget(distance));
    mixer->setDecay(at::tensor(rates, at::kDouble));
    const auto parameters = parametersByName(*mixer);
    CHECK(at::equal(parameters.at("A_log"), at::zeros({4})));
    const at::Tensor bias = parameters.at("dt_bias");
    for (std::int64_t head = 0; head < 4; ++head)
        CHECK(at::softplus(bias)[head].item<double>() == doctest::Approx(std::numbers::ln2 / distances[static_cast<std::size_t>(head)]).epsilon(1e-6));
    CHECK(bias[0].item<double>() == doctest::Approx(1.0986).epsilon(1e-4));
    CHECK(at::allclose(decayOfNothing(*mixer, at::kFloat)[0][1], -at::tensor(rates, at::kDouble), 1e-6, 0.0));
}

TEST_CASE("every mixer with a decay forgets at the rate that it is given")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const at::Tensor rates = at::tensor({1e-3, 0.02, 0.7, 5.0}, at::kDouble);
    for (const std::string &kind : mixers::kinds()) {
        CAPTURE(kind);
        const auto mixer = linear(teacher, kind);
        if (!mixer->has(mixers::Quantity::Decay)) {
            CHECK_THROWS_AS(mixer->setDecay(rates), Error);
            continue;
        }
        mixer->setDecay(rates);
        CHECK(at::allclose(decayOfNothing(*mixer, at::kDouble)[0][0], -rates, 1e-9, 0.0));
    }
}

TEST_CASE("write targets span the range, both ends hit, and depend on order alone when entropies are shifted or stretched")
{
    const std::vector<double> entropies = {2.1, 1.2, 3.3, 2.0}, targets = writeTargets(entropies);
    CHECK(*std::min_element(targets.begin(), targets.end()) == doctest::Approx(0.3).epsilon(1e-12));
    CHECK(*std::max_element(targets.begin(), targets.end()) == doctest::Approx(0.7).epsilon(1e-12));
    CHECK(targets[1] > targets[3]);   // the most peaked head writes most
    std::vector<double> moved;
    for (const double entropy : entropies)
        moved.push_back(5.0 + 3.0 * entropy);
    for (std::size_t head = 0; head < 4; ++head)
        CHECK(writeTargets(moved)[head] == doctest::Approx(targets[head]).epsilon(1e-9));
    CHECK(writeTargets({1.0}) == std::vector<double>{0.7});
    CHECK_THROWS_AS((void)writeTargets(entropies, {.least = 0.8, .most = 0.7}), Error);
}

TEST_CASE("targets of query heads are averaged where they share a state and repeated where they split")
{
    CHECK(byState({1.0, 3.0, 5.0, 7.0}, 2) == std::vector<double>{2.0, 6.0});
    CHECK(byState({1.0, 3.0}, 4) == std::vector<double>{1.0, 1.0, 3.0, 3.0});
    CHECK(byState({1.0, 3.0}, 2) == std::vector<double>{1.0, 3.0});
    CHECK_THROWS_AS((void)byState({1.0, 2.0, 3.0}, 2), Error);
}

TEST_CASE("weight: the rows' mean magnitude is |logit| over the root of the width, and signs flip below one half")
{
    const at::Tensor before = tiny::normal({4, 64}, 3), x = tiny::normal({100, 64}, 4);
    mixers::WriteProjection projection{before.clone(), {}, 1.0};
    const std::vector<double> targets = {0.3, 0.45, 0.6, 0.7};
    setWriteStrength(projection, targets, WriteInit::Weight, x);
    for (std::int64_t row = 0; row < 4; ++row) {
        const double target = targets[static_cast<std::size_t>(row)], logit = std::log(target / (1.0 - target));
        CHECK(projection.weight_HD[row].abs().mean().item<double>() == doctest::Approx(std::abs(logit) / 8.0).epsilon(1e-6));
        const at::Tensor signs = (projection.weight_HD[row] * before[row]).sign();
        CHECK(signs.min().item<double>() == (target < 0.5 ? -1.0 : 1.0));
        CHECK(signs.max().item<double>() == (target < 0.5 ? -1.0 : 1.0));
    }
}

TEST_CASE("data: beta's mean over the tokens is its target, where weight misses it")
{
    const at::Tensor x = tiny::normal({400, 64}, 5) + tiny::normal({64}, 6) * 0.5;   // with a mean, as normed layer inputs have
    const std::vector<double> targets = {0.3, 0.45, 0.6, 0.7};
    const at::Tensor other = tiny::normal({400, 64}, 10) + tiny::normal({64}, 6) * 0.5;   // other tokens of the same kind
    const auto meanBeta = [&](WriteInit init, double range, const at::Tensor &tokens_ND) {
        mixers::WriteProjection projection{tiny::normal({4, 64}, 7) * 0.1, {}, range};
        setWriteStrength(projection, targets, init, x);
        return (at::sigmoid(at::matmul(tokens_ND, projection.weight_HD.t())) * range).mean(0).to(at::kDouble);
    };
    for (const double range : {1.0, 2.0}) {
        CHECK(at::allclose(meanBeta(WriteInit::Data, range, x), at::tensor(targets, at::kDouble), 0.0, 1e-5));
        CHECK((meanBeta(WriteInit::Data, range, other) - at::tensor(targets, at::kDouble)).abs().max().item<double>() <= 0.05);
    }
    CHECK((meanBeta(WriteInit::Weight, 1.0, x) - at::tensor(targets, at::kDouble)).abs().max().item<double>() > 0.05);
}

TEST_CASE("data without any common direction matches the mean logit rather than saturate")
{
    at::Tensor x = tiny::normal({50, 16}, 8);
    x = at::cat({x, -x});   // mean zero, and every direction is as often negative as positive
    mixers::WriteProjection projection{tiny::normal({2, 16}, 9) * 0.1, {}, 1.0};
    setWriteStrength(projection, {0.3, 0.7}, WriteInit::Data, x);
    CHECK(projection.weight_HD.isfinite().all().item<bool>());
    CHECK(at::matmul(x, projection.weight_HD.t()).abs().max().item<double>() < 10.0);
}

TEST_CASE("bias: exact on a zero input, and refused where there is none")
{
    mixers::WriteProjection projection{at::zeros({2, 8}), at::zeros({2}), 1.0};
    setWriteStrength(projection, {0.3, 0.65}, WriteInit::Bias, {});
    CHECK(at::allclose(at::sigmoid(projection.bias_H), at::tensor({0.3f, 0.65f})));
    CHECK_THROWS_AS(setWriteStrength({at::zeros({1, 8}), {}, 1.0}, {0.4}, WriteInit::Bias, {}), Error);
    CHECK_THROWS_AS(setWriteStrength(projection, {0.4, 1.0}, WriteInit::Bias, {}), Error);
    for (const WriteInit init : {WriteInit::Weight, WriteInit::Data, WriteInit::Bias, WriteInit::Keep})
        CHECK((parseWriteInit(writeInitName(init)) == init));
    CHECK_THROWS_AS((void)parseWriteInit("biass"), Error);
}

}  // namespace targets_tests
