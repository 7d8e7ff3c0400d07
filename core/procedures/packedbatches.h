// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distillation/batchsource.h"
#include "text/corpus.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stillroom::procedures {

/// Batches from a packed corpus, in an order that the seed decides anew for each pass; nothing of the corpus is held in memory.
class PackedBatches final : public distillation::BatchSource {
public:
    /// \param isolateDocuments  false: documents of one sequence see each other (only padding is kept apart).
    PackedBatches(text::PackedTokens tokens, std::int64_t batchSize, std::uint64_t seed, bool isolateDocuments, std::string contentHash);
    [[nodiscard]] distillation::Batch batch(std::int64_t step) override;
    [[nodiscard]] std::string description() const override;

private:
    text::PackedTokens m_tokens;
    std::int64_t m_batchSize;
    std::uint64_t m_seed;
    bool m_isolateDocuments;
    std::string m_contentHash;
};

/// Some sequences of a packed corpus as one batch.
[[nodiscard]] distillation::Batch readSequences(const text::PackedTokens &tokens, const std::vector<std::int64_t> &sequences, bool isolateDocuments);

}  // namespace stillroom::procedures
