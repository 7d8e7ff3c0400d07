// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/heldoutkl.h"
#include "error.h"
#include "golden.h"
#include "tinystudents.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

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
    CHECK(HeldOutKl{{2.0}, {3}}.se() == 0.0);
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
        keeping.append(parts, i, student.forward(keeping.batch(i).ids_BT, keeping.places(i), at::kFloat).hidden_BTD, student.head_VD);
    }
    CHECK(parts.klNats == keeping.measure(student).klNats);
    CHECK(keeping.numSequences() == 6);
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
    }
    CHECK_THROWS_AS(HeldOutSet(broken, {test::raggedBatch(3, 6)}, {}), Error);
    HeldOutOptions stopped;
    std::stop_source stop;
    stop.request_stop();
    stopped.stop = stop.get_token();
    CHECK_THROWS_AS(HeldOutSet(teacher, {test::raggedBatch(3, 6)}, stopped), Error);
}
