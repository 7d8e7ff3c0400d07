// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/partialresults.h"

#include "checkpoint/atomicfile.h"
#include "experiment/digest.h"
#include "experiment/spec.h"

#include <fstream>

namespace stillroom::procedures {
namespace {

std::string workKey(const ScoringStage &stage, const std::vector<std::string> &without)
{
    nlohmann::json spec = stage.spec;
    for (const std::string &field : without)
        spec.erase(field);
    spec["layers"] = nlohmann::json::array();
    return experiment::stageKey(spec, stage.inputs, stage.settings.deviceClass(), stage.settings.typeText());
}

}  // namespace

PartialResults::PartialResults(const ScoringStage &stage, const StageRun &run, const std::vector<std::string> &without) : m_run(run), m_work(workKey(stage, without))
{
}

std::string PartialResults::keyOf(const std::string &piece) const
{
    return experiment::sha256Hex(m_work + '\n' + piece);
}

std::optional<nlohmann::json> PartialResults::find(const std::string &piece) const
{
    const auto kept = m_run.fresh ? std::nullopt : m_run.stages().openStage(keyOf(piece), m_run.stop);
    if (!kept)
        return std::nullopt;
    nlohmann::json value = nlohmann::json::parse(std::ifstream(kept->folder / "piece.json"), nullptr, false);
    return value.is_discarded() ? std::nullopt : std::optional(std::move(value));
}

void PartialResults::keep(const std::string &piece, const nlohmann::json &value) const
{
    const store::StageCache cache = m_run.stages();
    const store::StageDraft draft = cache.beginStage(keyOf(piece));
    checkpoint::writeFileAtomically(draft.folder / "piece.json", value.dump());
    cache.commitStage(draft, {{"kind", "score-piece"}, {"piece", piece}}, true);
}

}  // namespace stillroom::procedures
