// SPDX-License-Identifier: GPL-3.0-or-later
// Answers one line of JSON per command on standard input: {"seconds", "cpu_seconds", "loss", "peak_bytes"}, the last one of tensors on an
// accelerator since the start (0 on the CPU). throughput.py runs it beside transformers.
#include "checkpoint/modelfiles.h"
#include "error.h"
#include "nn/transformer.h"

#include <ATen/ATen.h>
#include <ATen/DeviceAccelerator.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <chrono>
#include <ctime>
#include <iostream>
#include <string>

using namespace stillroom;

namespace {

at::Tensor loss(const nn::Transformer &model, const at::Tensor &ids_BT, at::ScalarType type)
{
    const std::int64_t last = ids_BT.size(1) - 1;
    const at::Tensor logits_BTV = model.logits(model.forward(ids_BT, {}, type).hidden_BTD).to(at::kFloat);
    return at::cross_entropy_loss(logits_BTV.narrow(1, 0, last).flatten(0, 1), ids_BT.narrow(1, 1, last).flatten());
}

double run(nn::Transformer &model, const at::Tensor &ids_BT, at::ScalarType type, const std::string &command)
{
    if (command == "forward") {
        const at::NoGradGuard noGrad;
        return loss(model, ids_BT, type).item<double>();
    }
    model.visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor.mutable_grad().reset(); });
    const at::Tensor value = loss(model, ids_BT, type);
    value.backward();
    return value.item<double>();
}

std::int64_t peakBytes(const at::Device &device)
{
    return device.is_cpu() ? 0 : at::accelerator::getDeviceStats(device.has_index() ? device.index() : at::accelerator::getDeviceIndex()).allocated_bytes[0].peak;
}

int serve(int argc, char **argv)
{
    if (argc != 7) {
        std::cerr << "usage: bench_throughput MODEL BATCH TOKENS THREADS DEVICE TYPE\n";
        return 2;
    }
    at::set_num_threads(std::stoi(argv[4]));
    const at::Device device = nn::parseDevice(argv[5]);
    const at::ScalarType type = nn::parseComputeType(argv[6]);
    nn::Transformer model = nn::loadTransformer(checkpoint::openModel(argv[1]), device);
    model.requireGrad(true);
    const std::int64_t batch = std::stoll(argv[2]), numTokens = std::stoll(argv[3]);
    // The same ids as in throughput.py: id n is 7919 n + 13 modulo the vocabulary.
    const at::Tensor ids_BT = (at::arange(batch * numTokens, at::TensorOptions(at::kLong)) * 7919 + 13).remainder(model.embedding_VD.size(0)).view({batch, numTokens}).to(device);
    for (std::string command; std::getline(std::cin, command);) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t cpuStart = std::clock();
        const double value = run(model, ids_BT, type, command);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        const double cpuSeconds = static_cast<double>(std::clock() - cpuStart) / CLOCKS_PER_SEC;
        std::cout << "{\"seconds\": " << seconds.count() << ", \"cpu_seconds\": " << cpuSeconds << ", \"loss\": " << value << ", \"peak_bytes\": " << peakBytes(device) << "}" << std::endl;
    }
    return 0;
}

}  // namespace

int main(int argc, char **argv)
{
    try {
        return serve(argc, argv);
    } catch (const Error &error) {
        std::cerr << error.what() << '\n';
        return exitStatus(error.code());
    }
}
