// SPDX-License-Identifier: GPL-3.0-or-later
// bench_lockstep: M students of stage 2 one after another beside the same M in lock-step, interleaved in one run, with equal results required.
// A student alone costs the teacher's forward pass and three of its own, F_T + 3 F_S; in lock-step M share F_T. With r = F_S / F_T the speed-up is
// at most (1 + 3r) / (3r + 1/M). Times are processor time on the CPU, wall time on a GPU. JSON on standard output.
#include "distillation/stagetwo.h"
#include "distillation/tinystudents.h"
#include "freedpages.h"
#include "nn/tensorblocks.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace {

using namespace stillroom;
using namespace stillroom::distillation;
using nlohmann::json;

struct Setting {
    int layers = 6, width = 256, heads = 4, headDim = 64, vocabulary = 4096, students = 6, rounds = 5, threads = 1;
    std::int64_t sequences = 4, length = 256;
    std::string device = "cpu", dtype = "float32", mixer = "gdn";
};

double now(bool onCpu)
{
    if (onCpu)
        return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <typename Work>
double seconds(bool onCpu, Work &&work)
{
    const double start = now(onCpu);
    work();
    return now(onCpu) - start;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

class Bench {
public:
    explicit Bench(const Setting &setting)
        : m_setting(setting), m_onCpu(setting.device == "cpu"), m_teacher(test::softmaxModel(setting.layers, setting.width, setting.vocabulary, setting.heads, setting.headDim)),
          m_source({test::raggedBatch(setting.sequences, setting.length).ids_BT, {}, {}})
    {
        std::vector<nn::Transformer> models;
        for (int keep = 0; keep < setting.students; ++keep) {
            std::vector<int> linear;
            for (int layer = 0; layer < setting.layers; ++layer)
                if (layer != keep)
                    linear.push_back(layer);
            models.push_back(nn::deepCopy(test::hybridOf(m_teacher, test::linearLayers(m_teacher, linear, setting.mixer))));
            models.back().moveTo(at::Device(setting.device));
        }
        m_teacher.moveTo(at::Device(setting.device));
        m_options.steps = setting.rounds + 1;
        m_options.refuseHopelessStart = false;
        m_options.computeType = nn::parseComputeType(setting.dtype);
        std::vector<Student> all;
        for (std::size_t i = 0; i < models.size(); ++i) {
            all.push_back({"keep-" + std::to_string(i), models[i]});
            m_alone.push_back(std::make_unique<StageTwo>(m_teacher, std::vector<Student>{all.back()}, m_source, m_options));
        }
        m_together = std::make_unique<StageTwo>(m_teacher, all, m_source, m_options);
    }

    json run()
    {
        std::vector<double> alone, together, teacherForward, studentForward;
        for (int round = 0; round <= m_setting.rounds; ++round) {
            const double a = seconds(m_onCpu, [&] { for (const auto &stage : m_alone) stage->advance({}); });
            const double b = seconds(m_onCpu, [&] { m_together->advance({}); });
            const double t = forward(m_teacher), s = forward(m_together->students()[0].model);
            if (round == 0)
                continue;   // a warm-up
            alone.push_back(a);
            together.push_back(b);
            teacherForward.push_back(t);
            studentForward.push_back(s);
        }
        const double students = m_setting.students, r = median(studentForward) / median(teacherForward);
        const double bound = (1.0 + 3.0 * r) / (3.0 * r + 1.0 / students), speedUp = median(alone) / median(together);
        return {{"benchmark", "lockstep"}, {"layers", m_setting.layers}, {"width", m_setting.width}, {"vocabulary", m_setting.vocabulary}, {"students", m_setting.students},
                {"sequences", m_setting.sequences}, {"length", m_setting.length}, {"mixer", m_setting.mixer}, {"device", m_setting.device}, {"dtype", m_setting.dtype},
                {"rounds", m_setting.rounds}, {"alone_seconds", median(alone)}, {"lockstep_seconds", median(together)}, {"teacher_forward_seconds", median(teacherForward)},
                {"student_forward_seconds", median(studentForward)}, {"student_over_teacher", r}, {"speed_up", speedUp}, {"bound", bound},
                {"share_of_bound", speedUp / bound}, {"equal_results", equalResults()}};
    }

private:
    double forward(const nn::Transformer &model)
    {
        const at::NoGradGuard noGrad;
        const at::Tensor ids_BT = m_source.batch(0).ids_BT.to(model.device());
        return seconds(m_onCpu, [&] {
            const at::Tensor logits_BTV = model.logits(model.forward(ids_BT, {}, m_options.computeType).hidden_BTD);
            (void)logits_BTV.select(1, 0).sum().item<float>();   // waits for the device
        });
    }

    bool equalResults() const
    {
        for (std::size_t i = 0; i < m_alone.size(); ++i)
            if (!test::sameBits(test::parametersOf(m_alone[i]->students()[0].model), test::parametersOf(m_together->students()[i].model)))
                return false;
        return true;
    }

    Setting m_setting;
    bool m_onCpu;
    nn::Transformer m_teacher;
    test::FixedSource m_source;
    StageTwoOptions m_options;
    std::vector<std::unique_ptr<StageTwo>> m_alone;
    std::unique_ptr<StageTwo> m_together;
};

}  // namespace

int main(int argc, char **argv)
{
    Setting setting;
    CLI::App app("Students of stage 2 in lock-step beside the same students one after another");
    app.add_option("--layers", setting.layers);
    app.add_option("--width", setting.width);
    app.add_option("--heads", setting.heads);
    app.add_option("--head-dim", setting.headDim);
    app.add_option("--vocabulary", setting.vocabulary);
    app.add_option("--students", setting.students, "M, at most the layers");
    app.add_option("--sequences", setting.sequences);
    app.add_option("--length", setting.length);
    app.add_option("--rounds", setting.rounds);
    app.add_option("--threads", setting.threads);
    app.add_option("--device", setting.device);
    app.add_option("--dtype", setting.dtype);
    app.add_option("--mixer", setting.mixer);
    bool keepPages = true;
    app.add_flag("!--return-pages", keepPages, "leave the C library's habit of giving freed memory back, unlike the programs");
    CLI11_PARSE(app, argc, argv);
    if (keepPages) {
        keepFreedPages();
        nn::keepTensorsInLargeBlocks();
    }
    try {
        at::set_num_threads(setting.threads);
        std::cout << Bench(setting).run().dump(1) << '\n';
        return 0;
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
