// SPDX-License-Identifier: GPL-3.0-or-later
// bench_klhead: the byte-budgeted KL head, forward and backward, beside the same head in one slice and beside whole logits under plain autograd,
// interleaved in one run. Peak memory is what tensors allocate above the inputs, on every device, after a warm-up (cuBLAS takes its workspace there).
// An unsliced way whose logits would not fit into the free memory runs on the first N/2, N/4 … tokens, and its seconds are scaled to N linearly: the
// report says so; that favours the sliced way a little, because the weight's cast and gradient, V x D, do not grow with N. JSON on standard output.
// The shape that one GPU must hold: --tokens 32768 --vocabulary 151936 --width 1536 --dtype bfloat16 --device cuda:0 --budget-mb 3000
#include "distillation/allocationmeter.h"
#include "distillation/klhead.h"
#include "nn/transformer.h"
#include "procedures/computesettings.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace {

using namespace stillroom;
using namespace stillroom::distillation;
using nlohmann::json;

struct Setting {
    std::int64_t tokens = 2048, vocabulary = 49152, width = 576, budgetMebibytes = 0, memoryMebibytes = 0;
    int students = 1, rounds = 5, threads = 1;
    std::string device = "cpu", dtype = "float32";
    bool frozen = false, plain = true;
    [[nodiscard]] bool onCpu() const { return device == "cpu"; }
};

struct Inputs {
    Head teacher;
    std::vector<Head> students;
};

Inputs makeInputs(const Setting &setting)
{
    auto generator = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t{7});
    const at::Device device = nn::parseDevice(setting.device);
    const at::ScalarType type = nn::parseComputeType(setting.dtype);
    const auto draw = [&](std::int64_t rows, double size, at::ScalarType as) {
        return (at::randn({rows, setting.width}, generator, at::TensorOptions(at::kFloat)) * size).to(device, as);
    };
    const double size = 1.0 / std::sqrt(static_cast<double>(setting.width));
    Inputs inputs{{draw(setting.tokens, 1.0, type), draw(setting.vocabulary, size, at::kFloat)}, {}};
    for (int i = 0; i < setting.students; ++i)
        inputs.students.push_back({draw(setting.tokens, 1.0, type).requires_grad_(), draw(setting.vocabulary, size, at::kFloat).requires_grad_(!setting.frozen)});
    return inputs;
}

/// The same heads on the first tokens only.
Inputs firstTokens(const Inputs &all, std::int64_t tokens)
{
    const auto cut = [&](const Head &head) {
        return Head{head.hidden_ND.detach().narrow(0, 0, tokens).requires_grad_(head.hidden_ND.requires_grad()), head.weight_VD};
    };
    Inputs inputs{cut(all.teacher), {}};
    for (const Head &student : all.students)
        inputs.students.push_back(cut(student));
    return inputs;
}

void dropGradients(Inputs &inputs)
{
    for (Head &student : inputs.students) {
        student.hidden_ND.mutable_grad().reset();
        student.weight_VD.mutable_grad().reset();
    }
}

void sliced(const Inputs &inputs, std::int64_t budgetBytes)
{
    KlHeadOptions options;
    options.budgetBytes = budgetBytes;
    for (HeadLoss &loss : klHead(inputs.teacher, inputs.students, {}, {}, options)) {
        loss.loss.backward();
        (void)loss.loss.item<double>();   // waits for the device
    }
}

KlHeadBytes planned(const Inputs &inputs, std::int64_t budgetBytes)
{
    KlHeadOptions options;
    options.budgetBytes = budgetBytes;
    return klHeadBytes(inputs.teacher, inputs.students[0], options);
}

void oneSlice(const Inputs &inputs)
{
    KlHeadBytes whole = planned(inputs, 0);
    whole.sliceTokens = inputs.teacher.hidden_ND.size(0);
    sliced(inputs, whole.total());
}

void wholeLogits(const Inputs &inputs)
{
    const auto logProbabilities = [](const Head &head) { return at::log_softmax(at::linear(head.hidden_ND, head.weight_VD.to(head.hidden_ND.scalar_type())).to(at::kFloat), -1); };
    at::Tensor teacher_NV;
    {
        const at::NoGradGuard noGrad;
        teacher_NV = logProbabilities(inputs.teacher);
    }
    for (const Head &student : inputs.students) {
        const at::Tensor loss = at::kl_div(logProbabilities(student), teacher_NV, at::Reduction::Sum, /*log_target=*/true) / inputs.teacher.hidden_ND.size(0);
        loss.backward();
        (void)loss.item<double>();
    }
}

/// One way to compute the losses and gradients, and what it took.
struct Way {
    std::string name;
    std::function<void(const Inputs &)> work;
    Inputs inputs;
    std::vector<double> wallSeconds, cpuSeconds;
    std::int64_t peakBytes = 0;
    [[nodiscard]] std::int64_t tokens() const { return inputs.teacher.hidden_ND.size(0); }
};

std::int64_t peakOf(const std::function<void(const Inputs &)> &work, Inputs inputs)
{
    const std::int64_t bytes = measureAllocations([&] { work(inputs); })->peakBytes();
    dropGradients(inputs);
    return bytes;
}

/// A way on all tokens, or on the largest N/2, N/4 … whose memory fits: read off its peaks on 128 and 256 tokens.
Way fitting(std::string name, std::function<void(const Inputs &)> work, const Inputs &all, std::int64_t availableBytes)
{
    std::int64_t tokens = all.teacher.hidden_ND.size(0);
    const std::int64_t probe = 128;
    if (tokens > 2 * probe) {
        (void)peakOf(work, firstTokens(all, probe));   // a warm-up
        const std::int64_t one = peakOf(work, firstTokens(all, probe)), two = peakOf(work, firstTokens(all, 2 * probe));
        while (tokens > 2 * probe && one + (two - one) / probe * (tokens - probe) > availableBytes)
            tokens /= 2;
    }
    return {std::move(name), std::move(work), firstTokens(all, tokens), {}, {}};
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void measure(Way &way, bool warmUp)
{
    const auto wall = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    const auto meter = measureAllocations([&] { way.work(way.inputs); });
    const double cpuSeconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    const double wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    dropGradients(way.inputs);
    if (warmUp)
        return;
    way.cpuSeconds.push_back(cpuSeconds);
    way.wallSeconds.push_back(wallSeconds);
    way.peakBytes = std::max(way.peakBytes, meter->peakBytes());
}

json spread(const std::vector<double> &seconds)
{
    return {{"median", median(seconds)}, {"min", *std::min_element(seconds.begin(), seconds.end())}, {"max", *std::max_element(seconds.begin(), seconds.end())}};
}

json report(const Way &way)
{
    return {{"tokens", way.tokens()}, {"wall_seconds", spread(way.wallSeconds)}, {"cpu_seconds", spread(way.cpuSeconds)}, {"peak_bytes", way.peakBytes}};
}

/// Processor time on the CPU, wall time on a GPU, for all N tokens.
double scaledSeconds(const Way &way, const Setting &setting)
{
    return median(setting.onCpu() ? way.cpuSeconds : way.wallSeconds) * static_cast<double>(setting.tokens) / static_cast<double>(way.tokens());
}

json comparison(const Way &ours, const Way &other, const Setting &setting)
{
    json result = {{"time_ratio", scaledSeconds(ours, setting) / scaledSeconds(other, setting)}};
    if (other.tokens() < setting.tokens)
        result["note"] = other.name + " does not fit with all tokens: measured on " + std::to_string(other.tokens()) + ", its seconds times " +
                         std::to_string(static_cast<double>(setting.tokens) / static_cast<double>(other.tokens()));
    return result;
}

json run(const Setting &setting)
{
    const Inputs inputs = makeInputs(setting);
    const KlHeadBytes bytes = planned(inputs, setting.budgetMebibytes << 20);
    const std::int64_t budget = setting.budgetMebibytes > 0 ? setting.budgetMebibytes << 20 : bytes.total();
    const std::int64_t allowed = budget + (setting.students - 1) * (bytes.results + bytes.castsPerStudent);
    const std::int64_t available = setting.memoryMebibytes > 0 ? setting.memoryMebibytes << 20 : procedures::availableBytes(nn::parseDevice(setting.device)) / 5 * 4;
    std::vector<Way> ways = {{"sliced", [&](const Inputs &all) { sliced(all, budget); }, firstTokens(inputs, setting.tokens), {}, {}}};
    ways.push_back(fitting("one_slice", oneSlice, inputs, available));
    if (setting.plain)
        ways.push_back(fitting("whole_logits_autograd", wholeLogits, inputs, available));
    for (int round = 0; round <= setting.rounds; ++round)
        for (Way &way : ways)
            measure(way, round == 0);
    json result = {{"benchmark", "klhead"}, {"tokens", setting.tokens}, {"vocabulary", setting.vocabulary}, {"width", setting.width}, {"students", setting.students},
                   {"frozen_head", setting.frozen}, {"device", setting.device}, {"dtype", setting.dtype}, {"threads", setting.threads}, {"rounds", setting.rounds},
                   {"slice_tokens", bytes.sliceTokens}, {"budget_bytes", allowed}, {"available_bytes", available}};
    for (const Way &way : ways)
        result["ways"][way.name] = report(way);
    result["peak_over_budget"] = static_cast<double>(ways[0].peakBytes) / static_cast<double>(allowed);
    for (std::size_t i = 1; i < ways.size(); ++i)
        result["sliced_over"][ways[i].name] = comparison(ways[0], ways[i], setting);
    return result;
}

}  // namespace

int main(int argc, char **argv)
{
    Setting setting;
    CLI::App app("The byte-budgeted KL head beside one slice and whole logits");
    app.add_option("--tokens", setting.tokens, "N")->check(CLI::PositiveNumber);
    app.add_option("--vocabulary", setting.vocabulary, "V")->check(CLI::PositiveNumber);
    app.add_option("--width", setting.width, "D")->check(CLI::PositiveNumber);
    app.add_option("--budget-mb", setting.budgetMebibytes, "MiB for one student, results included; 0: results + 256 MiB")->check(CLI::NonNegativeNumber);
    app.add_option("--memory-mb", setting.memoryMebibytes, "MiB that an unsliced way may take; 0: four fifths of what is free")->check(CLI::NonNegativeNumber);
    app.add_option("--students", setting.students)->check(CLI::PositiveNumber);
    app.add_option("--rounds", setting.rounds)->check(CLI::PositiveNumber);
    app.add_option("--threads", setting.threads)->check(CLI::PositiveNumber);
    app.add_option("--device", setting.device, "cpu or cuda:N");
    app.add_option("--dtype", setting.dtype)->check(CLI::IsMember({"float32", "bfloat16"}));
    app.add_flag("--frozen", setting.frozen, "the head does not train");
    app.add_flag("!--no-whole-logits", setting.plain, "leave out the plain way (its memory is N x V several times)");
    CLI11_PARSE(app, argc, argv);
    try {
        at::set_num_threads(setting.threads);
        std::cout << run(setting).dump(1) << '\n';
        return 0;
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
