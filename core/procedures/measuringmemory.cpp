// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/measuringmemory.h"

#include "distillation/trainingmemory.h"
#include "procedures/trainingdata.h"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::procedures {

std::int64_t Measuring::length() const
{
    return plan.spec.at("data").at("sequence_length").get<std::int64_t>();
}

std::int64_t Measuring::batch() const
{
    return std::min(plan.heldOutSequences, heldOutRows);
}

distillation::HeldOutOptions Measuring::heldOut() const
{
    return heldOutOptions(plan, computeType);
}

std::int64_t hiddenBytes(const Measuring &measuring, std::int64_t sequences, std::int64_t length)
{
    return sequences * length * measuring.teacher.config.hiddenSize * static_cast<std::int64_t>(at::elementSize(measuring.computeType));
}

std::int64_t heldOutBytes(const Measuring &measuring)
{
    return std::min(hiddenBytes(measuring, measuring.plan.heldOutSequences, measuring.length()), measuring.heldOut().keepBytes);
}

std::int64_t passBytes(const Measuring &measuring, std::int64_t sequences, std::int64_t length, bool documents)
{
    const auto of = [&](const nn::Transformer &model) { return distillation::forwardBytes(model, measuring.computeType, sequences, length, documents); };
    return std::max(of(measuring.teacher), of(measuring.linear));
}

bool hasDocuments(const nlohmann::json &data)
{
    return data.at("source") == "text" && data.at("isolate_documents").get<bool>();
}

MeasuringBytes studentsOnHeldOut(const Measuring &measuring, selection::HeldOutMeasure measure, std::int64_t students, std::int64_t prefixes)
{
    const distillation::HeldOutOptions options = measuring.heldOut();
    const std::int64_t hidden = hiddenBytes(measuring, measuring.batch(), measuring.length());
    const std::int64_t measured = selection::measureBytes(measuring.teacher, measure, options, measuring.batch(), measuring.length(), students);
    const std::int64_t waiting = measure == selection::HeldOutMeasure::Kl ? std::min(students, distillation::mostWaiting(hidden, options)) * hidden : 0;
    const std::int64_t pass = passBytes(measuring, measuring.batch(), measuring.length(), hasDocuments(measuring.plan.spec.at("data")));
    return {heldOutBytes(measuring), prefixes * hidden + std::max(waiting + pass, 2 * hidden + measured)};
}

MeasuringBytes nothingMeasured(const Measuring &)
{
    return {};
}

}  // namespace stillroom::procedures
