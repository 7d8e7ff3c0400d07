// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/schedule.h"
#include "error.h"
#include "golden.h"

#include <doctest/doctest.h>

namespace schedule_tests {

using namespace stillroom;
using namespace stillroom::distillation;

TEST_CASE("cosine and linear schedules equal PyTorch's schedulers")
{
    const nlohmann::json expected = test::golden("schedules");
    const auto compare = [](const std::vector<double> &values, const Schedule &schedule) {
        for (std::size_t step = 0; step < values.size(); ++step)
            CHECK(learningRateFactor(schedule, static_cast<std::int64_t>(step), static_cast<std::int64_t>(values.size())) == doctest::Approx(values[step]).epsilon(1e-12));
    };
    compare(expected["cosine_20_min0.1"], {ScheduleKind::Cosine, 0, 0.1});
    compare(expected["linear_16_min0.25"], {ScheduleKind::Linear, 0, 0.25});
}

TEST_CASE("the warm-up rises to 1 and every schedule goes on from there")
{
    for (const ScheduleKind kind : {ScheduleKind::Constant, ScheduleKind::Linear, ScheduleKind::Cosine, ScheduleKind::Wsd}) {
        const Schedule schedule{kind, 4, 0.2, 0.25};
        CHECK(learningRateFactor(schedule, 0, 24) == 0.25);
        CHECK(learningRateFactor(schedule, 3, 24) == 1.0);
        CHECK(learningRateFactor(schedule, 4, 24) == 1.0);
        double previous = 1.0;
        for (std::int64_t step = 4; step < 24; ++step) {
            const double factor = learningRateFactor(schedule, step, 24);
            CHECK(factor <= previous);
            CHECK(factor >= 0.2);
            previous = factor;
        }
    }
}

TEST_CASE("wsd is flat until its decay, which is a straight line")
{
    const Schedule schedule{ScheduleKind::Wsd, 0, 0.0, 0.2};
    CHECK(learningRateFactor(schedule, 0, 20) == 1.0);
    CHECK(learningRateFactor(schedule, 16, 20) == 1.0);
    CHECK(learningRateFactor(schedule, 17, 20) == doctest::Approx(0.75));
    CHECK(learningRateFactor(schedule, 19, 20) == doctest::Approx(0.25));
}

TEST_CASE("a warm-up as long as the run is all there is")
{
    const Schedule schedule{ScheduleKind::Cosine, 10, 0.0};
    CHECK(learningRateFactor(schedule, 9, 10) == 1.0);
    CHECK(learningRateFactor(Schedule{ScheduleKind::Cosine, 100}, 0, 10) == doctest::Approx(0.01));
}

TEST_CASE("a schedule refuses what it cannot mean")
{
    CHECK_THROWS_AS((void)learningRateFactor({}, 10, 10), Error);
    CHECK_THROWS_AS((void)learningRateFactor({}, -1, 10), Error);
    CHECK_THROWS_AS((void)learningRateFactor({ScheduleKind::Cosine, -1}, 0, 10), Error);
    CHECK_THROWS_AS((void)learningRateFactor({ScheduleKind::Cosine, 0, 1.5}, 0, 10), Error);
    CHECK_THROWS_AS((void)parseScheduleKind("cosin"), Error);
    CHECK(parseScheduleKind("wsd") == ScheduleKind::Wsd);
}

}  // namespace schedule_tests
