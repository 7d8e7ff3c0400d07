// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "text/passkeys.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace stillroom::procedures {

/// Token ids of one row of a batch, padding left out.
[[nodiscard]] std::vector<text::TokenId> tokensWithoutPadding(const distillation::Batch &batch, std::int64_t row);

/// Passkey documents woven into the sequences of another source: as many of the same length, each one document without padding.
class PasskeyBatches final : public distillation::BatchSource {
public:
    /// \param sequences  are the text; padding is left out. \param answersOnly  only the positions that predict an answer count.
    PasskeyBatches(std::unique_ptr<distillation::BatchSource> sequences, text::PasskeyDocuments documents, std::uint64_t seed, bool answersOnly);
    [[nodiscard]] distillation::Batch batch(std::int64_t step) override;
    [[nodiscard]] std::string description() const override;

private:
    std::unique_ptr<distillation::BatchSource> m_sequences;
    text::PasskeyDocuments m_documents;
    std::uint64_t m_seed;
    bool m_answersOnly;
};

}  // namespace stillroom::procedures
