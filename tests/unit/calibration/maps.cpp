// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/equivalentmaps.h"
#include "calibration/taylorerror.h"
#include "distillation/golden.h"
#include "distillation/tinystudents.h"
#include "error.h"
#include "nn/softmaxmixer.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <cmath>

namespace maps_tests {

using namespace stillroom;
using namespace stillroom::calibration;
namespace tiny = stillroom::distillation::test;

namespace {

struct SlowTaylor {
    double exact = 0.0, error[2] = {0.0, 0.0}, second = 0.0, third = 0.0, pairs = 0.0;
};

/// The expansion's sums as they are defined, S₀, S₁, … as explicit states, for one head.
SlowTaylor slowTaylor(const at::Tensor &q_TK, const at::Tensor &k_TK, const at::Tensor &v_TV)
{
    SlowTaylor sums;
    const std::int64_t dim = q_TK.size(1);
    const auto wide = at::TensorOptions(at::kDouble);
    at::Tensor s0 = at::zeros({dim}, wide), s1 = at::zeros({dim, dim}, wide), s2 = at::zeros({dim, dim, dim}, wide), z1 = at::zeros({dim}, wide), z2 = at::zeros({dim, dim}, wide);
    for (std::int64_t t = 0; t < q_TK.size(0); ++t) {
        const at::Tensor q = q_TK[t] / std::sqrt(static_cast<double>(dim)), k = k_TK[t], v = v_TV[t];
        s0 = s0 + v;
        s1 = s1 + at::outer(v, k);
        s2 = s2 + v.view({dim, 1, 1}) * k.view({1, dim, 1}) * k.view({1, 1, dim});
        z1 = z1 + k;
        z2 = z2 + at::outer(k, k);
        const double z0 = static_cast<double>(t + 1);
        const at::Tensor scores = at::matmul(k_TK.narrow(0, 0, t + 1), q), y = at::matmul(at::softmax(scores, 0), v_TV.narrow(0, 0, t + 1));
        const at::Tensor top1 = s0 + at::matmul(s1, q), bottom1 = z0 + at::dot(z1, q);
        const at::Tensor top2 = top1 + at::matmul(at::matmul(s2, q), q) / 2.0, bottom2 = bottom1 + at::dot(q, at::matmul(z2, q)) / 2.0;
        sums.exact += y.square().sum().item<double>();
        sums.error[0] += (top1 / bottom1.clamp_min(1e-6 * z0) - y).square().sum().item<double>();
        sums.error[1] += (top2 / bottom2.clamp_min(1e-6 * z0) - y).square().sum().item<double>();
        const at::Tensor centred = scores - scores.mean();
        sums.second += centred.square().sum().item<double>();
        sums.third += centred.pow(3).sum().item<double>();
        sums.pairs += z0;
    }
    return sums;
}

/// A softmax layer whose scores are small where `scale` is.
nn::SoftmaxMixer scaledLayer(const nn::Transformer &teacher, double scale)
{
    const auto &mixer = dynamic_cast<const nn::SoftmaxMixer &>(*teacher.blocks[1].mixer);
    nn::SoftmaxWeights weights = mixer.weights();
    weights.wq_HKD = weights.wq_HKD * scale;
    return nn::SoftmaxMixer(mixer.options(), weights, mixer.rope());
}

}  // namespace

TEST_CASE("Taylor errors are those of the expansion's explicit states")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const nn::SoftmaxMixer mixer = scaledLayer(teacher, 0.5);
    const at::Tensor x = tiny::normal({1, 14, 32}, 1, at::kDouble);
    const nn::TokenPlaces places = nn::placesFromMask(at::zeros({1, 14}, at::kLong));
    LayerTaylorSums sums;
    sums.add(mixer, x, places);
    const nn::SoftmaxMixer::Qkv qkv = mixer.project(x, places);
    const std::vector<HeadTaylor> heads = sums.result();
    REQUIRE(heads.size() == 4);
    for (std::int64_t h = 0; h < 4; ++h) {
        const SlowTaylor slow = slowTaylor(qkv.q_BHTK[0][h], qkv.k_BGTK[0][h / 2], qkv.v_BGTK[0][h / 2]);
        const HeadTaylor &head = heads[static_cast<std::size_t>(h)];
        for (const int order : {0, 1})
            CHECK(head.errorOfOrder[order] == doctest::Approx(slow.error[order] / slow.exact).epsilon(1e-9));
        CHECK(head.gamma == doctest::Approx(std::sqrt(std::max(1.0 + slow.third / (2.0 * slow.second), 0.0))).epsilon(1e-9));
        CHECK(head.scoreRms == doctest::Approx(std::sqrt(slow.second / slow.pairs)).epsilon(1e-9));
    }
}

TEST_CASE("the smaller the scores, the better the expansion, and order 2 beats order 1")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const at::Tensor x = tiny::normal({1, 40, 32}, 2, at::kDouble);
    const nn::TokenPlaces places = nn::placesFromMask(at::zeros({1, 40}, at::kLong));
    const auto headsOf = [&](double scale, bool centred) {
        LayerTaylorSums sums({.centred = centred});
        sums.add(scaledLayer(teacher, scale), x, places);
        return sums.result();
    };
    for (const bool centred : {false, true}) {
        const auto small = headsOf(0.01, centred), smaller = headsOf(0.001, centred);
        for (std::size_t h = 0; h < 4; ++h) {
            CHECK(small[h].errorOfOrder[1] < small[h].errorOfOrder[0]);
            // Errors of order n fall with the score's power n + 1, squared: by 10⁴ and 10⁶ for a tenth.
            CHECK(small[h].errorOfOrder[0] / smaller[h].errorOfOrder[0] == doctest::Approx(1e4).epsilon(0.2));
            CHECK(small[h].errorOfOrder[1] / smaller[h].errorOfOrder[1] == doctest::Approx(1e6).epsilon(0.2));
            CHECK(small[h].cosineOfOrder[0] == doctest::Approx(1.0).epsilon(1e-6));
            CHECK(small[h].clampedShare == 0.0);
            CHECK(small[h].scoreRms == doctest::Approx(10.0 * smaller[h].scoreRms).epsilon(1e-9));
        }
    }
}

TEST_CASE("the equivalent map is the mixer's own, beside the teacher's probabilities of the same head")
{
    const nn::Transformer teacher = tiny::tinyTeacher();
    const auto layer = tiny::linearLayers(teacher, {2})[0];
    const at::Tensor ids = tiny::raggedBatch(1, 12).ids_BT;
    nn::ForwardOptions keep;
    keep.keepMixerInputs = true;
    const at::Tensor x = teacher.forward(ids, {}, at::kFloat, keep).mixerInputs_BTD[2];
    const nn::TokenPlaces places = nn::placesFromMask(ids);
    for (const int head : {0, 3}) {
        const EquivalentMaps maps = equivalentMaps(teacher, layer, head, ids);
        CHECK(at::allclose(maps.teacher_TT, teacher.blocks[2].mixer->matrix(x, places)[0][head], 1e-5, 1e-7));
        CHECK(at::allclose(maps.student_TT, layer.mixer->matrix(x, places)[0][head], 1e-5, 1e-7));
        CHECK(at::allclose(maps.teacher_TT.sum(1), at::ones({12})));
        CHECK(at::equal(maps.student_TT.triu(1), at::zeros({12, 12})));
        CHECK(std::abs(maps.cosine) <= 1.0);
    }
    CHECK(equivalentMaps(teacher, {2, teacher.blocks[2].mixer}, 1, ids).cosine == doctest::Approx(1.0));
    CHECK_THROWS_AS((void)equivalentMaps(teacher, layer, 4, ids), Error);
    CHECK_THROWS_AS((void)equivalentMaps(teacher, {9, layer.mixer}, 0, ids), Error);
    CHECK_THROWS_AS((void)equivalentMaps(teacher, layer, 0, at::zeros({1, longestMap + 1}, at::kLong)), Error);
}

}  // namespace maps_tests
