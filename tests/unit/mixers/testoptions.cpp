// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "mixers/compare.h"
#include "mixers/registry.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace stillroom::mixers::test::options_tests {

namespace {

using nlohmann::json;

json complete(const std::string &kind, const std::string &options, const checkpoint::ModelConfig &teacher = tinyConfig())
{
    return json::parse(completeOptions(kind, options, teacher));
}

}  // namespace

TEST_CASE("the defaults are the published students' with the teacher's heads")
{
    CHECK(kinds() == std::vector<std::string>{"gdn", "gla"});
    const auto shared = json::parse(R"({"output_gate": true, "gate_bias": false, "short_conv": false, "conv_size": 4, "conv_init": "identity", "norm_eps": 1e-6, "expand": "head",
                                        "init": "teacher", "carry_bias": false, "rope": "none", "qk_norm": "none", "num_heads": 4, "num_kv_heads": 4})");
    auto gdn = shared, gla = shared;
    gdn.update(json::parse(R"({"num_v_heads": 4, "head_dim": 8, "expand_v": 1.0, "allow_neg_eigval": false})"));
    gla.update(json::parse(R"({"expand_k": 1.0, "expand_v": 1.0, "gate_logit_normalizer": 16.0, "gate_low_rank_dim": 16, "clamp_min": null, "feature_map": null})"));
    CHECK(complete("gdn", "{}") == gdn);
    CHECK(complete("gla", "") == gla);
    auto wide = tinyConfig();   // heads wider than D/H
    wide.headDim = 12;
    wide.rmsNormEps = 1e-5;
    CHECK(complete("gdn", "{}", wide).at("head_dim") == 12);
    CHECK(complete("gdn", "{}", wide).at("norm_eps") == 1e-5);
    CHECK(complete("gla", "{}", wide).at("expand_k") == 1.5);
    CHECK(fromTeacher("gla", "{}", tinyModel(wide), 0, 1)->carries(nn::TeacherFeature::WideHeads));
}

TEST_CASE("a write bias that is off is not described: what was made before there was one keeps its key")
{
    CHECK(completeOptions("gdn", R"({"write_bias": false})", tinyConfig()) == completeOptions("gdn", "{}", tinyConfig()));
    CHECK(complete("gdn", R"({"write_bias": true})").at("write_bias") == true);
}

TEST_CASE("completed options complete to themselves, and a mixer tells its own")
{
    for (const auto &[kind, options] : {std::pair{"gdn", R"({"short_conv": true, "num_kv_heads": 2})"}, {"gdn", R"({"write_bias": true})"}, {"gla", R"({"clamp_min": -1, "feature_map": "elu", "norm_eps": 1e-05})"}}) {
        const std::string once = completeOptions(kind, options, tinyConfig());
        CHECK(completeOptions(kind, once, tinyConfig()) == once);
        CHECK(fromTeacher(kind, options, tinyModel(tinyConfig()), 0, 1)->optionsJson() == once);
    }
}

TEST_CASE("what the teacher does not have settles to nothing to carry")
{
    CHECK(complete("gdn", R"({"carry_bias": true, "qk_norm": "teacher"})").at("carry_bias") == false);
    CHECK(complete("gdn", R"({"carry_bias": true, "qk_norm": "teacher"})").at("qk_norm") == "none");
    const auto config = tinyTeacherWith(true, true);
    CHECK(complete("gdn", R"({"carry_bias": true, "qk_norm": "teacher"})", config).at("carry_bias") == true);
    CHECK(complete("gdn", R"({"carry_bias": true, "qk_norm": "teacher"})", config).at("qk_norm") == "teacher");
}

TEST_CASE("wrong options are refused by name")
{
    const auto refused = [](const char *kind, const char *options, const char *message) {
        CAPTURE(std::string(options));
        try {
            (void)completeOptions(kind, options, tinyConfig());
            FAIL("accepted");
        } catch (const Error &error) {
            CHECK(error.code() == ErrorCode::Usage);
            CHECK(std::string(error.what()).find(message) != std::string::npos);
        }
    };
    refused("gnd", "{}", "did you mean \"gdn\"");
    refused("gdn", R"({"output_gat": true})", "did you mean \"output_gate\"");
    refused("gdn", R"({"gate_logit_normalizer": 16})", "has no option \"gate_logit_normalizer\"");
    refused("gla", R"({"allow_neg_eigval": true})", "has no option \"allow_neg_eigval\"");
    refused("gdn", "[1]", "must be a JSON object");
    refused("gdn", "{", "must be a JSON object");
    refused("gdn", R"({"output_gate": 1})", "\"output_gate\" of the mixer \"gdn\" is 1, but it must be true or false");
    refused("gdn", R"({"conv_size": 4.5})", "whole number from 1 to 64");
    refused("gdn", R"({"conv_size": 0})", "whole number from 1 to 64");
    refused("gdn", R"({"num_heads": 18446744073709551615})", "whole number");
    refused("gdn", R"({"norm_eps": "small"})", "a number from 0.0 to 1.0");
    refused("gdn", R"({"expand": "rows"})", "must be one of \"head\", \"row\"");
    refused("gla", R"({"clamp_min": 1})", "must be null or a number");
    refused("gla", R"({"feature_map": "tanh"})", "must be null or one of");
    refused("gdn", R"({"num_kv_heads": 3})", "must divide num_heads, which is 4");
    refused("gdn", R"({"num_v_heads": 6})", "must be a multiple of num_heads");
    refused("gdn", R"({"num_kv_heads": 2, "num_v_heads": 4})", "must be num_kv_heads");
    refused("gdn", R"({"expand_v": 1.1})", "a whole number; head_dim is 8");
    refused("gla", R"({"expand_k": 0.51})", "a multiple of num_heads");
    refused("gla", R"({"num_kv_heads": 3})", "must divide num_heads");
    refused("gdn", R"({"gate_bias": true, "output_gate": false})", "needs \"output_gate\": true");
    refused("gdn", R"({"expand_v": 2})", "must be \"random\" with these head counts and widths: the teacher has 4 query and 2 key/value heads of width 8");
    refused("gdn", R"({"num_kv_heads": 1})", "must be \"random\"");
    refused("gdn", R"({"init": "random", "head_dim": 16, "rope": "teacher"})", "as wide as the teacher's (8)");
    CHECK_NOTHROW((void)completeOptions("gdn", R"({"expand_v": 2, "init": "random"})", tinyConfig()));
}

TEST_CASE("a mixer says truly what it carries")
{
    using Feature = nn::TeacherFeature;
    const auto teacher = tinyModel(tinyTeacherWith(true, true));
    const auto plain = fromTeacher("gdn", "{}", teacher, 0, 1);
    for (const auto lost : {Feature::QkvBias, Feature::OutputBias, Feature::QkNorm, Feature::Rope, Feature::RopeScaling, Feature::SlidingWindow})
        CHECK_FALSE(plain->carries(lost));
    CHECK(plain->carries(Feature::GroupedQuery));
    const auto full = fromTeacher("gla", R"({"carry_bias": true, "qk_norm": "teacher", "rope": "teacher"})", teacher, 0, 1);
    for (const auto kept : {Feature::QkvBias, Feature::OutputBias, Feature::QkNorm, Feature::Rope, Feature::RopeScaling, Feature::GroupedQuery, Feature::WideHeads})
        CHECK(full->carries(kept));
    CHECK_FALSE(fromTeacher("gdn", R"({"expand": "row"})", teacher, 0, 1)->carries(Feature::GroupedQuery));
    CHECK_FALSE(fromTeacher("gdn", R"({"init": "random", "carry_bias": true})", teacher, 0, 1)->carries(Feature::QkvBias));
}

TEST_CASE("decays, their biases and norms stay in fp32 and know no weight decay; projections do")
{
    for (const char *kind : {"gdn", "gla"}) {
        const auto mixer = fromTeacher(kind, R"({"short_conv": true, "qk_norm": "teacher"})", tinyModel(tinyTeacherWith(false, true)), 0, 1);
        int special = 0;
        mixer->visitParameters([&](const std::string &name, at::Tensor &, nn::ParameterTraits traits) {
            CAPTURE(name);
            const bool isSpecial = name == "A_log" || name == "dt_bias" || name == "gk_proj.1.bias" || name.find("norm") != std::string::npos;
            special += isSpecial;
            CHECK(traits.weightDecay == !isSpecial);
            CHECK(traits.keepFp32 == isSpecial);
        });
        CHECK(special == (std::string(kind) == "gdn" ? 5 : 4));
    }
}

TEST_CASE("the operations of a token, counted by hand")
{
    const auto teacher = tinyModel(tinyConfig());
    // D 32, 4 heads of 8: q, k, v, o, g are 32×32, a and b 4×32; chunk of 64: 64·(3·8+2·8) + 3·8·8 multiply-adds a head.
    CHECK(fromTeacher("gdn", "{}", teacher, 0, 1)->flopsPerToken(1000) == 2.0 * (5 * 1024 + 2 * 128 + 4 * (64 * 40 + 192)));
    // Decay 16×32 and 32×16; 64·(8+8) + 2·8·8 a head; a short context fills no chunk.
    CHECK(fromTeacher("gla", "{}", teacher, 0, 1)->flopsPerToken(1000) == 2.0 * (5 * 1024 + 2 * 512 + 4 * (64 * 16 + 128)));
    CHECK(fromTeacher("gla", "{}", teacher, 0, 1)->flopsPerToken(8) == 2.0 * (5 * 1024 + 2 * 512 + 4 * (8 * 16 + 128)));
}

}  // namespace stillroom::mixers::test::options_tests
