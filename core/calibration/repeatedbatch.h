// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"

#include <string>

namespace stillroom::calibration {

/// The same sequences in every step: full-batch training.
class RepeatedBatch final : public distillation::BatchSource {
public:
    /// \param description  names the sequences for people and for a stage's key.
    RepeatedBatch(distillation::Batch sequences, std::string description);
    [[nodiscard]] distillation::Batch batch(std::int64_t step) override;
    [[nodiscard]] std::string description() const override { return m_description; }

private:
    distillation::Batch m_sequences;
    std::string m_description;
};

}  // namespace stillroom::calibration
