// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/stagetwo.h"
#include "error.h"
#include "golden.h"
#include "tinystudents.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <map>

#include <torch/csrc/autograd/autograd.h>

namespace stagetwo_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

StageTwoOptions shortRun(std::int64_t steps = 3)
{
    StageTwoOptions options;
    options.steps = steps;
    options.mixerLearningRate = 1e-2;
    options.restLearningRate = 1e-3;
    options.clipNorm = 0.1;
    options.refuseHopelessStart = false;
    return options;
}

void advance(StageTwo &stage, std::int64_t steps)
{
    for (std::int64_t step = 0; step < steps; ++step)
        stage.advance({});
}

/// Students that keep one layer each.
std::vector<Student> keepOne(const nn::Transformer &teacher, const std::vector<int> &kept)
{
    std::vector<Student> students;
    for (const int keep : kept) {
        std::vector<int> linear;
        for (int layer = 0; layer < 4; ++layer)
            if (layer != keep)
                linear.push_back(layer);
        students.push_back({"keep-" + std::to_string(keep), test::hybridOf(teacher, test::linearLayers(teacher, linear))});
    }
    return students;
}

std::map<std::string, at::Tensor> byName(nn::Transformer model)
{
    std::map<std::string, at::Tensor> all;
    model.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { all[name] = tensor; });
    return all;
}

/// τ² KL + w CE from whole logits by plain autograd: gradients by parameter name.
std::map<std::string, at::Tensor> naiveGradients(const nn::Transformer &teacher, const nn::Transformer &student, const Batch &batch, double tau, double crossEntropyWeight)
{
    nn::Transformer copy = nn::deepCopy(student);
    copy.requireGrad(true);
    const nn::TokenPlaces places{{}, batch.documents_BT, nullptr};
    const at::Tensor keep = countedTokens(batch);
    const at::Tensor teacherLogits = teacher.logits(teacher.forward(batch.ids_BT, places, at::kDouble).hidden_BTD).index({keep});
    const at::Tensor logits = copy.logits(copy.forward(batch.ids_BT, places, at::kDouble).hidden_BTD).index({keep});
    const at::Tensor logTeacher = at::log_softmax(teacherLogits / tau, -1), logStudent = at::log_softmax(logits / tau, -1);
    const at::Tensor kl = (logTeacher.exp() * (logTeacher - logStudent)).sum() / keep.sum();
    const at::Tensor crossEntropy = at::cross_entropy_loss(logits, nextTokenLabels(batch).index({keep}), {}, at::Reduction::Mean, -100);
    (tau * tau * kl + crossEntropyWeight * crossEntropy).backward();
    std::map<std::string, at::Tensor> gradients;
    for (const auto &[name, tensor] : byName(copy))
        gradients[name] = tensor.grad();
    return gradients;
}

/// See the same trick in stage 1's tests: AdamW's first update becomes minus the gradient.
StageTwoOptions gradientShowing()
{
    StageTwoOptions options = shortRun(1);
    options.adamw.epsilon = 1e9;
    options.mixerLearningRate = options.restLearningRate = 1e9;
    options.weightDecay = 0.0;
    options.clipNorm = 0.0;
    options.computeType = at::kDouble;
    return options;
}

/// A mixer whose backward asks for a stop.
class StoppingMixer final : public nn::TokenMixer {
public:
    StoppingMixer(std::shared_ptr<nn::TokenMixer> inner, std::stop_source stop) : m_inner(std::move(inner)), m_stop(std::move(stop)) {}
    std::string_view kind() const override { return "gdn"; }
    std::string optionsJson() const override { return m_inner->optionsJson(); }
    at::Tensor forward(const at::Tensor &x_BTD, const nn::TokenPlaces &places, nn::LayerState *state) const override
    {
        at::Tensor y_BTD = m_inner->forward(x_BTD, places, state);
        if (y_BTD.requires_grad())
            y_BTD.register_hook([stop = m_stop](const at::Tensor &) { std::stop_source(stop).request_stop(); });
        return y_BTD;
    }
    std::unique_ptr<nn::LayerState> initialState(std::int64_t batch, std::int64_t tokens, at::ScalarType type) const override { return m_inner->initialState(batch, tokens, type); }
    std::int64_t stateBytes(std::int64_t batch, std::int64_t tokens, at::ScalarType type) const override { return m_inner->stateBytes(batch, tokens, type); }
    double flopsPerToken(std::int64_t context) const override { return m_inner->flopsPerToken(context); }
    at::Tensor matrix(const at::Tensor &x_BTD, const nn::TokenPlaces &places) const override { return m_inner->matrix(x_BTD, places); }
    bool carries(nn::TeacherFeature feature) const override { return m_inner->carries(feature); }
    void visitParameters(const nn::ParameterVisitor &visit) override { m_inner->visitParameters(visit); }
    std::shared_ptr<nn::TokenMixer> clone() const override { return std::make_shared<StoppingMixer>(m_inner->clone(), m_stop); }

private:
    std::shared_ptr<nn::TokenMixer> m_inner;
    std::stop_source m_stop;
};

}  // namespace

TEST_CASE("students in lock-step end with the bits they have alone")
{
    const nn::Transformer teacher = test::tinyTeacher();
    for (const bool checkpointing : {false, true}) {
        StageTwoOptions options = shortRun();
        options.microBatchSequences = 3;
        options.crossEntropyWeight = 0.1;
        options.temperature = 1.5;
        options.checkpointBlocks = checkpointing;
        TensorBatchSource source = test::shuffledSource();
        StageTwo together(teacher, keepOne(teacher, {0, 1, 3}), source, options);
        advance(together, 3);
        for (std::size_t i = 0; i < 3; ++i) {
            StageTwo alone(teacher, {keepOne(teacher, {0, 1, 3})[i]}, source, options);
            advance(alone, 3);
            CHECK(test::sameBits(test::parametersOf(alone.students()[0].model), test::parametersOf(together.students()[i].model)));
            CHECK(alone.metrics()[0].loss == together.metrics()[i].loss);
            CHECK(alone.metrics()[0].gradientNorm == together.metrics()[i].gradientNorm);
        }
    }
}

TEST_CASE("a student that is taken out changes no bit of the others, in a resumed run too")
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    const StageTwoOptions options = shortRun(4);
    StageTwo undisturbed(teacher, keepOne(teacher, {0, 1, 3}), source, options), racing(teacher, keepOne(teacher, {0, 1, 3}), source, options);
    advance(undisturbed, 4);
    advance(racing, 2);
    racing.retire("keep-1");
    REQUIRE(racing.students().size() == 2);
    CHECK(racing.metrics().size() == 2);
    CHECK(racing.metrics()[1].student == "keep-3");

    StageTwo resumed(teacher, keepOne(teacher, {0, 1, 3}), source, options);
    resumed.restore(racing.state(true));
    CHECK(resumed.students().size() == 2);
    for (StageTwo *stage : {&racing, &resumed}) {
        advance(*stage, 2);
        CHECK(stage->metrics()[0].loss == undisturbed.metrics()[0].loss);
        CHECK(stage->metrics()[1].loss == undisturbed.metrics()[2].loss);
        CHECK(test::sameBits(test::parametersOf(stage->students()[0].model), test::parametersOf(undisturbed.students()[0].model)));
        CHECK(test::sameBits(test::parametersOf(stage->students()[1].model), test::parametersOf(undisturbed.students()[2].model)));
    }
    CHECK_THROWS_AS(racing.retire("keep-1"), Error);
    racing.retire("keep-0");
    CHECK_THROWS_AS(racing.retire("keep-3"), Error);   // the last one

    StageTwo others(teacher, keepOne(teacher, {0, 2, 3}), source, options);
    CHECK_THROWS_AS(others.restore(undisturbed.state(true)), Error);
}

TEST_CASE("recomputing blocks changes no bit")
{
    const nn::Transformer teacher = test::tinyTeacher();
    std::vector<at::Tensor> results[2];
    for (const bool checkpointing : {false, true}) {
        StageTwoOptions options = shortRun();
        options.checkpointBlocks = checkpointing;
        TensorBatchSource source = test::shuffledSource();
        StageTwo stage(teacher, keepOne(teacher, {2}), source, options);
        advance(stage, 3);
        results[checkpointing ? 1 : 0] = test::parametersOf(stage.students()[0].model);
    }
    CHECK(test::sameBits(results[0], results[1]));
}

TEST_CASE("every gradient equals that of whole logits under plain autograd")
{
    for (const bool tied : {false, true}) {
        CAPTURE(tied);
        const nn::Transformer teacher = test::tinyTeacher(at::kDouble, tied);
        const std::vector<Student> students = keepOne(teacher, {1});
        const Batch batch = test::raggedBatch(5, 12);
        StageTwoOptions options = gradientShowing();
        options.temperature = 1.7;
        options.crossEntropyWeight = 0.3;
        options.microBatchSequences = 2;
        test::FixedSource source(batch);
        StageTwo stage(teacher, students, source, options);
        advance(stage, 1);
        const auto expected = naiveGradients(teacher, students[0].model, batch, 1.7, 0.3);
        const auto before = byName(students[0].model), after = byName(stage.students()[0].model);
        CHECK(expected.size() == after.size());
        for (const auto &[name, gradient] : expected) {
            CAPTURE(name);
            CHECK(test::relativeDifference(before.at(name) - after.at(name), gradient) <= 1e-8);
        }
        CHECK((stage.students()[0].model.head_VD.unsafeGetTensorImpl() == stage.students()[0].model.embedding_VD.unsafeGetTensorImpl()) == tied);
    }
}

TEST_CASE("micro-batches with ragged masks accumulate to the whole batch, KL and cross-entropy")
{
    const nn::Transformer teacher = test::tinyTeacher(at::kDouble);
    std::vector<at::Tensor> results[2];
    double losses[2];
    for (const std::int64_t micro : {0, 1}) {
        StageTwoOptions options = shortRun();
        options.computeType = at::kDouble;
        options.crossEntropyWeight = 0.5;
        options.reverseKlWeight = 0.2;
        options.microBatchSequences = micro;
        TensorBatchSource source = test::shuffledSource(8);
        StageTwo stage(teacher, keepOne(teacher, {0}), source, options);
        advance(stage, 3);
        results[micro] = test::parametersOf(stage.students()[0].model);
        losses[micro] = stage.metrics()[0].loss;
    }
    CHECK(test::largestRelative(results[1], results[0]) <= 1e-9);
    CHECK(losses[1] == doctest::Approx(losses[0]).epsilon(1e-12));
}

TEST_CASE("a student learns a fixed batch; the teacher itself has KL 0")
{
    const nn::Transformer teacher = test::tinyTeacher();
    test::FixedSource source(test::raggedBatch(4, 12));
    StageTwoOptions options = shortRun(25);
    options.clipNorm = 1.0;
    std::vector<Student> students = keepOne(teacher, {3});
    students.push_back({"teacher", teacher});
    StageTwo stage(teacher, students, source, options);
    advance(stage, 1);
    const double first = stage.metrics()[0].klNats;
    CHECK(stage.metrics()[1].klNats == 0.0);
    CHECK(stage.metrics()[1].gradientNorm == 0.0);
    advance(stage, 24);
    CHECK(stage.metrics()[0].klNats < 0.5 * first);
    CHECK(stage.metrics()[0].bestLoss <= stage.metrics()[0].loss);
    CHECK(stage.metrics()[0].loss == doctest::Approx(stage.metrics()[0].klNats));
}

TEST_CASE("mixers alone train when asked, and the rest is shared, not copied")
{
    const nn::Transformer teacher = test::tinyTeacher();
    const std::vector<at::Tensor> before = test::parametersOf(teacher);
    TensorBatchSource source = test::shuffledSource();
    for (const Trainable trainable : {Trainable::Mixers, Trainable::All}) {
        StageTwoOptions options = shortRun();
        options.trainable = trainable;
        const std::vector<Student> given = keepOne(teacher, {1});
        const std::vector<at::Tensor> givenBefore = test::parametersOf(given[0].model);
        StageTwo stage(teacher, given, source, options);
        advance(stage, 2);
        for (const auto &[name, tensor] : byName(stage.students()[0].model)) {
            CAPTURE(name);
            const at::Tensor original = byName(given[0].model).at(name);
            const bool trains = trainable == Trainable::All || name.find(".mixer.") != std::string::npos;
            CHECK((tensor.data_ptr() == original.data_ptr()) == !trains);
            CHECK(at::equal(tensor.detach(), original) == !trains);
        }
        CHECK(test::sameBits(test::parametersOf(given[0].model), givenBefore));
        CHECK(test::sameBits(test::parametersOf(teacher), before));
    }
}

TEST_CASE("the fast group is the new mixers, or everything of attention as in the published code")
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    for (const FastGroup group : {FastGroup::NewMixers, FastGroup::Attention}) {
        StageTwoOptions options = shortRun();
        options.fastGroup = group;
        options.restLearningRate = 0.0;
        const std::vector<Student> given = keepOne(teacher, {1});
        StageTwo stage(teacher, given, source, options);
        advance(stage, 1);
        for (const auto &[name, tensor] : byName(stage.students()[0].model)) {
            CAPTURE(name);
            const bool ofAttention = name.find("self_attn") != std::string::npos || name.find("input_layernorm") != std::string::npos;
            const bool fast = name.find(".mixer.") != std::string::npos || (group == FastGroup::Attention && ofAttention);
            CHECK(at::equal(tensor.detach(), byName(given[0].model).at(name)) == !fast);
        }
    }
}

TEST_CASE("norms, A_log and dt_bias are never decayed")
{
    const nn::Transformer teacher = test::tinyTeacher();
    test::FixedSource source(test::raggedBatch(4, 12));
    std::map<std::string, at::Tensor> results[2];
    for (const int decays : {0, 1}) {
        StageTwoOptions options = shortRun();
        options.weightDecay = decays == 1 ? 5.0 : 0.0;
        StageTwo stage(teacher, keepOne(teacher, {1}), source, options);
        advance(stage, 1);
        results[decays] = byName(stage.students()[0].model);
    }
    int exempt = 0;
    for (const auto &[name, tensor] : results[0]) {
        const bool isExempt = name.find("norm") != std::string::npos || name.find("A_log") != std::string::npos || name.find("dt_bias") != std::string::npos;
        CAPTURE(name);
        CHECK(at::equal(tensor.detach(), results[1].at(name).detach()) == isExempt);
        exempt += isExempt ? 1 : 0;
    }
    CHECK(exempt >= 9 + 6);   // two norms a block and the last one; A_log and dt_bias of three layers
}

TEST_CASE("evaluations come at their token counts, and one that fails is made up for")
{
    const nn::Transformer teacher = test::tinyTeacher();
    test::FixedSource source({test::raggedBatch(4, 12).ids_BT, {}, {}});   // 48 tokens a step
    StageTwoOptions options = shortRun(4);
    std::vector<std::pair<std::int64_t, std::int64_t>> calls;
    bool fails = false;
    options.evaluateAtTokens = {0, 40, 96, 100, 190, 1000};
    options.onEvaluate = [&](std::int64_t step, std::int64_t tokens) {
        if (fails)
            throw Error(ErrorCode::Cancelled, "stop");
        calls.emplace_back(step, tokens);
    };
    StageTwo stage(teacher, keepOne(teacher, {1}), source, options);
    advance(stage, 3);
    CHECK((calls == std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 0}, {1, 48}, {2, 96}, {3, 144}}));
    fails = true;
    CHECK_THROWS_AS(stage.advance({}), Error);
    CHECK(stage.step() == 4);
    CHECK(stage.totalSteps() == 5);

    fails = false;
    StageTwo resumed(teacher, keepOne(teacher, {1}), source, options);
    resumed.restore(stage.state(true));
    CHECK(resumed.totalSteps() == 5);
    resumed.advance({});
    CHECK(resumed.totalSteps() == 4);
    CHECK(calls.size() == 5);
    CHECK(calls.back() == std::pair<std::int64_t, std::int64_t>{4, 192});
    CHECK(test::sameBits(test::parametersOf(resumed.students()[0].model), test::parametersOf(stage.students()[0].model)));
}

TEST_CASE("stage 2 goes on from its state bit for bit")
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    const auto fresh = [&] { return StageTwo(teacher, keepOne(teacher, {0, 2}), source, shortRun(5)); };
    StageTwo whole = fresh(), first = fresh(), second = fresh();
    advance(whole, 5);
    advance(first, 2);
    second.restore(first.state(true));
    advance(second, 3);
    for (std::size_t i = 0; i < 2; ++i)
        CHECK(test::sameBits(test::parametersOf(second.students()[i].model), test::parametersOf(whole.students()[i].model)));
    CHECK(second.metrics()[1].bestLoss == whole.metrics()[1].bestLoss);
}

TEST_CASE("a stop during backward leaves the last complete step")
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    std::vector<Student> students = keepOne(teacher, {3});
    std::stop_source stop;
    students[0].model.blocks[2].mixer = std::make_shared<StoppingMixer>(students[0].model.blocks[2].mixer, stop);
    StageTwo stage(teacher, students, source, shortRun());
    const std::vector<at::Tensor> before = test::parametersOf(stage.students()[0].model);
    try {
        stage.advance(stop.get_token());
        FAIL("not stopped");
    } catch (const Error &error) {
        CHECK((error.code() == ErrorCode::Cancelled));
    }
    CHECK(stop.stop_requested());
    CHECK(stage.step() == 0);
    CHECK(test::sameBits(test::parametersOf(stage.students()[0].model), before));
    CHECK_FALSE(stage.students()[0].model.finalNorm_D.grad().defined());
}

TEST_CASE("a loss that is not finite stops before the update and names the student")
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    StageTwo stage(teacher, keepOne(teacher, {0, 1}), source, shortRun());
    advance(stage, 1);
    const std::vector<at::Tensor> before = test::parametersOf(stage.students()[0].model);
    stage.students()[1].model.finalNorm_D.detach()[0] = std::numeric_limits<float>::quiet_NaN();
    try {
        stage.advance({});
        FAIL("not stopped");
    } catch (const Error &error) {
        CHECK((error.code() == ErrorCode::NonFinite));
        CHECK(std::string(error.what()).find("keep-1") != std::string::npos);
        CHECK(std::string(error.what()).find("in step 1, first the weight keep-1/model.norm.weight;") != std::string::npos);
    }
    const std::vector<NamedTensor> values = stage.nonFinite().value();
    REQUIRE_FALSE(values.empty());
    CHECK(values[0].first == "weight.keep-1/model.norm.weight");
    CHECK(values[0].second[0].isnan().item<bool>());
    CHECK(std::all_of(values.begin(), values.end(), [](const NamedTensor &one) { return one.first.find("keep-1/") != std::string::npos && !one.second.isfinite().all().item<bool>(); }));
    CHECK(std::any_of(values.begin(), values.end(), [](const NamedTensor &one) { return one.first.starts_with("grad."); }));
    CHECK(stage.step() == 1);
    CHECK(test::sameBits(test::parametersOf(stage.students()[0].model), before));
}

TEST_CASE("a student that knows less than nothing is refused at the start")
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    StageTwoOptions options = shortRun();
    options.refuseHopelessStart = true;
    std::vector<Student> students = keepOne(teacher, {0});
    students[0].model.head_VD = students[0].model.head_VD * 30;
    StageTwo stage(teacher, students, source, options);
    try {
        stage.advance({});
        FAIL("not refused");
    } catch (const Error &error) {
        CHECK((error.code() == ErrorCode::Failed));
        CHECK(std::string(error.what()).find("keep-0") != std::string::npos);
    }
    CHECK(stage.step() == 0);
}

TEST_CASE("stage 2 refuses what it cannot train")
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource();
    StageTwoOptions none = shortRun(), cold = shortRun(), mixersOnly = shortRun();
    none.klWeight = 0.0;
    cold.temperature = 0.0;
    mixersOnly.trainable = Trainable::Mixers;
    const std::vector<Student> one = keepOne(teacher, {0});
    CHECK_THROWS_AS(StageTwo(teacher, {}, source, shortRun()), Error);
    CHECK_THROWS_AS(StageTwo(teacher, {one[0], one[0]}, source, shortRun()), Error);
    CHECK_THROWS_AS(StageTwo(teacher, one, source, shortRun(0)), Error);
    CHECK_THROWS_AS(StageTwo(teacher, one, source, none), Error);
    CHECK_THROWS_AS(StageTwo(teacher, one, source, cold), Error);
    CHECK_THROWS_AS(StageTwo(teacher, {{"teacher", teacher}}, source, mixersOnly), Error);
}

}  // namespace stagetwo_tests
