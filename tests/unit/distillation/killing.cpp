// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/trainingcheckpoint.h"
#include "golden.h"
#include "temporaryfolder.h"

#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace killing_tests {

using namespace stillroom::distillation;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t steps = 240, interval = 4;
constexpr int kills = 22;

pid_t start(const fs::path &folder, const fs::path &log)
{
    const std::string program = STILLROOM_KILLED_TRAINER, stepText = std::to_string(steps), intervalText = std::to_string(interval);
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl(program.c_str(), program.c_str(), folder.c_str(), log.c_str(), stepText.c_str(), intervalText.c_str(), nullptr);
        ::_exit(127);
    }
    return child;
}

/// What a trainer wrote: losses by step (of every life), where each life began, and the last line's step.
struct TrainerLog {
    std::map<std::int64_t, std::vector<std::string>> losses;
    std::vector<std::int64_t> begins;
    std::int64_t lastStep = 0;

    explicit TrainerLog(const fs::path &file)
    {
        std::ifstream stream(file);
        std::string line;
        while (std::getline(stream, line) && !stream.eof()) {   // a last line without its newline is torn
            std::istringstream words(line);
            std::string first, second;
            words >> first >> second;
            if (first == "resumed") {
                begins.push_back(std::stoll(second));
                lastStep = begins.back();
            } else {
                lastStep = std::stoll(first);
                losses[lastStep].push_back(second);
            }
        }
    }
};

/// Waits until the trainer has begun its `life`-th life and done `more` steps in it, or has ended. \return whether it still runs.
bool waitForSteps(pid_t child, const fs::path &log, std::size_t life, std::int64_t more)
{
    for (;;) {
        if (::waitpid(child, nullptr, WNOHANG) == child)
            return false;
        const TrainerLog now(log);
        if (now.begins.size() >= life && now.lastStep >= now.begins.back() + more)
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}  // namespace

TEST_CASE("a training killed at random points ends with the losses and weights of an undisturbed one")
{
    const test::TemporaryFolder temporary;
    const fs::path calmFolder = temporary.path() / "calm", calmLog = temporary.path() / "calm.log", folder = temporary.path() / "killed", log = temporary.path() / "killed.log";
    int status = 0;
    const pid_t calm = start(calmFolder, calmLog);
    REQUIRE(::waitpid(calm, &status, 0) == calm);
    REQUIRE((WIFEXITED(status) && WEXITSTATUS(status) == 0));

    std::mt19937 random(20);
    int done = 0, betweenCheckpoints = 0;
    for (std::size_t life = 1;; ++life) {
        const pid_t child = start(folder, log);
        const std::int64_t more = done < 2 ? 1 : std::uniform_int_distribution<std::int64_t>(1, 14)(random);   // the first two die before any checkpoint
        if (done >= kills || !waitForSteps(child, log, life, more)) {
            ::waitpid(child, &status, 0);
            break;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(0, 6000)(random)));   // anywhere within a step or a write
        ::kill(child, SIGKILL);
        REQUIRE(::waitpid(child, &status, 0) == child);
        if (!WIFSIGNALED(status))
            break;   // it was done a moment before
        ++done;
        const CheckpointFolder checkpoints(folder);
        if (!checkpoints.steps().empty() && !checkpoints.hasFinal())
            ++betweenCheckpoints;
    }
    const TrainerLog expected(calmLog), killed(log);
    MESSAGE(done << " kills, " << betweenCheckpoints << " of them between the first and the last checkpoint, " << killed.begins.size() << " lives");
    CHECK(done >= 20);
    CHECK(betweenCheckpoints >= 15);

    CHECK(killed.losses.size() == static_cast<std::size_t>(steps));
    for (const auto &[step, losses] : expected.losses) {
        REQUIRE(killed.losses.count(step) == 1);
        for (const std::string &loss : killed.losses.at(step))   // those of steps done twice, too
            CHECK(loss == losses.front());
    }
    // No life repeats more than one interval of what the one before it had done.
    std::int64_t reached = 0;
    std::ifstream stream(log);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string first, second;
        words >> first >> second;
        if (first == "resumed")
            CHECK(reached - std::stoll(second) <= interval);
        else
            reached = std::stoll(first);
    }
    const TrainingState a = CheckpointFolder(calmFolder).newest("killed-trainer").value(), b = CheckpointFolder(folder).newest("killed-trainer").value();
    REQUIRE(a.weights.size() == b.weights.size());
    for (std::size_t i = 0; i < a.weights.size(); ++i)
        CHECK((a.weights[i].first == b.weights[i].first && at::equal(a.weights[i].second, b.weights[i].second)));
}

}  // namespace killing_tests
