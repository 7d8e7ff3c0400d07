// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a job in a worker thread that allocates, touches and frees 192 MiB, and prints what is resident above the start, in MiB: after the step, after the
// job. A process of its own, because keeping pages is a setting of the process and must come before its threads. Argument: keep, or anything else.
#include "experiment/spec.h"
#include "freedpages.h"
#include "jobs/run.h"

#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace stillroom;
using nlohmann::json;

namespace {

double residentMebibytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:"))
            return std::stod(line.substr(6)) / 1024.0;
    return 0.0;
}

void takeStep()
{
    constexpr std::size_t blockBytes = std::size_t{24} << 20;
    std::vector<std::unique_ptr<char[]>> blocks;
    for (int i = 0; i < 8; ++i) {
        blocks.push_back(std::make_unique_for_overwrite<char[]>(blockBytes));
        std::memset(blocks.back().get(), 1, blockBytes);
    }
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    if (argv[1] == std::string("keep"))
        keepFreedPages();
    const double before = residentMebibytes();
    double afterStep = 0.0;
    jobs::LaunchOptions options;
    options.workspace = argv[2];
    options.procedure = [&](const json &, jobs::RunContext &) {
        takeStep();
        afterStep = residentMebibytes() - before;
        return json::object();
    };
    jobs::launch(experiment::completeSpec({{"kind", "align"}, {"teacher", "demo"}}), std::move(options))->wait();
    std::cout << afterStep << ' ' << residentMebibytes() - before << '\n';
    return 0;
}
