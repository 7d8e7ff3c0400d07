// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/adamw.h"
#include "distillation/attentionoutputloss.h"
#include "distillation/batchsource.h"
#include "distillation/schedule.h"
#include "distillation/trainingloop.h"
#include "nn/residualstream.h"
#include "nn/transformer.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <memory>
#include <string>
#include <vector>

namespace stillroom::distillation {

struct StageOneOptions {
    OutputLoss loss = OutputLoss::RelativeMse;
    double learningRate = 1e-3;
    double weightDecay = 0.01;
    AdamWOptions adamw;                         ///< betas 0.9, 0.95
    Schedule schedule{ScheduleKind::Cosine};
    double clipNorm = 1.0;                      ///< per layer; 0: none
    bool globalClip = false;                    ///< one norm over all layers and the mean of their losses, as published code does: couples the layers
    std::int64_t steps = 0;
    std::int64_t microBatchSequences = 0;       ///< sequences of one forward pass; 0: the whole batch
    at::ScalarType computeType = at::kFloat;
    /// The base learning rate of each parameter of a layer's mixer, by its name there ("o_proj.weight"); 0: it stays as it is. Empty: learningRate for all.
    std::function<double(int layer, const std::string &parameter)> learningRateOf;
    bool decayAll = false;                      ///< weight decay on norms, A_log and dt_bias too, as Taylor-Calibrate's published code has it
    bool restoreBest = false;                   ///< at its end each layer gets the weights with which its lowest loss was measured, bit for bit
    bool bestAfterUpdate = false;               ///< keep the weights after the update that followed instead: one step off, as that code does
    std::int64_t patienceSteps = 0;             ///< a layer stops when its loss has not fallen by leastImprovement for so many steps; 0: never
    double leastImprovement = 0.0;              ///< as a share of the loss it is compared with
    bool fixedBatch = false;                    ///< the source gives the same batch in every step: the teacher runs once, and what it did is kept (2 tokens · D values per layer)
};

/// A linear mixer that learns to stand in for the teacher's softmax mixer of one layer.
struct AlignedLayer {
    int layer = 0;
    std::shared_ptr<nn::TokenMixer> mixer;
};

/// One layer in the step just done.
struct StageOneMetrics {
    int layer = 0;
    double loss = 0.0;            ///< as chosen by StageOneOptions::loss
    double relativeMse = 0.0;     ///< Σ‖y_T - y_S‖² / Σ‖y_T‖², whatever the loss
    double cosine = 0.0;          ///< mean over tokens of cos(y_T, y_S)
    double gradientNorm = 0.0;    ///< of the loss, before clipping
    double bestLoss = 0.0;        ///< lowest so far
    std::int64_t bestStep = 0;    ///< number of updates before it was measured
    double bestRelativeMse = 0.0, bestCosine = 0.0;   ///< in that step
    bool stopped = false;         ///< it ran out of patience; the other numbers are of its last step
};

/// Stage 1, attention-output alignment (arXiv 2512.20569; spec kl-selection §2): every student mixer gets the teacher's own normed layer input
/// and learns the teacher's mixer output; student outputs never go on. Layers are therefore independent problems, solved in one teacher pass
/// per batch; loss, clipping, optimizer and initialisation are per layer, so that layer l alone is bit-identical to layer l in the joint run.
/// The teacher runs block by block, and only one layer's graph lives at a time.
class StageOne final : public TrainingStage {
public:
    /// The mixers are copied (weights may be the teacher's own). \param source must outlive the stage.
    /// \throws Error(Usage) for a layer out of range or doubled, or options out of range.
    StageOne(const nn::Transformer &teacher, const std::vector<AlignedLayer> &students, BatchSource &source, StageOneOptions options);

    [[nodiscard]] std::int64_t step() const override { return m_step; }
    /// Fewer than StageOneOptions::steps once every layer has stopped.
    [[nodiscard]] std::int64_t totalSteps() const override;
    [[nodiscard]] std::int64_t tokens() const override { return m_tokens; }
    void advance(std::stop_token stop) override;
    [[nodiscard]] TrainingState state(bool withOptimizer) const override;
    void restore(const TrainingState &state) override;
    [[nodiscard]] std::optional<std::vector<NamedTensor>> nonFinite() const override { return m_nonFinite; }

    /// Of the last step, kept in checkpoints; empty before the first.
    [[nodiscard]] const std::vector<StageOneMetrics> &metrics() const { return m_metrics; }
    [[nodiscard]] double learningRate() const;   ///< of the last step, for a parameter whose base is StageOneOptions::learningRate
    /// The mixers as they are now (handles, trained in place by later steps), ascending by layer.
    [[nodiscard]] const std::vector<AlignedLayer> &layers() const { return m_layers; }

private:
    struct WindowSums;
    /// What decides whether a layer goes on.
    struct Patience {
        double loss = 0.0;             ///< that later ones are compared with
        std::int64_t step = 0;         ///< when it was measured
        bool stopped = false;
    };
    void forwardBackward(const Batch &micro, std::size_t microIndex, std::vector<WindowSums> &sums, const std::stop_token &stop);
    void layerBackward(std::size_t index, const nn::MixerValues &target, const nn::TokenPlaces &places, const at::Tensor &counted_BT, WindowSums &sums) const;
    void finishStep(const std::vector<WindowSums> &sums, std::int64_t countedTokens);
    [[nodiscard]] std::vector<std::size_t> activeLayers() const;
    void noteBest(StageOneMetrics &metrics, std::size_t index);
    void keepWeights(std::size_t index);
    void endLayers();
    void restoreScalars(const std::string &scalarsJson);
    void restoreBestWeights(const TrainingState &state);
    void dropGradients();

    nn::Transformer m_teacher;             ///< handles
    std::vector<AlignedLayer> m_layers;
    std::vector<AdamW> m_optimizers;       ///< one per layer
    BatchSource &m_source;
    StageOneOptions m_options;
    std::vector<StageOneMetrics> m_metrics;
    std::vector<Patience> m_patience;                    ///< one per layer
    std::vector<std::vector<at::Tensor>> m_best;         ///< copies of the trained parameters by layer; empty while there is none
    std::vector<std::vector<nn::MixerValues>> m_fixed;   ///< by micro-batch and layer, with fixedBatch
    std::optional<std::vector<NamedTensor>> m_nonFinite;                ///< of a step that failed
    std::int64_t m_step = 0, m_tokens = 0;
};

}  // namespace stillroom::distillation
