// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelfiles.h"
#include "distillation/batchsource.h"

#include <vector>

/// Whether two models mean the same tokens by the same ids: only then does a KL between them say something.
namespace stillroom::procedures {

/// Looks at the ids that are measured and at what they stand for with each model's tokenizer. Vocabularies that one model pads to another size are the same; a few tokens that two files of one model
/// name differently are forgiven; and of a model without a tokenizer only the number of its ids is known.
/// \throws Error(Usage) in one sentence with the first id that differs
void checkSharedVocabulary(const std::vector<distillation::Batch> &heldOut, const checkpoint::ModelFiles &model, const checkpoint::ModelFiles &teacher);

}  // namespace stillroom::procedures
