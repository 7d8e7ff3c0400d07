// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace stillroom::widgets {

class ChoiceBook;

/// A scoring that is there: it ended, so an equal one would only find its numbers again. One that runs or was broken off is none.
struct MadeScoring {
    std::string selector, mixer;              ///< mixer: "none" where the selector looks at the teacher alone
    std::int64_t seed = 0;
    std::string settings;                     ///< as store::Scoring has them
    QString name;
};
[[nodiscard]] std::vector<MadeScoring> madeScorings(const ChoiceBook &choices);
/// The one whose numbers would come out again; null for none. \param spec  of a scoring, complete
[[nodiscard]] const MadeScoring *equalScoring(const std::vector<MadeScoring> &made, const nlohmann::json &spec);
/// Whether any was made with this selector and probe, whatever its settings are.
[[nodiscard]] bool isScoredWith(const std::vector<MadeScoring> &made, const std::string &selector, const std::string &mixer);
/// The first seed from `first` up that none has used with this selector and probe.
[[nodiscard]] std::int64_t nextSeed(const std::vector<MadeScoring> &made, const std::string &selector, const std::string &mixer, std::int64_t first);

}  // namespace stillroom::widgets
