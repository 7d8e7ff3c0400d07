// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/race.h"
#include "procedures/selectors.h"
#include "procedures/stagerun.h"
#include "selection/shortdistillation.h"

#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

/// Which students of a scoring need no more training, as the spec's `early_stop` says.
namespace stillroom::procedures {

/// Read by the selectors that train students side by side.
inline constexpr std::array<SelectorField, 1> earlyStopFields{{{"early_stop", R"({"enabled": false, "window": 3, "keep": []})"}}};

[[nodiscard]] bool stopsEarly(const nlohmann::json &spec);
/// "race" or "stable"; what the spec leaves out is a race where the selector can. \param canRace  it has a value of each layer on each sequence
[[nodiscard]] std::string stopRule(const nlohmann::json &spec, bool canRace);

/// Refuses what would be taken without a word and stop nothing: a race of a selector that has none, an error bound without a race, too few evaluations.
/// \throws Error(Usage) naming the field
void checkEarlyStopRule(const nlohmann::json &spec, bool canRace);
/// The same of what depends on the teacher: K out of range, layers that are not scored, students that are parted into groups, a race on one sequence.
/// \param numStudents  different ones that train
void checkEarlyStop(const ScoringPlan &plan, bool canRace, std::size_t numStudents);

class EarlyStop {
public:
    virtual ~EarlyStop() = default;
    /// After an evaluation, said as an event too. \param curves  of all students; those that left before are shorter.
    /// \return the places among them of those that leave now
    [[nodiscard]] virtual std::vector<std::size_t> leaving(const std::vector<selection::StudentCurve> &curves) = 0;
    /// For the result: {"rule", "stopped", "tokens", "saved_fraction", …} of a scoring that came to its end with these curves. \param endedEarly  of all students
    [[nodiscard]] virtual nlohmann::json report(const std::vector<selection::StudentCurve> &curves, bool endedEarly) const = 0;
    /// Layers, best first, where students left one by one and their last scores are not of one evaluation.
    [[nodiscard]] virtual std::optional<experiment::Ranking> ranking(const std::vector<selection::StudentCurve> &curves) const = 0;
};

/// Everything stops when the best K layers have been the same for `window` + 1 evaluations, for every K of `early_stop.keep` (analysis::settled): simple, and
/// without a bound on its error.
class StableSets final : public EarlyStop {
public:
    using RankingAt = std::function<experiment::Ranking(const std::vector<selection::StudentCurve> &curves, std::size_t evaluation)>;
    StableSets(const ScoringStage &stage, const StageRun &run, RankingAt rankingAt) : m_stage(stage), m_run(run), m_rankingAt(std::move(rankingAt)) {}
    [[nodiscard]] std::vector<std::size_t> leaving(const std::vector<selection::StudentCurve> &curves) override;
    [[nodiscard]] nlohmann::json report(const std::vector<selection::StudentCurve> &curves, bool endedEarly) const override;
    [[nodiscard]] std::optional<experiment::Ranking> ranking(const std::vector<selection::StudentCurve> &) const override { return std::nullopt; }

private:
    const ScoringStage &m_stage;
    const StageRun &m_run;
    RankingAt m_rankingAt;
};

/// Successive elimination: one analysis::Race for every K of `early_stop.keep`; a student leaves when its layer is chosen or dropped in all of them, and
/// all others with the last one. With several K each race has its share of `early_stop.error`.
class LayerRace final : public EarlyStop {
public:
    /// \param before  students before the first layer's. \param higherIsBetter  a high KL speaks for keeping the layer
    LayerRace(const ScoringStage &stage, const StageRun &run, std::size_t before, bool higherIsBetter);
    [[nodiscard]] std::vector<std::size_t> leaving(const std::vector<selection::StudentCurve> &curves) override;
    [[nodiscard]] nlohmann::json report(const std::vector<selection::StudentCurve> &curves, bool endedEarly) const override;
    [[nodiscard]] std::optional<experiment::Ranking> ranking(const std::vector<selection::StudentCurve> &curves) const override;

private:
    /// The races as they stand after all evaluations of these curves: nothing is kept between calls, so that a resumed scoring decides as an undisturbed one.
    [[nodiscard]] std::vector<analysis::Race> races(const std::vector<selection::StudentCurve> &curves) const;

    const ScoringStage &m_stage;
    const StageRun &m_run;
    std::size_t m_before;
    bool m_higherIsBetter;
    std::vector<int> m_keep;
};

}  // namespace stillroom::procedures
