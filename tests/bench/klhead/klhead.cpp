// SPDX-License-Identifier: GPL-3.0-or-later
// bench_klhead: the byte-budgeted KL head, forward and backward, beside the same head in one slice and beside whole logits under plain autograd,
// interleaved in one run. Peak memory is what tensors allocate above the inputs. JSON on standard output.
#include "distillation/allocationmeter.h"
#include "distillation/klhead.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace {

using namespace stillroom::distillation;
using nlohmann::json;

struct Setting {
    std::int64_t tokens = 2048, vocabulary = 49152, width = 576, budgetMebibytes = 0;
    int students = 1, rounds = 5, threads = 1;
    std::string device = "cpu", dtype = "float32";
    bool frozen = false, plain = true;
};

struct Inputs {
    Head teacher;
    std::vector<Head> students;
};

Inputs makeInputs(const Setting &setting)
{
    auto generator = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t{7});
    const at::Device device(setting.device);
    const at::ScalarType type = setting.dtype == "bfloat16" ? at::kBFloat16 : at::kFloat;
    const auto draw = [&](std::int64_t rows, double size, at::ScalarType as) {
        return (at::randn({rows, setting.width}, generator, at::TensorOptions(at::kFloat)) * size).to(device, as);
    };
    const double size = 1.0 / std::sqrt(static_cast<double>(setting.width));
    Inputs inputs{{draw(setting.tokens, 1.0, type), draw(setting.vocabulary, size, at::kFloat)}, {}};
    for (int i = 0; i < setting.students; ++i)
        inputs.students.push_back({draw(setting.tokens, 1.0, type).requires_grad_(), draw(setting.vocabulary, size, at::kFloat).requires_grad_(!setting.frozen)});
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

struct Way {
    std::string name;
    std::function<void()> work;
    std::vector<double> wallSeconds, cpuSeconds;
    std::int64_t peakBytes = 0;
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void measure(Way &way, Inputs &inputs)
{
    const auto wall = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    const auto meter = measureAllocations(way.work);
    way.cpuSeconds.push_back(static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
    way.wallSeconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count());
    way.peakBytes = std::max(way.peakBytes, meter->peakBytes());
    dropGradients(inputs);
}

json report(const Way &way)
{
    return {{"wall_seconds_median", median(way.wallSeconds)}, {"wall_seconds_min", *std::min_element(way.wallSeconds.begin(), way.wallSeconds.end())},
            {"cpu_seconds_median", median(way.cpuSeconds)}, {"cpu_seconds_min", *std::min_element(way.cpuSeconds.begin(), way.cpuSeconds.end())},
            {"peak_bytes", way.peakBytes}};
}

json run(const Setting &setting)
{
    Inputs inputs = makeInputs(setting);
    KlHeadOptions options;
    options.budgetBytes = setting.budgetMebibytes << 20;
    const KlHeadBytes bytes = klHeadBytes(inputs.teacher, inputs.students[0], options);
    const std::int64_t more = (setting.students - 1) * (bytes.results + bytes.castsPerStudent);
    KlHeadBytes whole = bytes;
    whole.sliceTokens = setting.tokens;
    std::vector<Way> ways = {{"sliced", [&] { sliced(inputs, options.budgetBytes); }, {}, {}}, {"one_slice", [&] { sliced(inputs, whole.total()); }, {}, {}}};
    if (setting.plain)
        ways.push_back({"whole_logits_autograd", [&] { wholeLogits(inputs); }, {}, {}});
    for (int round = 0; round <= setting.rounds; ++round) {
        for (Way &way : ways) {
            measure(way, inputs);
            if (round == 0)
                way.wallSeconds.clear(), way.cpuSeconds.clear();   // a warm-up
        }
    }
    json result = {{"benchmark", "klhead"}, {"tokens", setting.tokens}, {"vocabulary", setting.vocabulary}, {"width", setting.width}, {"students", setting.students},
                   {"frozen_head", setting.frozen}, {"device", setting.device}, {"dtype", setting.dtype}, {"threads", setting.threads}, {"rounds", setting.rounds},
                   {"slice_tokens", bytes.sliceTokens}, {"budget_bytes", bytes.total() + more}};
    for (const Way &way : ways)
        result["ways"][way.name] = report(way);
    const bool onCpu = setting.device == "cpu";
    const auto seconds = [&](const Way &way) { return onCpu ? median(way.cpuSeconds) : median(way.wallSeconds); };
    result["peak_over_budget"] = static_cast<double>(ways[0].peakBytes) / static_cast<double>(bytes.total() + more);
    result["time_over_one_slice"] = seconds(ways[0]) / seconds(ways[1]);
    if (setting.plain)
        result["time_over_whole_logits"] = seconds(ways[0]) / seconds(ways[2]);
    return result;
}

}  // namespace

int main(int argc, char **argv)
{
    Setting setting;
    CLI::App app("The byte-budgeted KL head beside one slice and whole logits");
    app.add_option("--tokens", setting.tokens, "N");
    app.add_option("--vocabulary", setting.vocabulary, "V");
    app.add_option("--width", setting.width, "D");
    app.add_option("--budget", setting.budgetMebibytes, "MiB for one student, results included; 0: results + 256 MiB");
    app.add_option("--students", setting.students);
    app.add_option("--rounds", setting.rounds);
    app.add_option("--threads", setting.threads);
    app.add_option("--device", setting.device);
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
