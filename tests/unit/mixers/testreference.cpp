// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/reference.h"
#include "mixers/registry.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <algorithm>

namespace stillroom::mixers::test::reference_tests {

namespace {

struct Case {
    const char *kind;
    const char *options;
    bool biasesAndNorms = false;   ///< of the teacher
    std::int64_t tokens = 70;
};

const Case cases[] = {
    {"gdn", "{}"},
    {"gdn", R"({"output_gate": false})"},
    {"gdn", R"({"short_conv": true})"},
    {"gdn", R"({"short_conv": true, "conv_size": 1})"},
    {"gdn", R"({"allow_neg_eigval": true, "gate_bias": true, "norm_eps": 1e-3})"},
    {"gdn", R"({"write_bias": true})"},
    {"gdn", R"({"num_v_heads": 8, "write_bias": true, "allow_neg_eigval": true})"},
    {"gdn", R"({"num_v_heads": 8})"},
    {"gdn", R"({"num_kv_heads": 2})"},
    {"gdn", R"({"init": "random", "num_heads": 3, "num_v_heads": 6, "head_dim": 4, "expand_v": 1.5, "short_conv": true, "conv_size": 3})"},
    {"gdn", R"({"carry_bias": true, "qk_norm": "teacher", "rope": "teacher", "short_conv": true})", true},
    {"gdn", R"({"expand": "row", "rope": "teacher"})"},
    {"gdn", R"({"short_conv": true})", false, 1},
    {"gla", "{}"},
    {"gla", R"({"output_gate": false})"},
    {"gla", R"({"short_conv": true, "clamp_min": -0.05})"},
    {"gla", R"({"num_kv_heads": 2, "feature_map": "relu", "gate_logit_normalizer": 4, "gate_low_rank_dim": 3})"},
    {"gla", R"({"init": "random", "expand_k": 0.5, "expand_v": 2, "gate_bias": true})"},
    {"gla", R"({"carry_bias": true, "qk_norm": "teacher", "rope": "teacher"})", true},
    {"gla", "{}", false, 1},
};

/// One row with two documents and padding at the left, between and inside; one without padding; one with padding at the right.
at::Tensor someDocuments(std::int64_t tokens)
{
    auto documents = at::zeros({3, tokens}, at::kLong);
    if (tokens < 20)
        return documents;
    documents[0].slice(0, 0, 5).fill_(-1);
    documents[0].slice(0, 11, 13).fill_(-1);
    documents[0].slice(0, 30, tokens).fill_(4);
    documents[0].slice(0, 29, 30).fill_(-1);
    documents[1].slice(0, 9, 12).fill_(2);
    documents[1].slice(0, 12, tokens).fill_(1);
    documents[2].slice(0, tokens - 6, tokens).fill_(-1);
    return documents;
}

constexpr std::int64_t width = 32;

std::shared_ptr<nn::TokenMixer> mixerOf(const Case &c)
{
    return fromTeacher(c.kind, c.options, tinyModel(tinyTeacherWith(c.biasesAndNorms, c.biasesAndNorms)), 1, 7);
}

struct Comparison {
    Pass mixer, loop;         ///< in the asked type
    Pass expected;            ///< the loop in float64
    NamedTensors all(const Pass &pass) const
    {
        NamedTensors named = pass.gradients;
        named["y"] = pass.y_BTD;
        named["dx"] = pass.dx_BTD;
        return named;
    }
};

Comparison compareWithReference(const Case &c, const nn::TokenPlaces &places, at::ScalarType type)
{
    const auto mixer = mixerOf(c);
    perturb(*mixer, 3);
    const bool packed = places.documents_BT.defined();
    const std::int64_t rows = packed ? places.documents_BT.size(0) : 1;
    const auto x = randomNormal({rows, c.tokens, width}, 11, type);
    auto dy = randomNormal({rows, c.tokens, width}, 12, type);
    const auto padding = packed ? places.documents_BT.lt(0).unsqueeze(2) : at::zeros({1, c.tokens, 1}, at::kBool);
    dy = dy.masked_fill(padding, 0);   // rows of padding are arbitrary
    Comparison comparison;
    comparison.expected = referencePass(c.kind, parametersOf(*mixer), mixer->optionsJson(), x, dy, places);
    comparison.loop = referencePass(c.kind, parametersOf(*mixer), mixer->optionsJson(), x, dy, places, type);
    trainIn(*mixer, type);
    comparison.mixer = forwardBackward(*mixer, x, dy, places);
    CHECK(comparison.mixer.y_BTD.isfinite().all().item<bool>());
    comparison.mixer.y_BTD = comparison.mixer.y_BTD.masked_fill(padding, 0);
    REQUIRE(comparison.mixer.gradients.size() == comparison.expected.gradients.size());
    return comparison;
}

void checkFloat64(const Case &c, const nn::TokenPlaces &places)
{
    const auto comparison = compareWithReference(c, places, at::kDouble);
    const auto got = comparison.all(comparison.mixer);
    for (const auto &[name, expected] : comparison.all(comparison.expected)) {
        CAPTURE(name);
        CHECK(expected.abs().max().item<double>() > 0);
        CHECK(relativeError(got.at(name), expected) <= 1e-10);
    }
}

/// float32 alone costs some gradients more than 1e-5 (a short key is divided by its norm): the token loop in float32 is the measure.
/// The decay's gradient is a difference of sums in the chunked form, which costs it another digit.
void checkFloat32(const Case &c, const nn::TokenPlaces &places)
{
    const auto comparison = compareWithReference(c, places, at::kFloat);
    const auto got = comparison.all(comparison.mixer), loop = comparison.all(comparison.loop);
    for (const auto &[name, expected] : comparison.all(comparison.expected)) {
        CAPTURE(name);
        const bool ofDecay = name == "A_log" || name == "dt_bias" || name == "a_proj.weight" || name.starts_with("gk_proj");
        const double tolerance = ofDecay ? 5e-5 : std::max(1e-5, 2 * relativeError(loop.at(name), expected));
        CHECK(relativeError(got.at(name), expected) <= tolerance);
        CHECK(tolerance <= 5e-5);
    }
}

}  // namespace

TEST_CASE("every mixer equals its definition, token by token, in float64: outputs and every gradient")
{
    for (const Case &c : cases) {
        if (c.tokens == 1)
            continue;
        CAPTURE(std::string(c.kind));
        CAPTURE(std::string(c.options));
        checkFloat64(c, {});
    }
}

TEST_CASE("the same with packed documents and padding, in float64")
{
    for (const Case &c : cases) {
        if (c.tokens == 1)
            continue;
        CAPTURE(std::string(c.kind));
        CAPTURE(std::string(c.options));
        checkFloat64(c, {.documents_BT = someDocuments(c.tokens)});
    }
}

TEST_CASE("the same in float32, to what rounding alone does")
{
    for (const Case &c : cases) {
        if (c.tokens == 1)
            continue;
        CAPTURE(std::string(c.kind));
        CAPTURE(std::string(c.options));
        checkFloat32(c, {});
    }
}

TEST_CASE("a sequence of one token")
{
    for (const Case &c : cases) {
        if (c.tokens != 1)
            continue;
        CAPTURE(std::string(c.kind));
        const auto mixer = mixerOf(c);
        perturb(*mixer, 3);
        const auto x = randomNormal({3, 1, width}, 11), dy = randomNormal({3, 1, width}, 12);
        const auto expected = referencePass(c.kind, parametersOf(*mixer), mixer->optionsJson(), x, dy, {});
        trainIn(*mixer, at::kDouble);
        const auto pass = forwardBackward(*mixer, x, dy, {});
        CHECK(relativeError(pass.y_BTD, expected.y_BTD) <= 1e-10);
        CHECK(relativeError(pass.dx_BTD, expected.dx_BTD) <= 1e-10);
        for (const auto &[name, gradient] : expected.gradients)
            CHECK((pass.gradients.at(name) - gradient).abs().max().item<double>() <= 1e-10);
    }
}

TEST_CASE("bfloat16 computes what float32 does, to its own precision, with gradients in float32")
{
    for (const Case &c : cases) {
        if (c.tokens == 1)
            continue;
        CAPTURE(std::string(c.kind));
        CAPTURE(std::string(c.options));
        const auto mixer = mixerOf(c);
        trainIn(*mixer, at::kFloat);
        const auto x = randomNormal({2, c.tokens, width}, 11, at::kBFloat16), dy = randomNormal({2, c.tokens, width}, 12, at::kBFloat16);
        const auto half = forwardBackward(*mixer, x, dy, {});
        trainIn(*mixer, at::kFloat);
        const auto full = forwardBackward(*mixer, x.to(at::kFloat), dy.to(at::kFloat), {});
        CHECK((half.y_BTD.scalar_type() == at::kBFloat16));
        const auto rms = [](const at::Tensor &t) { return t.to(at::kDouble).square().mean().sqrt().item<double>(); };
        CHECK(rms(half.y_BTD.to(at::kFloat) - full.y_BTD) <= 0.02 * rms(full.y_BTD));
        for (const auto &[name, gradient] : full.gradients) {
            CAPTURE(name);
            CHECK((half.gradients.at(name).scalar_type() == at::kFloat));
            CHECK(rms(half.gradients.at(name) - gradient) <= 0.25 * rms(gradient));
        }
    }
}

TEST_CASE("a zero vector as query or key has finite gradients")
{
    for (const char *kind : {"gdn", "gla"}) {
        const auto mixer = fromTeacher(kind, "{}", tinyModel(tinyConfig()), 0, 7);
        trainIn(*mixer, at::kFloat);
        auto x = randomNormal({1, 66, width}, 5, at::kFloat);
        x.slice(1, 3, 20).zero_();
        const auto pass = forwardBackward(*mixer, x, at::ones_like(x), {});
        CHECK(pass.dx_BTD.isfinite().all().item<bool>());
        for (const auto &[name, gradient] : pass.gradients)
            CHECK(gradient.isfinite().all().item<bool>());
    }
}

}  // namespace stillroom::mixers::test::reference_tests
