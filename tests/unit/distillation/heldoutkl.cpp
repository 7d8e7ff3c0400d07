// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/heldoutkl.h"
#include "error.h"
#include "golden.h"
#include "tinystudents.h"

#include <ATen/core/grad_mode.h>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

namespace heldoutkl_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

nn::Transformer hybrid(const nn::Transformer &teacher) { return test::hybridOf(teacher, test::linearLayers(teacher, {0, 2})); }

/// Mean KL per sequence from whole float64 logits.
std::vector<double> reference(const nn::Transformer &teacher, const nn::Transformer &student, const Batch &batch)
{
    const at::NoGradGuard noGrad;
    const nn::TokenPlaces places{{}, batch.documents_BT, nullptr};
    const at::Tensor logTeacher = at::log_softmax(teacher.logits(teacher.forward(batch.ids_BT, places, at::kDouble).hidden_BTD), -1);
    const at::Tensor logStudent = at::log_softmax(student.logits(student.forward(batch.ids_BT, places, at::kDouble).hidden_BTD), -1);
    const at::Tensor kl_BT = (logTeacher.exp() * (logTeacher - logStudent)).sum(-1), keep = countedTokens(batch);
    std::vector<double> means;
    for (std::int64_t row = 0; row < keep.size(0); ++row)
        means.push_back(kl_BT[row].index({keep[row]}).mean().item<double>());
    return means;
}

}  // namespace

TEST_CASE("held-out KL per sequence equals whole float64 logits")
{
    const nn::Transformer wideTeacher = test::tinyTeacher(at::kDouble), wideStudent = hybrid(wideTeacher);
    const nn::Transformer teacher = test::tinyTeacher(), student = hybrid(teacher);
    const std::vector<Batch> batches = {test::raggedBatch(3, 12, 1), test::raggedBatch(2, 9, 2)};
    const HeldOutKl kl = HeldOutSet(teacher, batches, {}).measure(student);
    HeldOutOptions wide;
    wide.computeType = at::kDouble;
    const HeldOutKl exact = HeldOutSet(wideTeacher, batches, wide).measure(wideStudent);
    std::vector<double> expected;
    for (const Batch &batch : batches)
        for (const double mean : reference(wideTeacher, wideStudent, batch))
            expected.push_back(mean);
    REQUIRE(kl.klNats.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(exact.klNats[i] == doctest::Approx(expected[i]).epsilon(1e-11));
        CHECK(kl.klNats[i] == doctest::Approx(expected[i]).epsilon(1e-4));
        CHECK(kl.klNats[i] > 0.0);
    }
    CHECK(kl.totalTokens() == countedTokens(batches[0]).sum().item<std::int64_t>() + countedTokens(batches[1]).sum().item<std::int64_t>());
}

TEST_CASE("the teacher against itself has KL exactly 0")
{
    const nn::Transformer teacher = test::tinyTeacher();
    const HeldOutKl kl = HeldOutSet(teacher, {test::raggedBatch(4, 12)}, {}).measure(teacher);
    CHECK(kl.mean() == 0.0);
    CHECK(kl.se() == 0.0);
}

TEST_CASE("mean and standard error are over sequences")
{
    const HeldOutKl kl{{1.0, 2.0, 4.0, 5.0}, {10, 1, 10, 1}};
    CHECK(kl.mean() == 3.0);
    CHECK(kl.se() == doctest::Approx(std::sqrt((4.0 + 1.0 + 1.0 + 4.0) / 3.0 / 4.0)));
    CHECK(std::isnan(HeldOutKl{{2.0}, {3}}.se()));      // one value says nothing of the spread
    const HeldOutKl difference = pairedDifference(kl, {{0.5, 1.5, 3.5, 4.5}, {10, 1, 10, 1}});
    CHECK(difference.mean() == doctest::Approx(0.5));
    CHECK(difference.se() == doctest::Approx(0.0));
    CHECK_THROWS_AS((void)pairedDifference(kl, {{1.0}, {10}}), Error);
}

TEST_CASE("kept or computed anew, grouped or not, the KL has the same bits")
{
    const nn::Transformer teacher = test::tinyTeacher(), student = hybrid(teacher);
    const std::vector<Batch> batches = {test::raggedBatch(3, 12, 1), test::raggedBatch(3, 12, 2)};
    HeldOutOptions forgetful, half;
    forgetful.keepBytes = 0;
    half.keepBytes = 3 * 12 * 32 * 4;
    const HeldOutSet keeping(teacher, batches, {}), forgetting(teacher, batches, forgetful), halfKeeping(teacher, batches, half);
    CHECK(keeping.keptBytes() == 2 * half.keepBytes);
    CHECK(halfKeeping.keptBytes() == half.keepBytes);
    CHECK(forgetting.keptBytes() == 0);
    CHECK(forgetting.measure(student).klNats == keeping.measure(student).klNats);
    CHECK(halfKeeping.measure(student).klNats == keeping.measure(student).klNats);
    HeldOutKl parts;
    for (std::size_t i = 0; i < keeping.numBatches(); ++i) {
        const at::NoGradGuard noGrad;
        StudentsOnBatch together(keeping, i);
        together.add(parts, student.forward(keeping.batch(i).ids_BT, keeping.places(i), at::kFloat).hidden_BTD, student.head_VD);
        together.finish();
    }
    CHECK(parts.klNats == keeping.measure(student).klNats);
    CHECK(keeping.numSequences() == 6);
}

TEST_CASE("students measured together get the bits they get alone, heads of their own or the teacher's")
{
    const nn::Transformer teacher = test::tinyTeacher();
    std::vector<nn::Transformer> students = {hybrid(teacher), teacher, nn::deepCopy(hybrid(teacher))};
    students[2].head_VD = students[2].head_VD * 1.1;
    HeldOutOptions two, sliced;
    two.waitingBytes = 2 * 3 * 12 * 32 * 4;
    const std::vector<Batch> batches = {test::raggedBatch(3, 12, 1), test::raggedBatch(2, 9, 2)};
    KlHeadBytes bytes = klHeadBytes({at::zeros({36, 32}), teacher.head_VD}, {at::zeros({36, 32}), teacher.head_VD}, {});
    bytes.sliceTokens = 7;
    sliced.headBudgetBytes = bytes.total();
    for (const HeldOutOptions &options : {HeldOutOptions{}, two, sliced}) {
        const HeldOutSet set(teacher, batches, options);
        const std::vector<HeldOutKl> together = set.measure(students);
        REQUIRE(together.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(together[i].klNats == set.measure(students[i]).klNats);
            CHECK(together[i].tokens == together[0].tokens);
        }
        CHECK(together[1].mean() == 0.0);
        CHECK(together[0].klNats != together[2].klNats);
    }
    CHECK(HeldOutSet(teacher, batches, {}).measure(std::span<const nn::Transformer>()).empty());
}

TEST_CASE("waiting students hold no more than their bytes")
{
    const nn::Transformer teacher = test::tinyTeacher(), student = hybrid(teacher);
    const std::int64_t oneStudent = 3 * 12 * 32 * 4;
    HeldOutOptions options;
    options.waitingBytes = 2 * oneStudent;
    const HeldOutSet set(teacher, {test::raggedBatch(3, 12)}, options);
    StudentsOnBatch together(set, 0);
    std::vector<HeldOutKl> into(5);
    std::vector<std::int64_t> heads;
    for (HeldOutKl &one : into) {
        const at::NoGradGuard noGrad;
        together.add(one, student.forward(set.batch(0).ids_BT, set.places(0), at::kFloat).hidden_BTD, student.head_VD);
        heads.push_back(together.headEvaluations());
    }
    together.finish();
    together.finish();
    CHECK(heads == std::vector<std::int64_t>{0, 0, 3, 3, 6});
    CHECK(together.headEvaluations() == 8);
    for (const HeldOutKl &one : into)
        CHECK(one.klNats == set.measure(student).klNats);
}

TEST_CASE("a held-out set refuses what cannot be measured")
{
    const nn::Transformer teacher = test::tinyTeacher();
    Batch silent = test::raggedBatch(3, 6);
    silent.lossMask_BT[1].fill_(false);
    CHECK_THROWS_AS(HeldOutSet(teacher, {}, {}), Error);
    CHECK_THROWS_AS(HeldOutSet(teacher, {silent}, {}), Error);
    nn::Transformer broken = nn::deepCopy(hybrid(teacher));
    broken.finalNorm_D[3] = std::numeric_limits<float>::quiet_NaN();
    const HeldOutSet set(teacher, {test::raggedBatch(3, 6)}, {});
    try {
        (void)set.measure(broken);
        FAIL("not refused");
    } catch (const Error &error) {
        CHECK((error.code() == ErrorCode::NonFinite));
        CHECK(std::string(error.what()).find("sequence 0 ") != std::string::npos);
    }
    // A student that fails on a later batch: named by the sequence's place in the whole set.
    const HeldOutSet two(teacher, {test::raggedBatch(3, 6), test::raggedBatch(2, 6)}, {});
    const at::Tensor bad_BTD = at::full({2, 6, 32}, std::numeric_limits<double>::quiet_NaN(), at::kFloat);
    try {
        (void)two.measureBatch(1, std::vector<Head>{{bad_BTD, teacher.head_VD}});
        FAIL("not refused");
    } catch (const Error &error) {
        CHECK(std::string(error.what()).find("sequence 3 ") != std::string::npos);
    }
    CHECK_THROWS_AS(HeldOutSet(broken, {test::raggedBatch(3, 6)}, {}), Error);
    HeldOutOptions stopped;
    std::stop_source stop;
    stop.request_stop();
    stopped.stop = stop.get_token();
    CHECK_THROWS_AS(HeldOutSet(teacher, {test::raggedBatch(3, 6)}, stopped), Error);
}

}  // namespace heldoutkl_tests
