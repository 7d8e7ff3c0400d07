// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"
#include "selection/hiddenstatetraining.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stillroom::selection {

/// Which layers are softmax in a step of the supernet. The published law is not known (spec evaluation §4), so it is a choice.
enum class SamplingLaw {
    UniformSize,    ///< |S| uniform over 0 … largestKeep, then S uniform among the sets of that size
    Bernoulli,      ///< each layer by itself with probability keepProbability
};
/// "uniform-size" | "bernoulli". \throws Error(Usage)
[[nodiscard]] SamplingLaw parseSamplingLaw(const std::string &text);

struct SupernetOptions {
    SamplingLaw law = SamplingLaw::UniformSize;
    int largestKeep = 0;                ///< UniformSize
    double keepProbability = 0.25;      ///< Bernoulli
    std::uint64_t seed = 0;             ///< of the sets alone
    HiddenStateTrainingOptions training;
};

/// S of one step: a pure function of (options, numLayers, step), so that a resumed training draws what it would have drawn.
[[nodiscard]] experiment::LayerSet supernetSet(const SupernetOptions &options, int numLayers, std::int64_t step);

/// The supernet of PostNAS (arXiv 2508.15884): both operators in every layer, and one set of linear mixers that must serve under any choice of softmax
/// layers. Each step draws S and teaches the linear mixers outside S to keep hiddenError_B of the student that keeps S small; softmax attention, MLPs,
/// norms and embeddings are the teacher's and stay as they are. After it, students of different sets can be compared without training each.
class SupernetTraining final : public HiddenStateTraining {
public:
    /// Copies the mixers. \param source  must outlive the stage. \throws Error(Usage)
    SupernetTraining(const nn::Transformer &teacher, const std::vector<distillation::AlignedLayer> &aligned, distillation::BatchSource &source, SupernetOptions options);

    /// The mixers as they are now: handles, trained in place by later steps. Ascending by layer.
    [[nodiscard]] const std::vector<distillation::AlignedLayer> &layers() const { return m_mixers; }

private:
    [[nodiscard]] nn::Transformer student(std::int64_t step) const override;

    std::vector<distillation::AlignedLayer> m_mixers;
    SupernetOptions m_options;
};

}  // namespace stillroom::selection
