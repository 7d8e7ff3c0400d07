// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/meantscoring.h"

#include "error.h"

#include <doctest/doctest.h>

namespace meantscoring_tests {

using namespace stillroom;
using comparison::meantScoring;
using store::Scoring;

namespace {

/// What `selector` found in a task that scores with `own`.
Scoring scoringOf(const std::string &run, const std::string &selector, const std::string &own, const std::string &task = "score")
{
    return {.run = run, .task = task, .selector = selector, .mixer = "gdn", .status = store::RunStatus::Finished, .settings = R"({"kind":"score","selector":")" + own + "\"}"};
}

store::RunReference named(const std::string &uuid, const std::string &task = {})
{
    store::RunReference reference;
    reference.run.uuid = uuid;
    reference.task = task;
    return reference;
}

std::string refusal(const std::vector<Scoring> &scorings, const comparison::MeantScoring &meant)
{
    try {
        (void)meantScoring(scorings, meant, "demo", "the figure bars cannot be made");
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::Usage);
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("the scoring that is meant is its run's own, of the newest run that ended, or of the run that is named")
{
    std::vector<Scoring> all{scoringOf("first", "ga-s1", "ga-s2"), scoringOf("first", "ga-s2", "ga-s2"), scoringOf("second", "ga-s1", "ga-s2"), scoringOf("second", "ga-s2", "ga-s2"), scoringOf("third", "ga-s1", "ga-s2")};
    all.back().status = store::RunStatus::Interrupted;
    const auto meant = [&](const comparison::MeantScoring &one) { return &meantScoring(all, one, "demo", "x"); };
    CHECK(meant({}) == &all[3]);
    CHECK(meant({named("first"), {}, {}}) == &all[1]);
    CHECK(meant({named("first"), "ga-s1", {}}) == &all[0]);
    CHECK(meant({{}, "ga-s1", "gdn"}) == &all[2]);
    CHECK(meant({named("third"), {}, {}}) == &all[4]);      // broken off, and what stage 1 said is all that there is
    all.erase(all.begin(), all.end() - 1);
    CHECK(meant({}) == &all[0]);
}

TEST_CASE("a stage is meant by its name, and several scorings of one run are named")
{
    const std::vector<Scoring> all{scoringOf("pipe", "ga-s2", "ga-s2", "a"), scoringOf("pipe", "kl-bypass", "kl-bypass", "b")};
    CHECK(&meantScoring(all, {named("pipe", "a"), {}, {}}, "demo", "x") == &all[0]);
    CHECK(&meantScoring(all, {named("pipe", "b"), {}, {}}, "demo", "x") == &all[1]);
    CHECK(refusal(all, {}) == "the figure bars cannot be made: its run pipe has the scorings ga-s2 of gdn, kl-bypass of gdn: name one by selector and mixer");
    CHECK(refusal(all, {{}, "ga-s1", {}}).starts_with("the figure bars cannot be made: the workspace holds no such scoring of the teacher demo"));
    CHECK(refusal(all, {named("another"), {}, {}}).find("holds no such scoring") != std::string::npos);
}

}  // namespace meantscoring_tests
