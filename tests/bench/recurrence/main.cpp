// SPDX-License-Identifier: GPL-3.0-or-later
// bench_recurrence: the chunked recurrence beside its rivals, all in one run, interleaved. JSON on standard output.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>
#include <c10/core/CPUAllocator.h>
#include <nlohmann/json.hpp>

#include "recurrence/rivals.h"

namespace {

using namespace stillroom;
using nlohmann::json;

struct Setting {
    std::string device = "cpu", dtype = "float32";
    int rounds = 9, threads = 1;
    bool tokenLoop = true;
};

struct Shape {
    std::int64_t B, T, H, D;
};

/// Counts what tensors occupy on the CPU, and the most of it.
class CountingAllocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(std::size_t bytes) override {
        if (bytes == 0)
            return {nullptr, nullptr, &release, at::Device(at::kCPU)};
        void *memory = nullptr;
        if (posix_memalign(&memory, 64, bytes) != 0)
            throw std::bad_alloc();
        s_inUse += bytes;
        s_peak = std::max(s_peak, s_inUse);
        return {memory, new Block{memory, bytes}, &release, at::Device(at::kCPU)};
    }
    void copy_data(void *to, const void *from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
    static void startPeak() { s_peak = s_inUse; }
    static std::size_t inUse() { return s_inUse; }
    static std::size_t peak() { return s_peak; }

private:
    struct Block {
        void *memory;
        std::size_t bytes;
    };
    static void release(void *context) {
        auto *block = static_cast<Block *>(context);
        if (!block)
            return;
        s_inUse -= block->bytes;
        std::free(block->memory);
        delete block;
    }
    inline static std::size_t s_inUse = 0, s_peak = 0;
};

/// As fla's benchmark draws them: q, k, v randn, g = logsigmoid(randn), beta = sigmoid(randn); keys of unit length.
recurrence::Inputs makeInputs(const std::string &mixer, const Shape &shape, const at::TensorOptions &options) {
    auto generator = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t{7});
    const auto draw = [&](at::IntArrayRef sizes) { return at::randn(sizes, generator, at::TensorOptions().dtype(at::kFloat)); };
    const auto leaf = [&](const at::Tensor &x, at::ScalarType type) { return x.to(options.dtype(type)).contiguous().set_requires_grad(true); };
    const auto type = c10::typeMetaToScalarType(options.dtype());
    const std::vector<std::int64_t> sizes{shape.B, shape.T, shape.H, shape.D};
    const auto unit = [](const at::Tensor &x) { return x / x.norm(2, -1, true); };
    recurrence::Inputs inputs;
    inputs.v_BTHV = leaf(draw(sizes), type);
    if (mixer == "gla") {
        inputs.q_BTHK = leaf(draw(sizes) / std::sqrt(static_cast<double>(shape.D)), type);
        inputs.k_BTHK = leaf(draw(sizes), type);
        inputs.g = leaf(at::log_sigmoid(draw(sizes)).clamp_min(-5), at::kFloat);
        return inputs;
    }
    const auto key = unit(draw(sizes)), beta = draw({shape.B, shape.T, shape.H, 1}).sigmoid();
    const auto g = at::log_sigmoid(draw({shape.B, shape.T, shape.H}));
    inputs.q_BTHK = leaf(unit(draw(sizes)) / std::sqrt(static_cast<double>(shape.D)), type);
    inputs.k_BTHK = leaf(beta * key, type);
    inputs.a_BTHK = leaf(-g.exp().unsqueeze(3) * key, type);
    inputs.g = leaf(g, at::kFloat);
    return inputs;
}

std::vector<at::Tensor *> leaves(recurrence::Inputs &inputs) {
    std::vector<at::Tensor *> all;
    for (auto *x : {&inputs.q_BTHK, &inputs.k_BTHK, &inputs.v_BTHV, &inputs.g, &inputs.a_BTHK})
        if (x->defined())
            all.push_back(x);
    return all;
}

/// Matrix-product operations of the chunk formula at C = 64 (spec: forward 2C(3K+2V) + 6KV a token and head for the delta rule,
/// 2C(K+V) + 4KV additive); forward and backward are counted as three forwards.
double usefulOperations(const std::string &mixer, const Shape &shape) {
    const double d = static_cast<double>(shape.D), tokens = static_cast<double>(shape.B * shape.T * shape.H);
    const double forward = mixer == "gla" ? 2 * 64 * (2 * d) + 4 * d * d : 2 * 64 * (5 * d) + 6 * d * d;
    return 3 * forward * tokens;
}

void synchronize(const at::Device &device) {
    if (device.is_cuda())
        static_cast<void>(at::zeros({}, at::TensorOptions().device(device)).item<float>());
}

/// Milliseconds of a clock that other programs do not disturb: the process's own time on one CPU thread, else the wall's.
double now(const at::Device &device, int threads) {
    if (device.is_cpu() && threads == 1) {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
    }
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Side {
    std::string name;
    std::function<void()> run;
    std::vector<double> ms{};
};

/// Every side once per round, after two warm-up rounds, so that all of them meet the same disturbances.
void interleave(std::vector<Side> &sides, const Setting &setting, const at::Device &device) {
    for (int round = -2; round < setting.rounds; ++round)
        for (auto &side : sides) {
            synchronize(device);
            const double start = now(device, setting.threads);
            side.run();
            synchronize(device);
            if (round >= 0)
                side.ms.push_back(now(device, setting.threads) - start);
        }
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

json spread(const std::vector<double> &values) {
    return {{"median", quantile(values, 0.5)}, {"p20", quantile(values, 0.2)}, {"p80", quantile(values, 0.8)}, {"best", quantile(values, 0.0)}};
}

std::vector<double> ratios(const Side &slower, const Side &faster) {
    std::vector<double> all;
    for (std::size_t i = 0; i < slower.ms.size(); ++i)
        all.push_back(slower.ms[i] / faster.ms[i]);
    return all;
}

/// Bytes above what inputs and their gradients take, at the peak of one forward and backward.
double peakBytes(const std::function<void()> &run) {
    CountingAllocator::startPeak();
    const auto before = CountingAllocator::inUse();
    run();
    return static_cast<double>(CountingAllocator::peak() - before);
}

json measure(const std::string &mixer, const Shape &shape, const Setting &setting) {
    const at::Device device(setting.device);
    const auto type = setting.dtype == "bfloat16" ? at::kBFloat16 : at::kFloat;
    auto inputs = makeInputs(mixer, shape, at::TensorOptions().device(device).dtype(type));
    const auto oGrad = at::randn(inputs.v_BTHV.sizes(), inputs.v_BTHV.options().requires_grad(false));
    const auto trained = [&](const std::function<at::Tensor()> &forward) {
        return [&inputs, oGrad, forward] {
            forward().backward(oGrad);
            for (auto *leaf : leaves(inputs))
                leaf->mutable_grad() = at::Tensor();
        };
    };
    const auto chunked = [&] { return recurrence::chunked(inputs).o_BTHV; };
    std::vector<Side> sides;
    sides.push_back({"chunked", trained(chunked)});
    sides.push_back({"chunked_forward", [&] {
                         const at::NoGradGuard noGrad;
                         static_cast<void>(chunked());
                     }});
    sides.push_back({"eager_chunks", trained([&] { return bench::eagerChunks(inputs); })});
    const auto d = shape.D;
    const auto numProducts = std::max<std::int64_t>(1, shape.B * shape.T * shape.H / d);
    const auto left = at::randn({numProducts, d, d}, inputs.v_BTHV.options().requires_grad(false)), right = at::randn_like(left);
    auto product = at::empty_like(left);
    sides.push_back({"matmul", [&] { at::bmm_out(product, left, right); }});
    if (device.is_cuda()) {
        const auto headsFirst = [](const at::Tensor &x) { return x.transpose(1, 2); };
        sides.push_back({"softmax_attention", trained([&] {
                             return at::scaled_dot_product_attention(headsFirst(inputs.q_BTHK), headsFirst(inputs.k_BTHK), headsFirst(inputs.v_BTHV), {}, 0.0, true)
                                 .transpose(1, 2);
                         })});
    } else if (setting.tokenLoop) {
        sides.push_back({"token_loop", trained([&] { return bench::tokenLoop(inputs); })});
    }
    interleave(sides, setting, device);

    json result{{"mixer", mixer}, {"B", shape.B}, {"T", shape.T}, {"H", shape.H}, {"D", shape.D}};
    for (const auto &side : sides)
        result["ms"][side.name] = spread(side.ms);
    for (std::size_t i = 2; i < sides.size(); ++i)
        if (sides[i].name != "matmul")
            result["times_faster_than"][sides[i].name] = spread(ratios(sides[i], sides[0]));
    const double peak = 2.0 * static_cast<double>(numProducts * d * d * d) / quantile(sides[3].ms, 0.5) / 1e6;
    const double rate = usefulOperations(mixer, shape) / quantile(sides[0].ms, 0.5) / 1e6;
    result["gflops"] = {{"matmul", peak}, {"chunked", rate}, {"share_of_matmul", rate / peak}};
    if (device.is_cpu()) {
        const double tokenHeads = static_cast<double>(shape.B * shape.T * shape.H);
        for (const auto &side : sides)
            if (side.name != "matmul")
                result["peak_bytes_per_token_head"][side.name] = peakBytes(side.run) / tokenHeads;
        result["saved_bytes_per_token_head"] = recurrence::savedBytesPerTokenHead(d, d, inputs);
    }
    return result;
}

double agreement(const std::string &mixer, const Setting &setting) {
    auto inputs = makeInputs(mixer, {2, 128, 2, 64}, at::TensorOptions().device(at::Device(setting.device)).dtype(at::kFloat));
    const auto ours = recurrence::chunked(inputs).o_BTHV, theirs = bench::eagerChunks(inputs);
    const auto loop = bench::tokenLoop(inputs);
    return std::max((ours - loop).abs().max().item<double>(), (theirs - loop).abs().max().item<double>()) / loop.abs().max().item<double>();
}

}  // namespace

int main(int argc, char **argv) {
    Setting setting;
    CLI::App app("Times the chunked recurrence against the same formula under plain autograd, a token loop and batched matrix products.");
    app.add_option("--device", setting.device, "cpu or cuda");
    app.add_option("--dtype", setting.dtype, "float32 or bfloat16")->check(CLI::IsMember({"float32", "bfloat16"}));
    app.add_option("--rounds", setting.rounds, "timed rounds")->check(CLI::Range(1, 1000));
    app.add_option("--threads", setting.threads, "torch threads (CPU)")->check(CLI::Range(1, 256));
    app.add_flag("!--no-token-loop", setting.tokenLoop, "leave the token loop out (it takes longest)");
    CLI11_PARSE(app, argc, argv);
    at::set_num_threads(setting.threads);
    CountingAllocator counting;
    c10::SetCPUAllocator(&counting, 10);
    const bool onCuda = at::Device(setting.device).is_cuda();
    const std::vector<Shape> shapes = onCuda ? std::vector<Shape>{{1, 8192, 96, 128}, {2, 16384, 16, 128}, {4, 2048, 16, 128},
                                                                  {4, 4096, 64, 128}, {8, 2048, 32, 256},  {8, 1024, 8, 64}}
                                             : std::vector<Shape>{{4, 512, 9, 64}, {1, 2048, 16, 128}};
    json report{{"device", setting.device}, {"dtype", setting.dtype}, {"threads", setting.threads}, {"rounds", setting.rounds}};
    for (const std::string mixer : {"gdn", "gla"}) {
        report["largest_relative_difference"][mixer] = agreement(mixer, setting);
        for (const auto &shape : shapes)
            report["results"].push_back(measure(mixer, shape, setting));
    }
    std::cout << report.dump(2) << '\n';
    return 0;
}
