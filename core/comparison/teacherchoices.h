// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "choices/keeprule.h"
#include "store/scorings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::comparison {

enum class Origin {
    Scoring,       ///< a run measured it
    Smart,         ///< SMART, with a run's KLs as sensitivities
    Uniform,       ///< a grid
    Random,        ///< one random order of the layers
    Published,     ///< what others published for a teacher of this shape
    ByHand,        ///< a person's own set
};

/// One choice of layers, at every K that it has an answer for.
struct Choice {
    Origin origin = Origin::ByHand;
    std::string name;                            ///< unique: "RUN/TASK/SELECTOR/PROBE", "smart of …", "uniform-start", "random", "published:TEACHER/PROBE/SELECTOR"
    std::string selector;                        ///< who chose: "ga-s2", "uniform-start", …; of SMART, whose KLs it took
    std::string probe;                           ///< the mixer it was chosen for; empty for rules without one
    std::string run;                             ///< UUID of the scoring, SMART's too; empty for the others
    std::int64_t seed = 0;                       ///< of the scoring or the random order
    std::string note;                            ///< what to know of it; may be empty
    std::optional<choices::KeepRule> rule;       ///< none while a layer of the scoring has no score
    friend bool operator==(const Choice &a, const Choice &b) = default;
};

struct TeacherShape {
    int numLayers = 0;                           ///< L
    std::int64_t hiddenSize = 0;                 ///< D
};

/// Whether its layers may leave one by one, as a race settles their places.
[[nodiscard]] bool isRace(const store::Scoring &scoring);
/// What its choice is called.
[[nodiscard]] std::string scoringName(const store::Scoring &scoring);

/// Why its choice has no rule: "is still being scored", or of one that ended "scored 1 of 6 layers"
[[nodiscard]] std::string whyUnranked(const store::Scoring &scoring, int numLayers);

/// The one of that name. \throws Error(Usage) "`forWhat`: there is no scoring …", naming the nearest
[[nodiscard]] const store::Scoring &scoringNamed(const std::vector<store::Scoring> &scorings, const std::string &name, const std::string &forWhat);

inline constexpr std::uint64_t usualRandomSeed = 1;

/// What one scoring says: itself, and with KLs SMART of it after that; none where it is of another number of layers.
[[nodiscard]] std::vector<Choice> choicesOfScoring(const store::Scoring &scoring, const TeacherShape &teacher);
/// Those that no measurement changes: the uniform grids, a random order, and the published sets by probe and selector, those of one selector together.
/// \throws Error(Usage) as experiment::checkNumLayers
[[nodiscard]] std::vector<Choice> unmeasuredChoices(const TeacherShape &teacher, const choices::PublishedSets &published, std::uint64_t randomSeed = usualRandomSeed);

/// All choices that there are for a teacher, in an order that does not hang on K: choicesOfScoring of its scorings as they are given, then unmeasuredChoices.
/// \throws Error(Usage) as experiment::checkNumLayers
[[nodiscard]] std::vector<Choice> teacherChoices(const std::vector<store::Scoring> &scorings, const TeacherShape &teacher, const choices::PublishedSets &published,
                                                 std::uint64_t randomSeed = usualRandomSeed);

/// A person's own set. \throws Error(Usage) as experiment::validLayerSet
[[nodiscard]] Choice byHand(experiment::LayerSet layers, int numLayers);

}  // namespace stillroom::comparison
