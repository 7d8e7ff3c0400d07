// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/eventlines.h"

#include "store/lines.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace stillroom;

namespace {

void makeCheckpoint(const std::filesystem::path &workspace, const std::string &path)
{
    std::filesystem::create_directories(workspace / path);
    std::ofstream(workspace / path / "DONE") << '\n';
}

}  // namespace

TEST_CASE("events are read by their type, whatever stands around them")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.start(R"({"kind":"score","data":{"type":"warning"}})");      // a spec may hold the word too
    writer.say(experiment::Metric{"loss", 1, 100, 0.5, "nats"});
    writer.say(experiment::Warning{"the \"type\":\"metric\" is no metric"});
    writer.append("{\"schema\":1,\"run\":\"torn");
    writer.append("\n");
    writer.say(experiment::Text{"note", "said"});
    std::vector<std::string> seen;
    store::readEvents(folder.path(), runName(1), {"warning", "text"}, [&](const experiment::Event &event) { seen.push_back(experiment::typeName(event.body)); });
    CHECK(seen == std::vector<std::string>{"warning", "text"});
    seen.clear();
    store::readEvents(folder.path(), runName(1), {"started"}, [&](const experiment::Event &event) { seen.push_back(experiment::typeName(event.body)); });
    CHECK(seen == std::vector<std::string>{"started"});
    store::readEvents(folder.path(), runName(2), {"started"}, [&](const experiment::Event &) { FAIL("there is no such run"); });
}

TEST_CASE("the last checkpoint is the latest that is whole")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.start();
    CHECK_FALSE(store::lastCheckpoint(folder.path(), runName(1)));
    for (const int step : {10, 20, 30})
        writer.say(experiment::CheckpointSaved{step, step * 100, "checkpoints/k/step-" + std::to_string(step)});
    makeCheckpoint(folder.path(), "checkpoints/k/step-10");
    makeCheckpoint(folder.path(), "checkpoints/k/step-20");
    std::filesystem::create_directories(folder.path() / "checkpoints/k/step-30");      // its process died while it wrote
    const auto last = store::lastCheckpoint(folder.path(), runName(1));
    REQUIRE(last);
    CHECK(last->step == 20);
    CHECK(last->tokens == 2000);
    CHECK(last->timeSeconds == 1764480000.0 + 0.5 * 3);
}
