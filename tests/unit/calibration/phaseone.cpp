// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/arms.h"
#include "calibration/attentionstatistics.h"
#include "calibration/phaseone.h"
#include "distillation/golden.h"
#include "distillation/tinystudents.h"
#include "error.h"
#include "mixers/registry.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numbers>

namespace phaseone_tests {

using namespace stillroom;
using namespace stillroom::calibration;
namespace tiny = stillroom::distillation::test;

namespace {

std::map<std::string, at::Tensor> parametersByName(nn::TokenMixer &mixer)
{
    std::map<std::string, at::Tensor> parameters;
    mixer.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { parameters[name] = tensor.detach().clone(); });
    return parameters;
}

distillation::Batch sequencesOf(std::int64_t count, std::int64_t length, std::uint64_t seed = 1)
{
    return {tiny::raggedBatch(count, length, seed).ids_BT, {}, {}};
}

/// Students in double, so that nothing but the formulas decides.
std::vector<distillation::AlignedLayer> students(const nn::Transformer &teacher, const std::vector<int> &layers, const std::string &kind, const std::string &options = "{}")
{
    std::vector<distillation::AlignedLayer> made;
    for (const int layer : layers) {
        made.push_back({layer, mixers::fromTeacher(kind, options, teacher, layer, 17)});
        made.back().mixer->visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.to(teacher.embedding_VD.scalar_type()); });
    }
    return made;
}

double perplexity(const nn::Transformer &model, const at::Tensor &ids_BT)
{
    const at::NoGradGuard noGrad;
    const at::Tensor logits = model.logits(model.forward(ids_BT, {}, at::kDouble).hidden_BTD);
    const std::int64_t last = ids_BT.size(1) - 1;
    return std::exp(at::cross_entropy_loss(logits.narrow(1, 0, last).flatten(0, 1), ids_BT.narrow(1, 1, last).flatten()).item<double>());
}

double rms(const at::Tensor &x)
{
    return x.square().mean().sqrt().item<double>();
}

}  // namespace

TEST_CASE("gdn gets from Phase 1 what the formulas say, and the report says what it got")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const auto naive = students(teacher, {1, 3}, "gdn");
    const distillation::Batch sequences = sequencesOf(4, 24);
    PhaseOneOptions options;
    const PhaseOneResult result = calibratePhaseOne(teacher, naive, sequences, options, at::kDouble);
    REQUIRE(result.layers.size() == 2);
    CHECK(result.numTokens == 96);
    CHECK(result.numSequences == 4);
    AttentionStatistics statistics(teacher, {.droppedKeys = options.droppedKeys});
    statistics.add(sequences.ids_BT, {}, at::kDouble);
    for (std::size_t i = 0; i < 2; ++i) {
        const LayerCalibration &report = result.reports[i];
        const LayerAttention attention = statistics.result()[static_cast<std::size_t>(report.layer)];
        const auto before = parametersByName(*naive[i].mixer), after = parametersByName(*result.layers[i].mixer);
        std::vector<double> entropies;
        for (const HeadAttention &head : attention.heads)
            entropies.push_back(head.entropyNats.value);
        const std::vector<double> targets = writeTargets(entropies);
        for (std::size_t h = 0; h < 4; ++h) {
            const auto row = static_cast<std::int64_t>(h);
            const HeadCalibration &head = report.heads[h];
            CHECK(report.attention.heads[h].meanDistanceTokens.value == attention.heads[h].meanDistanceTokens.value);
            CHECK(at::softplus(after.at("dt_bias"))[row].item<double>() == doctest::Approx(std::numbers::ln2 / std::max(head.distanceTokens, 0.5)).epsilon(1e-9));
            CHECK(head.halfLifeTarget == doctest::Approx(std::max(head.distanceTokens, 0.5)).epsilon(1e-12));
            CHECK(head.betaTarget == targets[h]);
            CHECK(report.after.heads[h].beta.mean == doctest::Approx(targets[h]).epsilon(1e-6));
            CHECK(report.after.heads[h].beta.p10 <= report.after.heads[h].beta.p50);
            CHECK(report.after.heads[h].halfLife.p50 <= report.after.heads[h].halfLife.p90);
            const at::Tensor v = after.at("v_proj.weight").narrow(0, row * 8, 8), was = before.at("v_proj.weight").narrow(0, row * 8, 8);
            CHECK(tiny::relativeDifference(v, was * head.scale) <= 1e-12);
            CHECK(head.scale == std::clamp(head.scaleRaw, 0.1, 10.0));
        }
        CHECK(tiny::relativeDifference(after.at("g_proj.weight"), after.at("v_proj.weight") * report.gateFactor) <= 1e-12);
        CHECK(report.gateFactor == doctest::Approx(0.01 * attention.contextRootMeanSquare() / report.after.valueRms).epsilon(1e-9));
        for (const char *kept : {"q_proj.weight", "k_proj.weight", "o_proj.weight", "o_norm.weight", "a_proj.weight"})
            CHECK(at::equal(after.at(kept), before.at(kept)));
        std::vector<std::string> changed;
        for (const ParameterChange &change : report.changes)
            changed.push_back(change.name);
        CHECK(changed == std::vector<std::string>{"A_log", "b_proj.weight", "dt_bias", "g_proj.weight", "v_proj.weight"});
    }
}

TEST_CASE("value heads of a grouped teacher are whole heads, so that contexts can match")
{
    const nn::Transformer teacher = tiny::tinyTeacher();
    const auto whole = parametersByName(*students(teacher, {1}, "gdn")[0].mixer), rows = parametersByName(*students(teacher, {1}, "gdn", R"({"expand": "row"})")[0].mixer);
    const at::Tensor teacher_GVD = mixers::teacherAttention(teacher, 1).v_JKxD.view({2, 8, 32});
    for (std::int64_t h = 0; h < 4; ++h) {
        CHECK(at::equal(whole.at("v_proj.weight").view({4, 8, 32})[h], teacher_GVD[h / 2]));
        CHECK_FALSE(at::equal(rows.at("v_proj.weight").view({4, 8, 32})[h], teacher_GVD[h / 2]));
    }
}

TEST_CASE("the gate starts the layer at a hundredth of the teacher's amplitude or a little less")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const distillation::Batch sequences = sequencesOf(4, 24);
    const auto gateRatio = [&](double mostScale) {
        PhaseOneOptions options = PhaseOneOptions::published();
        options.mostScale = mostScale;
        const PhaseOneResult result = calibratePhaseOne(teacher, students(teacher, {2}, "gdn"), sequences, options, at::kDouble);
        nn::ForwardOptions keep;
        keep.keepMixerInputs = true;
        const at::Tensor x = teacher.forward(sequences.ids_BT, {}, at::kDouble, keep).mixerInputs_BTD[2];
        const at::Tensor gate = at::silu(at::matmul(x, parametersByName(*result.layers[0].mixer).at("g_proj.weight").t()));
        return rms(gate) / (0.01 * result.reports[0].teacherRms);
    };
    CHECK(gateRatio(0.1) >= 0.85);   // at the published floor, where SiLU is nearly linear
    CHECK(gateRatio(0.1) <= 1.0);
    CHECK(gateRatio(10.0) >= std::numbers::sqrt2 / 2.0);   // values so large that SiLU cuts them in half
    CHECK(gateRatio(10.0) <= 1.0);
}

TEST_CASE("Phase 1 alone is as silent as a closed gate")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const distillation::Batch sequences = sequencesOf(4, 24), other = sequencesOf(4, 24, 9);
    const auto naive = students(teacher, {0, 2, 3}, "gdn");
    const double silent = perplexity(tiny::hybridOf(teacher, startOf(Arm::ZeroGate, naive)), other.ids_BT);
    const double calibrated = perplexity(tiny::hybridOf(teacher, calibratePhaseOne(teacher, startOf(Arm::PhaseOne, naive), sequences, {}, at::kDouble).layers), other.ids_BT);
    const double copied = perplexity(tiny::hybridOf(teacher, startOf(Arm::NaiveCopy, naive)), other.ids_BT);
    CHECK(std::abs(calibrated / silent - 1.0) <= 0.01);
    CHECK(std::abs(copied / silent - 1.0) > 0.01);
}

TEST_CASE("the published scale is smaller by the root of the head width, and its write strengths miss")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const auto naive = students(teacher, {1}, "gdn");
    PhaseOneOptions ours = PhaseOneOptions::published(), theirs = ours;
    ours.kernelScale = true;
    const auto a = calibratePhaseOne(teacher, naive, sequencesOf(4, 24), ours, at::kDouble).reports[0], b = calibratePhaseOne(teacher, naive, sequencesOf(4, 24), theirs, at::kDouble).reports[0];
    for (std::size_t h = 0; h < 4; ++h) {
        CHECK(a.heads[h].scaleRaw == doctest::Approx(std::sqrt(8.0) * b.heads[h].scaleRaw).epsilon(1e-10));
        CHECK(b.heads[h].scaleAtFloor == (b.heads[h].scaleRaw < 0.1));
    }
    double worst = 0.0;
    for (std::size_t h = 0; h < 4; ++h)
        worst = std::max(worst, std::abs(b.after.heads[h].beta.mean - b.heads[h].betaTarget));
    CHECK(worst > 0.02);
    CHECK(b.teacherRms == doctest::Approx(b.attention.contextRms()).epsilon(1e-12));
}

TEST_CASE("the mean decay meets its target where it is asked to")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    for (const std::string kind : {"gdn", "gla"}) {
        CAPTURE(kind);
        const auto worst = [&](bool meanDecay) {
            const auto report = calibratePhaseOne(teacher, students(teacher, {1}, kind), sequencesOf(4, 24), {.meanDecay = meanDecay}, at::kDouble).reports[0];
            double largest = 0.0;
            for (std::size_t h = 0; h < report.heads.size(); ++h)
                largest = std::max(largest, std::abs(report.after.heads[h].halfLife.mean / report.heads[h].halfLifeTarget - 1.0));
            return largest;
        };
        CHECK(worst(true) <= 1e-3);
        CHECK(worst(false) > 2e-3);
    }
}

TEST_CASE("a mixer says what it has: gla gets decay, scale and gate, and no write strength")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const PhaseOneResult result = calibratePhaseOne(teacher, students(teacher, {0, 2}, "gla"), sequencesOf(3, 20), {}, at::kDouble);
    for (const LayerCalibration &report : result.reports)
        for (std::size_t h = 0; h < report.heads.size(); ++h) {
            const HeadState &after = report.after.heads[h];
            CHECK(std::isnan(report.heads[h].betaTarget));
            CHECK(std::isnan(after.beta.p50));
            CHECK(std::isfinite(after.halfLife.p50));
            CHECK(std::isfinite(report.heads[h].scaleRaw));
            CHECK(after.contextCosine == doctest::Approx(report.heads[h].cosineAtFit).epsilon(1e-9));   // values are linear: a scale turns nothing
        }
}

TEST_CASE("layers are independent, sequences are separate, and the teacher and the given mixers stay as they are")
{
    const nn::Transformer teacher = tiny::tinyTeacher();
    const auto before = tiny::parametersOf(teacher);
    const auto naive = students(teacher, {3, 0, 1}, "gdn");
    const auto given = tiny::parametersOf(*naive[0].mixer);
    const distillation::Batch sequences = sequencesOf(3, 20);
    const PhaseOneResult joint = calibratePhaseOne(teacher, naive, sequences, {}, at::kFloat), alone = calibratePhaseOne(teacher, {naive[0]}, sequences, {}, at::kFloat);
    CHECK(joint.layers[2].layer == 3);
    CHECK(tiny::sameBits(tiny::parametersOf(*joint.layers[2].mixer), tiny::parametersOf(*alone.layers[0].mixer)));
    CHECK(tiny::sameBits(tiny::parametersOf(teacher), before));
    CHECK(tiny::sameBits(tiny::parametersOf(*naive[0].mixer), given));
}

TEST_CASE("padding changes nothing")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const auto naive = students(teacher, {1}, "gdn");
    const distillation::Batch plain = sequencesOf(2, 18);
    const at::Tensor pad = at::zeros({2, 4}, at::kLong), none = at::full({2, 4}, -1, at::kLong), valid = at::zeros({2, 18}, at::kLong);
    const distillation::Batch padded{at::cat({pad, plain.ids_BT, pad}, 1), at::cat({none, valid, none}, 1), {}};
    const PhaseOneResult a = calibratePhaseOne(teacher, naive, plain, {}, at::kDouble), b = calibratePhaseOne(teacher, naive, padded, {}, at::kDouble);
    CHECK(a.numTokens == b.numTokens);
    CHECK(tiny::largestRelative(tiny::parametersOf(*b.layers[0].mixer), tiny::parametersOf(*a.layers[0].mixer)) <= 1e-9);
    CHECK(b.reports[0].after.branch.relativeMse == doctest::Approx(a.reports[0].after.branch.relativeMse).epsilon(1e-9));
}

TEST_CASE("a write bias carries the target by itself, and every head gets its own")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const auto naive = students(teacher, {1}, "gdn", R"({"write_bias": true})");
    PhaseOneOptions options;
    options.writeInit = WriteInit::Bias;
    const PhaseOneResult result = calibratePhaseOne(teacher, naive, sequencesOf(4, 24), options, at::kDouble);
    const auto before = parametersByName(*naive[0].mixer), after = parametersByName(*result.layers[0].mixer);
    CHECK(at::equal(after.at("b_proj.weight"), before.at("b_proj.weight")));
    for (std::size_t h = 0; h < 4; ++h) {
        const double target = result.reports[0].heads[h].betaTarget;
        CHECK(after.at("b_proj.bias")[static_cast<std::int64_t>(h)].item<double>() == doctest::Approx(std::log(target / (1.0 - target))).epsilon(1e-6));
        CHECK(std::abs(result.reports[0].after.heads[h].beta.mean - target) < 0.15);      // the weight, as it was drawn, moves it
    }
    // By the data the mean is met with the bias in it.
    options.writeInit = WriteInit::Data;
    const PhaseOneResult met = calibratePhaseOne(teacher, result.layers, sequencesOf(4, 24), options, at::kDouble);
    for (std::size_t h = 0; h < 4; ++h)
        CHECK(met.reports[0].after.heads[h].beta.mean == doctest::Approx(met.reports[0].heads[h].betaTarget).epsilon(1e-6));
}

TEST_CASE("layers are measured at any later moment as Phase 1 measured them, and what changed is a share of what was there")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const distillation::Batch sequences = sequencesOf(3, 20);
    const auto naive = students(teacher, {2, 0}, "gdn");
    const PhaseOneResult result = calibratePhaseOne(teacher, naive, sequences, {}, at::kDouble);
    const std::vector<LayerState> again = layerStates(teacher, result.layers, sequences, at::kDouble), begun = layerStates(teacher, naive, sequences, at::kDouble);
    REQUIRE(again.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(again[i].branch.relativeMse == doctest::Approx(result.reports[i].after.branch.relativeMse).epsilon(1e-9));
        CHECK(again[i].valueRms == doctest::Approx(result.reports[i].after.valueRms).epsilon(1e-9));
        CHECK(begun[i].branch.rmsRatio == doctest::Approx(result.reports[i].before.branch.rmsRatio).epsilon(1e-9));
        for (std::size_t h = 0; h < 4; ++h) {
            CHECK(again[i].heads[h].halfLife.p90 == doctest::Approx(result.reports[i].after.heads[h].halfLife.p90).epsilon(1e-9));
            CHECK(again[i].heads[h].contextCosine == doctest::Approx(result.reports[i].after.heads[h].contextCosine).epsilon(1e-9));
        }
    }
    const auto mixer = students(teacher, {1}, "gdn")[0].mixer, moved = students(teacher, {1}, "gdn")[0].mixer;
    moved->visitParameters([](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        if (name == "q_proj.weight")
            tensor = tensor * 1.25;
    });
    const std::vector<ParameterChange> changes = parameterChanges(*mixer, *moved);
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].name == "q_proj.weight");
    CHECK(changes[0].relative == doctest::Approx(0.25).epsilon(1e-12));
    moved->visitParameters([](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        if (name == "k_proj.weight")
            tensor = tensor / 0.0;
    });
    const std::vector<ParameterChange> broken = parameterChanges(*mixer, *moved);
    REQUIRE(broken.size() == 2);
    CHECK(broken[0].name == "k_proj.weight");
    CHECK_FALSE(std::isfinite(broken[0].relative));
}

TEST_CASE("what must not be set is left alone")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    const auto naive = students(teacher, {1}, "gdn");
    const PhaseOneResult result = calibratePhaseOne(teacher, naive, sequencesOf(2, 20), PhaseOneOptions::measuring(), at::kDouble);
    CHECK(tiny::sameBits(tiny::parametersOf(*result.layers[0].mixer), tiny::parametersOf(*naive[0].mixer)));
    CHECK(result.reports[0].changes.empty());
    CHECK(std::isnan(result.reports[0].floorShare));
    CHECK(result.reports[0].before.branch.relativeMse == result.reports[0].after.branch.relativeMse);
    for (const GateInit init : {GateInit::FromValues, GateInit::Keep})
        CHECK((parseGateInit(gateInitName(init)) == init));
}

TEST_CASE("arms: names, gates, and which phases they run")
{
    const nn::Transformer teacher = tiny::tinyTeacher(at::kDouble);
    for (const Arm arm : {Arm::NaiveCopy, Arm::ZeroGate, Arm::SmallGate, Arm::PhaseOne, Arm::PhaseTwo, Arm::Both})
        CHECK((parseArm(armName(arm)) == arm));
    CHECK_THROWS_AS((void)parseArm("phase 1"), Error);
    CHECK((runsPhaseOne(Arm::Both) && runsPhaseTwo(Arm::Both) && !runsPhaseOne(Arm::PhaseTwo) && !runsPhaseTwo(Arm::ZeroGate)));
    const auto naive = students(teacher, {1}, "gdn");
    const at::Tensor gate = parametersByName(*naive[0].mixer).at("g_proj.weight");
    CHECK(at::equal(parametersByName(*startOf(Arm::SmallGate, naive)[0].mixer).at("g_proj.weight"), gate * 0.02));
    CHECK(parametersByName(*startOf(Arm::ZeroGate, naive)[0].mixer).at("g_proj.weight").abs().max().item<double>() == 0.0);
    CHECK(at::equal(parametersByName(*naive[0].mixer).at("g_proj.weight"), gate));
    CHECK_THROWS_AS((void)startOf(Arm::ZeroGate, students(teacher, {1}, "gdn", R"({"output_gate": false})")), Error);
}

TEST_CASE("what cannot be calibrated is refused in a sentence, and a stop is heard")
{
    const nn::Transformer teacher = tiny::tinyTeacher();
    const auto naive = students(teacher, {1}, "gdn");
    const distillation::Batch sequences = sequencesOf(2, 12);
    const auto calibrate = [&](const std::vector<distillation::AlignedLayer> &layers, const PhaseOneOptions &options, const distillation::Batch &batch, std::stop_token stop = {}) {
        return calibratePhaseOne(teacher, layers, batch, options, at::kFloat, {.stop = stop});
    };
    CHECK_THROWS_AS(calibrate({naive[0], naive[0]}, {}, sequences), Error);
    CHECK_THROWS_AS(calibrate({{9, naive[0].mixer}}, {}, sequences), Error);
    CHECK_THROWS_AS(calibrate({{1, teacher.blocks[1].mixer}}, {}, sequences), Error);
    CHECK_THROWS_AS(calibrate(naive, {.droppedKeys = 12}, sequences), Error);
    CHECK_THROWS_AS(calibrate(naive, {.writeInit = WriteInit::Bias}, sequences), Error);
    CHECK_THROWS_AS(calibrate(naive, {.leastScale = 0.0}, sequences), Error);
    CHECK_THROWS_AS(calibrate(naive, {}, {sequences.ids_BT, at::full({2, 12}, -1, at::kLong), {}}), Error);
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(calibrate(naive, {}, sequences, stop.get_token()), Error);
}

}  // namespace phaseone_tests
