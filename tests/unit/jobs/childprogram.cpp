// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for stillroom-cli: `run SPEC --events --workspace W --run-id UUID`, with a made-up procedure that does what the spec's options say.
#include "error.h"
#include "jobs/run.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

using namespace stillroom;
using nlohmann::json;

namespace {

volatile std::sig_atomic_t interrupted = 0;

json work(const json &spec, jobs::RunContext &context)
{
    const std::string behaviour = spec.at("mixer").at("options").value("behaviour", "finish");
    const json options = spec.at("mixer").at("options");
    for (int step = 1; step <= options.value("steps", 3); ++step)
        context.sink(experiment::Metric{.series = "loss", .step = step, .tokens = step, .value = 1.0 / step, .unit = ""});
    if (behaviour == "crash")
        raise(SIGSEGV);
    if (behaviour == "killed")
        raise(SIGKILL);
    if (behaviour == "exit")
        _exit(7);
    if (behaviour == "fail")
        throw Error(ErrorCode::NonFinite, "The loss is not finite.", "step 3");
    if (behaviour == "garbage")
        std::cout << "no event\n{\"half\": " << std::endl;
    if (behaviour == "messages")
        std::cerr << "words for the log" << std::endl;
    while (behaviour == "wait" && interrupted == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    while (behaviour == "deaf")
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (interrupted != 0)
        throw Error(ErrorCode::Cancelled, "Stopped on request.");
    return json{{"resume", context.resume}, {"fresh", context.fresh}};
}

}  // namespace

int main(int argc, char **argv)
{
    jobs::RunContext context;
    std::string specFile;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "run")
            specFile = argv[++i];
        else if (word == "--workspace")
            context.workspace = argv[++i];
        else if (word == "--run-id")
            context.run = argv[++i];
        else if (word == "--resume")
            context.resume = true;
        else if (word == "--fresh")
            context.fresh = true;
        else if (word != "--events")
            return 2;
    }
    std::signal(SIGINT, [](int) { interrupted = 1; });
    const json spec = json::parse(std::ifstream(specFile));
    if (spec.at("mixer").at("options").value("behaviour", "") == "refuse") {
        std::cerr << "a note\nstillroom-cli: that cannot be: say something else\n";
        return 2;
    }
    const experiment::Event last = jobs::run(spec, context, work, [](const experiment::Event &event) { std::cout << experiment::toLine(event) << std::endl; });
    if (std::holds_alternative<experiment::Cancelled>(last.body))
        return 3;
    return std::holds_alternative<experiment::Finished>(last.body) ? 0 : 1;
}
