// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/remainingtime.h"

#include <doctest/doctest.h>
#include <string>

using stillroom::jobs::RemainingTime;

namespace {

/// A clock made by hand: each step takes what the test says.
struct Phase {
    RemainingTime &time;
    std::string name = "stage 2";
    std::int64_t total = 1000, done = 0;
    double clock = 1764480000.0;

    void begin() { time.note(name, done, total, clock); }
    void steps(int count, double each)
    {
        for (int i = 0; i < count; ++i)
            time.note(name, ++done, total, clock += each);
    }
};

}  // namespace

TEST_CASE("nothing is said before ten steps")
{
    RemainingTime time;
    Phase phase{time};
    CHECK_FALSE(time.seconds());
    phase.begin();
    CHECK_FALSE(time.stepSeconds());
    phase.steps(9, 2.0);
    CHECK_FALSE(time.seconds());
    CHECK(*time.stepSeconds() == doctest::Approx(2.0));
    phase.steps(1, 2.0);
    REQUIRE(time.seconds());
    CHECK(*time.seconds() == doctest::Approx(2.0 * 990));
}

TEST_CASE("slow first steps and outliers do not shift it")
{
    RemainingTime time;
    Phase phase{time};
    phase.begin();
    phase.steps(4, 60.0);
    phase.steps(8, 1.0);
    CHECK(*time.seconds() == doctest::Approx(988.0));
    phase.steps(1, 3600.0);      // the computer slept
    CHECK(*time.seconds() == doctest::Approx(987.0));
}

TEST_CASE("the median is of the last fifty steps")
{
    RemainingTime time;
    Phase phase{time};
    phase.begin();
    phase.steps(500, 1.0);
    phase.steps(25, 3.0);        // half of them: the mean of the two in the middle
    CHECK(*time.seconds() == doctest::Approx(2.0 * 475));
    phase.steps(1, 3.0);
    CHECK(*time.seconds() == doctest::Approx(3.0 * 474));
}

TEST_CASE("several steps in one note are equally long ones")
{
    RemainingTime time;
    Phase phase{time};
    phase.begin();
    time.note(phase.name, 20, 1000, phase.clock + 10.0);
    CHECK(*time.seconds() == doctest::Approx(0.5 * 980));
    time.note(phase.name, 220, 1000, phase.clock + 30.0);      // 200 of 0.1 s: more than are remembered
    CHECK(*time.seconds() == doctest::Approx(0.1 * 780));
}

TEST_CASE("a pause belongs to no step")
{
    RemainingTime time;
    Phase phase{time};
    phase.begin();
    phase.steps(12, 1.0);
    SUBCASE("where the run goes on at the same step")
    {
        time.pause();
        phase.clock += 7200.0;
        phase.begin();
        CHECK(*time.seconds() == doctest::Approx(988.0));
        phase.steps(60, 1.5);
        CHECK(*time.seconds() == doctest::Approx(1.5 * 928));
    }
    SUBCASE("where it goes on at an earlier one")
    {
        time.pause();
        phase.clock += 7200.0;
        phase.done = 10;
        phase.begin();
        CHECK(*time.seconds() == doctest::Approx(990.0));
        phase.steps(1, 1.0);
        CHECK(*time.seconds() == doctest::Approx(989.0));
    }
}

TEST_CASE("without the pause being said, even many short pauses stay out of the median")
{
    RemainingTime time;
    Phase phase{time};
    phase.begin();
    for (int i = 0; i < 20; ++i) {
        phase.steps(3, 1.0);
        phase.clock += 500.0;
    }
    CHECK(*time.seconds() == doctest::Approx(940.0));
}

TEST_CASE("each phase is counted by itself")
{
    RemainingTime time;
    Phase first{time, "stage 1", 40};
    first.begin();
    first.steps(40, 5.0);
    CHECK(*time.seconds() == 0.0);
    Phase second{time, "stage 2", 100, 0, first.clock};
    second.begin();
    CHECK_FALSE(time.seconds());
    second.steps(10, 1.0);
    CHECK(*time.seconds() == doctest::Approx(90.0));
    Phase again{time, "stage 2", 100, 0, second.clock};       // the next of several equal ones
    again.begin();
    CHECK_FALSE(time.seconds());
}

TEST_CASE("a clock that was set back makes no step, and an unknown length no time")
{
    RemainingTime time;
    Phase phase{time};
    phase.begin();
    phase.steps(10, 1.0);
    phase.clock -= 86400.0;
    phase.steps(1, 0.0);
    CHECK(*time.seconds() == doctest::Approx(989.0));
    phase.steps(5, 1.0);
    CHECK(*time.seconds() == doctest::Approx(984.0));
    RemainingTime endless;
    Phase unknown{endless, "packing", 0};
    unknown.begin();
    unknown.steps(30, 1.0);
    CHECK_FALSE(endless.seconds());
}
