// SPDX-License-Identifier: GPL-3.0-or-later
// bench_calibration: attention statistics and Phase 1 beside one teacher forward over the same tokens with eager attention (all probabilities of a layer made,
// as a program that asks for attention maps does), interleaved in one run. Wall time, medians; peak memory above the loaded weights. JSON on standard output.
#include "calibration/attentionstatistics.h"
#include "calibration/phaseone.h"
#include "checkpoint/modelfiles.h"
#include "folders.h"
#include "freedpages.h"
#include "mixers/registry.h"
#include "nn/linear.h"
#include "nn/seed.h"
#include "nn/softmaxmixer.h"
#include "nn/tensorblocks.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace {

using namespace stillroom;
using nlohmann::json;

/// A teacher's layer that makes its whole map.
class EagerMixer final : public nn::TokenMixer {
public:
    explicit EagerMixer(std::shared_ptr<const nn::SoftmaxMixer> mixer) : m_mixer(std::move(mixer)) {}
    [[nodiscard]] std::string_view kind() const override { return "softmax"; }
    [[nodiscard]] std::string optionsJson() const override { return "{}"; }
    [[nodiscard]] at::Tensor forward(const at::Tensor &x_BTD, const nn::TokenPlaces &places, nn::LayerState *) const override
    {
        const auto &options = m_mixer->options();
        const at::Tensor v_BHTK = nn::repeatHeads(m_mixer->project(x_BTD, places).v_BGTK, options.numHeads / options.numKvHeads);
        return nn::linear(at::matmul(m_mixer->matrix(x_BTD, places), v_BHTK).transpose(1, 2).flatten(2), m_mixer->weights().wo_DHK, m_mixer->weights().bo_D);
    }
    [[nodiscard]] std::unique_ptr<nn::LayerState> initialState(std::int64_t, std::int64_t, at::ScalarType) const override { return nullptr; }
    [[nodiscard]] std::int64_t stateBytes(std::int64_t, std::int64_t, at::ScalarType) const override { return 0; }
    [[nodiscard]] double flopsPerToken(std::int64_t context) const override { return m_mixer->flopsPerToken(context); }
    [[nodiscard]] at::Tensor matrix(const at::Tensor &x_BTD, const nn::TokenPlaces &places) const override { return m_mixer->matrix(x_BTD, places); }
    [[nodiscard]] bool carries(nn::TeacherFeature) const override { return true; }
    void visitParameters(const nn::ParameterVisitor &) override {}
    [[nodiscard]] std::shared_ptr<nn::TokenMixer> clone() const override { return std::make_shared<EagerMixer>(*this); }

private:
    std::shared_ptr<const nn::SoftmaxMixer> m_mixer;
};

nn::Transformer eager(nn::Transformer model)
{
    for (nn::Block &block : model.blocks)
        block.mixer = std::make_shared<EagerMixer>(std::dynamic_pointer_cast<const nn::SoftmaxMixer>(block.mixer));
    return model;
}

double statusBytes(const std::string &field)
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(field + ":"))
            return std::stod(line.substr(field.size() + 1)) * 1024.0;
    return 0.0;
}

struct Cost {
    std::vector<double> seconds;
    double peakBytes = 0.0;    ///< above what the process held before

    template <typename Work>
    void measure(Work &&work)
    {
        returnFreedPages();
        std::ofstream("/proc/self/clear_refs") << "5";   // the peak starts anew
        const double before = statusBytes("VmRSS");
        const auto start = std::chrono::steady_clock::now();
        work();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        peakBytes = std::max(peakBytes, statusBytes("VmHWM") - before);
    }

    [[nodiscard]] double median() const
    {
        std::vector<double> sorted = seconds;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }
    [[nodiscard]] json toJson() const { return {{"seconds", median()}, {"all_seconds", seconds}, {"peak_bytes", peakBytes}}; }
};

struct Setting {
    std::string model, kind = "gdn";
    std::int64_t sequences = 8, length = 512;
    int rounds = 3, threads = 2;
};

json run(const Setting &setting)
{
    const at::NoGradGuard noGrad;
    const nn::Transformer teacher = nn::loadTransformer(checkpoint::openModel(setting.model), at::kCPU), eagerTeacher = eager(teacher);
    double weightBytes = 0.0;
    nn::Transformer(teacher).visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { weightBytes += static_cast<double>(tensor.nbytes()); });
    std::vector<distillation::AlignedLayer> students;
    for (int layer = 0; layer < static_cast<int>(teacher.blocks.size()); ++layer)
        students.push_back({layer, mixers::fromTeacher(setting.kind, "{}", teacher, layer, 1)});
    const at::Tensor ids_BT = at::randint(0, teacher.embedding_VD.size(0), {setting.sequences, setting.length}, nn::generatorFor(1, "bench"), at::TensorOptions(at::kLong));

    Cost forward, statistics, phaseOne;
    for (int round = 0; round < setting.rounds; ++round) {
        forward.measure([&] { (void)eagerTeacher.forward(ids_BT, {}, at::kFloat); });
        statistics.measure([&] {
            calibration::AttentionStatistics all(teacher);
            all.add(ids_BT, {}, at::kFloat);
        });
        phaseOne.measure([&] { (void)calibration::calibratePhaseOne(teacher, students, {ids_BT, {}, {}}, {}, at::kFloat); });
    }
    return {{"benchmark", "calibration"}, {"model", setting.model}, {"mixer", setting.kind}, {"sequences", setting.sequences}, {"length", setting.length}, {"threads", setting.threads},
            {"rounds", setting.rounds}, {"weight_bytes", weightBytes}, {"eager_forward", forward.toJson()}, {"statistics", statistics.toJson()},
            {"statistics_and_phase_one", phaseOne.toJson()}, {"statistics_over_forward", statistics.median() / forward.median()},
            {"phase_one_over_forward", phaseOne.median() / forward.median()}, {"promise", {{"phase_one_over_forward", 4.0}, {"peak_bytes", 1.5e9}}}};
}

}  // namespace

int main(int argc, char **argv)
{
    Setting setting;
    setting.model = (cacheFolder() / "models/SmolLM2-135M-Instruct.Q4_1.gguf").string();
    CLI::App app("Attention statistics and Phase 1 of Taylor-Calibrate beside one eager teacher forward");
    app.add_option("--model", setting.model, "a teacher; by default what `stillroom-cli fetch smollm2` brings");
    app.add_option("--mixer", setting.kind);
    app.add_option("--sequences", setting.sequences);
    app.add_option("--length", setting.length);
    app.add_option("--rounds", setting.rounds)->check(CLI::PositiveNumber);
    app.add_option("--threads", setting.threads);
    CLI11_PARSE(app, argc, argv);
    keepFreedPages();   // as the programs do
    nn::keepTensorsInLargeBlocks();
    try {
        at::set_num_threads(setting.threads);
        std::cout << run(setting).dump(1) << '\n';
        return 0;
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
