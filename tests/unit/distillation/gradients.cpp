// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/gradients.h"
#include "error.h"
#include "golden.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

namespace gradients_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

std::vector<double> normsOf(const std::vector<GradientGroup> &groups)
{
    const at::Tensor norms = gradientNorms(groups);
    return {norms.data_ptr<double>(), norms.data_ptr<double>() + norms.numel()};
}

std::vector<GradientGroup> threeGroups()
{
    return {{{test::normal({300, 7}, 1), test::normal({5}, 2)}}, {{}}, {{test::normal({64}, 3)}}};
}

}  // namespace

TEST_CASE("norms of groups equal a float64 loop")
{
    const std::vector<GradientGroup> groups = threeGroups();
    const std::vector<double> norms = normsOf(groups);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        double squares = 0.0;
        for (const at::Tensor &gradient : groups[i].gradients)
            for (std::int64_t k = 0; k < gradient.numel(); ++k)
                squares += std::pow(gradient.reshape({-1})[k].item<double>(), 2);
        CHECK(norms[i] == doctest::Approx(std::sqrt(squares)).epsilon(1e-6));
    }
    CHECK(norms[1] == 0.0);
}

TEST_CASE("a group's norm has the same bits alone and among others")
{
    const std::vector<GradientGroup> groups = threeGroups();
    CHECK(normsOf(groups)[2] == normsOf({groups[2]})[0]);
    CHECK(normsOf(groups)[0] == normsOf({groups[0]})[0]);
}

TEST_CASE("clipping scales each group by itself to the largest norm")
{
    std::vector<GradientGroup> groups = threeGroups();
    const at::Tensor before = groups[0].gradients[0].clone(), small = groups[2].gradients[0].clone();
    const std::vector<double> norms = normsOf(groups);
    const std::vector<double> prescale = {0.5, 1.0, 1.0 / (2.0 * norms[2])};
    const std::vector<double> reported = scaleAndClip(groups, norms, prescale, 1.0);
    CHECK(reported[0] == doctest::Approx(0.5 * norms[0]));
    CHECK(normsOf(groups)[0] == doctest::Approx(1.0).epsilon(1e-5));
    CHECK(test::relativeDifference(groups[0].gradients[0], before / norms[0]) < 1e-6);
    // Under the limit only the prescale acts.
    CHECK(test::relativeDifference(groups[2].gradients[0], small * prescale[2]) < 1e-6);
    const at::Tensor untouched = groups[2].gradients[0].clone();
    scaleAndClip(groups, normsOf(groups), {}, 0.0);
    CHECK(at::equal(groups[2].gradients[0], untouched));
}

TEST_CASE("a gradient that is not finite shows in its group's norm alone")
{
    for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        std::vector<GradientGroup> groups = threeGroups();
        groups[2].gradients[0][13] = bad;
        const std::vector<double> norms = normsOf(groups);
        CHECK(std::isfinite(norms[0]));
        CHECK_FALSE(std::isfinite(norms[2]));
    }
}

TEST_CASE("clipping wants one norm per group")
{
    const std::vector<GradientGroup> groups = threeGroups();
    CHECK_THROWS_AS(scaleAndClip(groups, std::vector<double>{1.0}, {}, 1.0), Error);
}

}  // namespace gradients_tests
