// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/teachertraining.h"

#include "error.h"
#include "evaluation/recall.h"
#include "nn/softmaxmixer.h"
#include "seed.h"

#include <ATen/ATen.h>

#include <cmath>
#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace stillroom;
using namespace stillroom::procedures;

namespace {

/// Two layers and a task of two pairs: a step takes milliseconds.
TeacherPlan smallPlan()
{
    TeacherPlan plan;
    plan.task = {.numKeys = 6, .numValues = 5, .numFillers = 4, .pairs = 4, .length = 24};
    plan.config.modelType = "qwen2";
    plan.config.qkvBias = true;
    plan.config.numLayers = 2;
    plan.config.hiddenSize = 16;
    plan.config.intermediateSize = 12;
    plan.config.numHeads = 2;
    plan.config.numKvHeads = 1;
    plan.config.headDim = 8;
    plan.config.vocabSize = 17;
    plan.config.maxPositions = 32;
    plan.config.rope.theta = 100.0;
    plan.config.slidingWindow = {0, 0};
    plan.config.layers.resize(2);
    plan.start.freeLayer = 1;
    plan.startPairs = 2;
    plan.startLength = 16;
    plan.batchSequences = 6;
    plan.batchTokens = 0;
    plan.schedule.warmupSteps = 2;
    plan.steps = 40;
    plan.evaluateEvery = 2;
    return plan;
}

std::vector<text::RecallSequence> heldOut(const TeacherPlan &plan)
{
    std::vector<text::RecallSequence> sequences;
    for (int i = 0; i < 4; ++i)
        sequences.push_back(text::RecallMix(plan.task).sequence(99, i));
    return sequences;
}

std::vector<at::Tensor> weightsOf(const TeacherTraining &training)
{
    std::vector<at::Tensor> weights;
    for (const auto &[name, tensor] : training.state(false).weights)
        weights.push_back(tensor.detach().clone());
    return weights;
}

double largestDifference(const std::vector<at::Tensor> &a, const std::vector<at::Tensor> &b)
{
    double largest = 0.0;
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, (a[i] - b[i]).abs().max().item<double>());
    return largest;
}

std::string refusal(ErrorCode code, const std::function<void()> &work)
{
    try {
        work();
    } catch (const Error &error) {
        CHECK(error.code() == code);
        return error.what();
    }
    FAIL_CHECK("nothing was refused");
    return {};
}

}  // namespace

TEST_CASE("local heads look one, two and three tokens back, with the score asked for")
{
    TeacherPlan plan = smallPlan();
    plan.config.numHeads = 4;
    plan.config.numKvHeads = 2;
    plan.config.headDim = 16;
    plan.config.numLayers = 3;
    plan.config.slidingWindow = {0, 0, 0};
    const nn::Transformer teacher = startTeacher(plan.config, {.localHeads = true, .freeLayer = 2, .localPeak = 9.0}, 5);
    const at::Tensor nothing_BTD = at::zeros({1, 12, 16});   // leaves the biases alone
    const nn::TokenPlaces places = nn::placesFromMask(at::zeros({1, 12}, at::kLong));
    for (const std::size_t layer : {0U, 1U}) {
        const at::Tensor p_BHTT = teacher.blocks[layer].mixer->matrix(nothing_BTD, places).to(at::kDouble);
        for (std::int64_t head = 0; head < 4; ++head) {
            const std::int64_t offset = 1 + head % 3;
            const auto score = [&](std::int64_t back) {      // Σ over four pairs, each a quarter of the peak
                double sum = 0.0;
                for (int i = 0; i < 4; ++i)
                    sum += 9.0 / 4.0 * std::cos(std::pow(100.0, -2.0 * i / 16.0) * static_cast<double>(back - offset));
                return sum;
            };
            for (std::int64_t t = 0; t < 12; ++t) {
                double total = 0.0;
                for (std::int64_t s = 0; s <= t; ++s)
                    total += std::exp(score(t - s));
                for (std::int64_t s = 0; s <= t; ++s)
                    REQUIRE(p_BHTT[0][head][t][s].item<double>() == doctest::Approx(std::exp(score(t - s)) / total).epsilon(1e-4));
            }
            CHECK(p_BHTT[0][head][11].argmax().item<std::int64_t>() == 11 - offset);
        }
    }
    const auto &free = dynamic_cast<const nn::SoftmaxMixer &>(*teacher.blocks[2].mixer).weights();
    CHECK(free.bq_HK.abs().max().item<double>() == 0.0);
    CHECK(free.bk_GK.abs().max().item<double>() == 0.0);
}

TEST_CASE("a start follows from its seed, with the deviations it promises")
{
    TeacherPlan plan = smallPlan();
    plan.config.hiddenSize = 128;
    plan.config.intermediateSize = 256;
    const nn::Transformer a = startTeacher(plan.config, plan.start, 1), b = startTeacher(plan.config, plan.start, 1), c = startTeacher(plan.config, plan.start, 2);
    CHECK(at::equal(a.blocks[1].mlp.up_FD, b.blocks[1].mlp.up_FD));
    CHECK(!at::equal(a.blocks[1].mlp.up_FD, c.blocks[1].mlp.up_FD));
    CHECK(!at::equal(a.blocks[1].mlp.up_FD, a.blocks[1].mlp.gate_FD));
    CHECK(!at::equal(a.blocks[1].mlp.up_FD, a.blocks[0].mlp.up_FD));
    CHECK(a.embedding_VD.std().item<double>() == doctest::Approx(0.5).epsilon(0.1));
    CHECK(a.blocks[0].mlp.up_FD.std().item<double>() == doctest::Approx(1.0 / std::sqrt(128.0)).epsilon(0.05));
    CHECK(a.blocks[0].mlp.down_DF.std().item<double>() == doctest::Approx(1.0 / std::sqrt(256.0 * 4.0)).epsilon(0.05));
    CHECK(a.blocks[0].inputNorm_D.min().item<double>() == 1.0);
}

TEST_CASE("the loss is the mean over what can be known plus the weighted mean over the rest")
{
    TeacherPlan plan = smallPlan();
    plan.otherTokensWeight = 0.25;
    nn::Transformer start = startTeacher(plan.config, plan.start, plan.seed);
    const text::RecallMix task(plan.task);
    double known = 0.0, others = 0.0;
    int numKnown = 0, numOthers = 0;
    for (int row = 0; row < 6; ++row) {
        const auto sequence = task.sequence(seedFor(plan.seed, "teacher training", 0, 0), row, 2, 20);
        const at::Tensor ids_BT = at::tensor(sequence.ids, at::TensorOptions(at::kLong)).unsqueeze(0);
        const at::Tensor logits_TV = start.logits(start.forward(ids_BT, {}, at::kDouble).hidden_BTD)[0];
        for (std::size_t t = 0; t + 1 < sequence.ids.size(); ++t) {
            const at::Tensor row_V = logits_TV[static_cast<std::int64_t>(t)];
            const double nats = std::log(row_V.exp().sum().item<double>()) - row_V[sequence.ids[t + 1]].item<double>();
            const bool target = sequence.targets[t] != text::RecallTarget::None;
            (target ? known : others) += nats;
            ++(target ? numKnown : numOthers);
        }
    }
    TeacherTraining training(plan, heldOut(plan));
    CHECK(training.progress().pairs == 2);
    CHECK(training.progress().length == 20);   // start_length 16, but two pairs need 2·2 + 16
    training.advance({});
    CHECK(training.progress().loss == doctest::Approx(known / numKnown + 0.25 * others / numOthers).epsilon(1e-5));
    CHECK(training.tokens() == 6 * 20);
}

TEST_CASE("a training that is taken up again goes on bit for bit")
{
    TeacherPlan plan = smallPlan();
    plan.growThreshold = 0.05;   // grows on the way
    plan.solvedRecall = 0.0;     // and is soon solved
    plan.extraSteps = 6;
    TeacherTraining whole(plan, heldOut(plan)), first(plan, heldOut(plan)), second(plan, heldOut(plan));
    while (whole.step() < whole.totalSteps())
        whole.advance({});
    CHECK(whole.progress().grewAt > 0);
    CHECK(whole.progress().solvedAt > 0);
    CHECK(whole.step() == whole.progress().solvedAt + 6);
    for (int i = 0; i < 5; ++i)
        first.advance({});
    second.restore(first.state(true));
    while (second.step() < second.totalSteps())
        second.advance({});
    CHECK(second.step() == whole.step());
    CHECK(second.tokens() == whole.tokens());
    CHECK(second.progress().pairs == plan.task.pairs);
    CHECK(largestDifference(weightsOf(whole), weightsOf(second)) == 0.0);
    distillation::TrainingState foreign = first.state(true);
    foreign.kind = "stage-1";
    CHECK(refusal(ErrorCode::BadFile, [&] { second.restore(foreign); }).find("stage-1") != std::string::npos);
}

TEST_CASE("micro-batches and block checkpointing change no number")
{
    TeacherPlan plan = smallPlan();
    TeacherTraining whole(plan, heldOut(plan));
    plan.microBatchSequences = 4;   // 4 + 2 of 6
    plan.checkpointBlocks = true;
    TeacherTraining parts(plan, heldOut(plan));
    for (int i = 0; i < 3; ++i) {
        whole.advance({});
        parts.advance({});
        CHECK(parts.progress().loss == doctest::Approx(whole.progress().loss).epsilon(1e-5));
        CHECK(parts.progress().runningRecall == doctest::Approx(whole.progress().runningRecall));
    }
    CHECK(largestDifference(weightsOf(whole), weightsOf(parts)) < 1e-4);
}

TEST_CASE("a teacher that is stuck starts again from the next seed, and at last gives up")
{
    TeacherPlan plan = smallPlan();
    plan.growThreshold = 1.0;
    plan.restartStep = 3;
    plan.restarts = 1;
    TeacherTraining training(plan, heldOut(plan));
    for (int i = 0; i < 4; ++i)
        training.advance({});
    CHECK(training.progress().attempt == 1);
    CHECK(training.progress().attemptStep == 1);
    CHECK(training.attemptSeed() == 2);
    TeacherPlan next = plan;
    next.seed = 2;
    TeacherTraining fromNext(next, heldOut(next));
    fromNext.advance({});
    CHECK(largestDifference(weightsOf(training), weightsOf(fromNext)) == 0.0);
    training.advance({});
    training.advance({});
    CHECK(refusal(ErrorCode::Failed, [&] { training.advance({}); }).find("within 3 steps from any of 2 seeds") != std::string::npos);
}

TEST_CASE("stopping leaves the weights as they were")
{
    const TeacherPlan plan = smallPlan();
    TeacherTraining training(plan, heldOut(plan));
    training.advance({});
    const auto before = weightsOf(training);
    std::stop_source source;
    source.request_stop();
    (void)refusal(ErrorCode::Cancelled, [&] { training.advance(source.get_token()); });
    CHECK(training.step() == 1);
    CHECK(largestDifference(before, weightsOf(training)) == 0.0);
}

TEST_CASE("a small teacher learns a small task")
{
    TeacherPlan plan = smallPlan();
    plan.curriculum = false;
    plan.otherTokensWeight = 0.0;
    plan.learningRate = 1e-2;
    plan.solvedRecall = 2.0;   // never: all steps are taken
    plan.steps = 150;
    TeacherTraining training(plan, heldOut(plan));
    training.advance({});
    const double start = training.progress().loss;
    while (training.step() < training.totalSteps())
        training.advance({});
    CHECK(training.step() == 150);
    CHECK(training.progress().loss < 0.6 * start);
}

TEST_CASE("plans that cannot be are refused")
{
    const auto refused = [](const std::function<void(TeacherPlan &)> &change) {
        TeacherPlan plan = smallPlan();
        change(plan);
        return refusal(ErrorCode::Usage, [&] { TeacherTraining(plan, {}); });
    };
    CHECK(refused([](TeacherPlan &plan) { plan.config.vocabSize = 14; }).find("vocabulary only 14") != std::string::npos);
    CHECK(refused([](TeacherPlan &plan) { plan.config.maxPositions = 20; }).find("context only 20") != std::string::npos);
    CHECK(refused([](TeacherPlan &plan) { plan.start.freeLayer = 2; }).find("retrieval_layer is 2, give 0 to 1") != std::string::npos);
    CHECK(refused([](TeacherPlan &plan) { plan.config.qkvBias = false; }).find("qkv_bias") != std::string::npos);
    CHECK(refused([](TeacherPlan &plan) { plan.steps = 0; }).find("at least one step") != std::string::npos);
    CHECK(refused([](TeacherPlan &plan) { plan.task.pairs = 7; }).find("pairs is 7") != std::string::npos);
}
