// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "text/recalltask.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stillroom::procedures {

/// Endless fresh sequences of the recall task; which ones a step gets follows from the seed alone.
class RecallBatches final : public distillation::BatchSource {
public:
    RecallBatches(text::RecallMix task, std::int64_t batchSize, std::uint64_t seed);
    [[nodiscard]] distillation::Batch batch(std::int64_t step) override;
    [[nodiscard]] std::string description() const override;

private:
    text::RecallMix m_task;
    std::int64_t m_batchSize;
    std::uint64_t m_seed;
};

/// Sequences of equal length as one batch; every token counts.
[[nodiscard]] distillation::Batch recallBatch(const std::vector<text::RecallSequence> &sequences);

}  // namespace stillroom::procedures
