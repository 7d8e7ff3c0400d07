// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/runreference.h"
#include "store/scorings.h"

#include <optional>
#include <string>
#include <vector>

namespace stillroom::comparison {

/// What a figure says of the scoring that it shows; what is empty may be any.
struct MeantScoring {
    std::optional<store::RunReference> run;      ///< or a stage of it
    std::string selector, mixer;
};

/// The scoring that is meant: of the run that scored last, one that ended before one that did not where no run is named, and there what its own selector found (stage 1 of a score run
/// leaves scores, too, which stand for the run where it has no others). \param scorings  of the teacher, oldest run first
/// \throws Error(Usage) "`forWhat`: …" where none fits, or several of one run do: then it names them
[[nodiscard]] const store::Scoring &meantScoring(const std::vector<store::Scoring> &scorings, const MeantScoring &meant, const std::string &teacher, const std::string &forWhat);

}  // namespace stillroom::comparison
