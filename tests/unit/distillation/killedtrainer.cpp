// SPDX-License-Identifier: GPL-3.0-or-later
// A small training in a process of its own, for the test that kills it. Usage: killed_trainer FOLDER LOG STEPS INTERVAL
// Appends "step loss" (hexadecimal floating point: every bit) to LOG after each step, and "resumed step" at its start.
#include "distillation/stagetwo.h"
#include "distillation/trainingloop.h"
#include "tinystudents.h"

#include <cstdio>
#include <exception>
#include <string>

#include <ATen/Parallel.h>

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

void train(const std::string &folder, const std::string &logFile, std::int64_t steps, double interval)
{
    const nn::Transformer teacher = test::tinyTeacher();
    TensorBatchSource source = test::shuffledSource(4, 16);
    StageTwoOptions options;
    options.steps = steps;
    options.schedule = {ScheduleKind::Cosine, 10, 0.1};
    options.mixerLearningRate = 3e-3;
    options.restLearningRate = 1e-3;
    options.microBatchSequences = 2;
    options.refuseHopelessStart = false;
    StageTwo stage(teacher, {{"student", test::hybridOf(teacher, test::linearLayers(teacher, {0, 1, 3}))}}, source, options);

    TrainingLoopOptions loop;
    loop.checkpointFolder = folder;
    loop.key = "killed-trainer";
    loop.checkpointSeconds = interval;
    loop.clockSeconds = [&] { return static_cast<double>(stage.step()); };   // ticks with the steps
    bool started = false;
    loop.onStep = [&] {
        std::FILE *log = std::fopen(logFile.c_str(), "a");
        if (started)
            std::fprintf(log, "%lld %a\n", static_cast<long long>(stage.step()), stage.metrics()[0].loss);
        else
            std::fprintf(log, "resumed %lld\n", static_cast<long long>(stage.step()));
        std::fclose(log);
        started = true;
    };
    runTraining(stage, loop);
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    try {
        at::set_num_threads(1);
        train(argv[1], argv[2], std::stoll(argv[3]), std::stod(argv[4]));
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
