// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelfiles.h"
#include "distillation/batchsource.h"
#include "text/recalltask.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace stillroom::procedures {

inline constexpr std::int64_t heldOutRows = 8;     ///< sequences of one held-out batch, at most

/// What a spec's `data` stands for: batches to train on, and a fixed, paired held-out set.
struct TrainingData {
    std::unique_ptr<distillation::BatchSource> training;
    std::vector<distillation::Batch> heldOut;     ///< at most heldOutRows sequences each, one batch at least; the same for every seed
    std::vector<std::string> hashes;              ///< of the files behind it: what a stage's key holds
    std::int64_t sequenceLength = 0;
    std::optional<text::RecallMix> recall;        ///< the task, where the data is the recall task
    std::shared_ptr<const text::Tokenizer> tokenizer;   ///< where the data is text
    double unknownShare = 0.0;                          ///< of the held-out text's tokens, those that stand for what the tokenizer cannot spell
};

/// Held-out sequence `index` of a recall task: from a stream that no training seed draws from, the same for all of them.
[[nodiscard]] text::RecallSequence heldOutRecall(const text::RecallMix &task, std::int64_t index);

/// The task that a spec's `data` describes. \throws Error(Usage) for sizes that cannot be.
[[nodiscard]] text::RecallMix recallTask(const nlohmann::json &data);

struct DataRequest {
    std::int64_t batchSequences = 1;
    std::uint64_t seed = 0;
    std::int64_t vocabSize = 0;
    std::function<void(std::int64_t done, std::int64_t total)> packingProgress;   ///< bytes
    std::stop_token stop;
};

/// \param data  the completed `data` of a spec. \param teacher  its tokenizer reads texts.
/// \throws Error(Usage) for what does not fit together (no files, ids outside the vocabulary, another recall task than the teacher's own (checkTrainedRecall), a text of which the tokenizer can spell less than half), Error(BadFile), Error(Cancelled).
[[nodiscard]] TrainingData openData(const nlohmann::json &data, const checkpoint::ModelFiles &teacher, const DataRequest &request);

/// Refuses what openData would, in its words, before anything is packed: files that are not there, hold nothing, too little or ids outside the teacher's vocabulary, a task or
/// a tokenizer larger than it, a task that is not the teacher's. Of a corpus above 16 MiB what lies behind its first held-out sequences stays for the run. \throws as openData
void checkData(const nlohmann::json &data, const checkpoint::ModelFiles &teacher, const std::stop_token &stop = {});

/// The hashes alone, without reading more than is needed for them.
[[nodiscard]] std::vector<std::string> dataHashes(const nlohmann::json &data, const checkpoint::ModelFiles &teacher, const std::stop_token &stop = {});

}  // namespace stillroom::procedures
