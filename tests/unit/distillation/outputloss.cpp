// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/attentionoutputloss.h"
#include "error.h"
#include "golden.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

namespace outputloss_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

constexpr OutputLoss allLosses[] = {OutputLoss::RelativeMse, OutputLoss::Rms, OutputLoss::Squared, OutputLoss::MeanSquare, OutputLoss::RmsScaled};

/// The definitions of attentionoutputloss.h, token by token in float64.
double reference(OutputLoss loss, const at::Tensor &teacher_BTD, const at::Tensor &student_BTD, const at::Tensor &counted_BT)
{
    const std::int64_t width = teacher_BTD.size(-1);
    const at::Tensor teacher = teacher_BTD.to(at::kDouble).reshape({-1, width}), student = student_BTD.to(at::kDouble).reshape({-1, width});
    double errorSquares = 0.0, errorNorms = 0.0, targetSquares = 0.0, tokens = 0.0;
    for (std::int64_t t = 0; t < teacher.size(0); ++t) {
        if (!counted_BT.reshape({-1})[t].item<bool>())
            continue;
        double error = 0.0, target = 0.0;
        for (std::int64_t d = 0; d < width; ++d) {
            error += std::pow(teacher[t][d].item<double>() - student[t][d].item<double>(), 2);
            target += std::pow(teacher[t][d].item<double>(), 2);
        }
        errorSquares += error;
        errorNorms += std::sqrt(error);
        targetSquares += target;
        tokens += 1.0;
    }
    const double rms = errorNorms / std::sqrt(static_cast<double>(width)) / tokens;
    switch (loss) {
    case OutputLoss::RelativeMse:
        return errorSquares / targetSquares;
    case OutputLoss::Rms:
        return rms;
    case OutputLoss::Squared:
        return errorSquares / tokens;
    case OutputLoss::MeanSquare:
        return errorSquares / tokens / static_cast<double>(width);
    case OutputLoss::RmsScaled:
        return rms / std::sqrt(targetSquares / tokens / static_cast<double>(width));
    }
    return 0.0;
}

double value(OutputLoss loss, const OutputLossSums &sums, std::int64_t tokens, std::int64_t width)
{
    return sums.numerator.item<double>() / outputLossDenominator(loss, sums.targetSquares.item<double>(), tokens, width);
}

struct Case {
    at::Tensor teacher_BTD = test::normal({2, 4, 5}, 1, at::kDouble);
    at::Tensor student_BTD = test::normal({2, 4, 5}, 2, at::kDouble);
    at::Tensor counted_BT = at::tensor({1, 1, 0, 1, 1, 0, 0, 1}, at::kLong).reshape({2, 4}).to(at::kBool);
    std::int64_t tokens = 5;
};

}  // namespace

TEST_CASE("each form of the stage-1 loss is what its definition says")
{
    const Case c;
    for (const OutputLoss loss : allLosses) {
        CAPTURE(outputLossName(loss));
        const OutputLossSums sums = outputLossSums(loss, c.teacher_BTD, c.student_BTD, c.counted_BT);
        CHECK(value(loss, sums, c.tokens, 5) == doctest::Approx(reference(loss, c.teacher_BTD, c.student_BTD, c.counted_BT)).epsilon(1e-12));
        CHECK(parseOutputLoss(outputLossName(loss)) == loss);
    }
    CHECK_THROWS_AS((void)parseOutputLoss("mse"), Error);
}

TEST_CASE("gradients of each form agree with finite differences")
{
    Case c;
    for (const OutputLoss loss : allLosses) {
        CAPTURE(outputLossName(loss));
        at::Tensor student = c.student_BTD.clone().requires_grad_();
        outputLossSums(loss, c.teacher_BTD, student, c.counted_BT).numerator.backward();
        at::Tensor flat = c.student_BTD.view({-1});
        for (std::int64_t i = 0; i < flat.numel(); ++i) {
            const double kept = flat[i].item<double>(), h = 1e-6;
            flat[i] = kept + h;
            const double above = outputLossSums(loss, c.teacher_BTD, c.student_BTD, c.counted_BT).numerator.item<double>();
            flat[i] = kept - h;
            const double below = outputLossSums(loss, c.teacher_BTD, c.student_BTD, c.counted_BT).numerator.item<double>();
            flat[i] = kept;
            CHECK(student.grad().view({-1})[i].item<double>() == doctest::Approx((above - below) / (2 * h)).epsilon(1e-6));
        }
    }
}

TEST_CASE("an identical copy has loss 0, finite gradients and cosine 1; a zero output has relative MSE 1")
{
    const Case c;
    for (const OutputLoss loss : allLosses) {
        at::Tensor student = c.teacher_BTD.clone().requires_grad_();
        const OutputLossSums sums = outputLossSums(loss, c.teacher_BTD, student, c.counted_BT);
        sums.numerator.backward();
        CHECK(sums.numerator.item<double>() == 0.0);
        CHECK(at::equal(student.grad(), at::zeros_like(student)));
        CHECK(sums.cosineSum.item<double>() == doctest::Approx(5.0));
    }
    const OutputLossSums zero = outputLossSums(OutputLoss::RelativeMse, c.teacher_BTD, at::zeros_like(c.teacher_BTD), c.counted_BT);
    CHECK(value(OutputLoss::RelativeMse, zero, c.tokens, 5) == doctest::Approx(1.0));
    CHECK(zero.cosineSum.item<double>() == 0.0);
}

TEST_CASE("uncounted tokens are never read, not even when they are NaN")
{
    const Case c;
    const double bad = std::numeric_limits<double>::quiet_NaN();
    const at::Tensor skip = c.counted_BT.logical_not().unsqueeze(-1);
    for (const OutputLoss loss : allLosses) {
        at::Tensor student = c.student_BTD.masked_fill(skip, bad).requires_grad_();
        const OutputLossSums dirty = outputLossSums(loss, c.teacher_BTD.masked_fill(skip, bad), student, c.counted_BT);
        const OutputLossSums clean = outputLossSums(loss, c.teacher_BTD, c.student_BTD, c.counted_BT);
        dirty.numerator.backward();
        CHECK(dirty.numerator.item<double>() == clean.numerator.item<double>());
        CHECK(dirty.cosineSum.item<double>() == clean.cosineSum.item<double>());
        CHECK(student.grad().isfinite().all().item<bool>());
    }
}

TEST_CASE("sums of micro-batches give the loss of the whole window")
{
    const Case c;
    for (const OutputLoss loss : allLosses) {
        OutputLossSums parts[2];
        for (std::int64_t row = 0; row < 2; ++row)
            parts[row] = outputLossSums(loss, c.teacher_BTD.narrow(0, row, 1), c.student_BTD.narrow(0, row, 1), c.counted_BT.narrow(0, row, 1));
        const double numerator = (parts[0].numerator + parts[1].numerator).item<double>();
        const double denominator = outputLossDenominator(loss, (parts[0].targetSquares + parts[1].targetSquares).item<double>(), c.tokens, 5);
        CHECK(numerator / denominator == doctest::Approx(reference(loss, c.teacher_BTD, c.student_BTD, c.counted_BT)).epsilon(1e-12));
    }
}

TEST_CASE("a relative loss needs a target")
{
    CHECK_THROWS_AS((void)outputLossDenominator(OutputLoss::RelativeMse, 0.0, 5, 4), Error);
    CHECK_THROWS_AS((void)outputLossDenominator(OutputLoss::RmsScaled, std::numeric_limits<double>::quiet_NaN(), 5, 4), Error);
    CHECK(outputLossDenominator(OutputLoss::Rms, 0.0, 5, 4) == 5.0);
}

}  // namespace outputloss_tests
