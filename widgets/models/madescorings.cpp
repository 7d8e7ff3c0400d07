// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/madescorings.h"

#include "models/choicebook.h"
#include "store/scorings.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::widgets {
namespace {

bool isOf(const MadeScoring &one, const std::string &selector, const std::string &mixer)
{
    return one.selector == selector && (one.mixer == mixer || one.mixer == "none");
}

}  // namespace

std::vector<MadeScoring> madeScorings(const ChoiceBook &choices)
{
    std::vector<MadeScoring> made;
    for (const store::Scoring &one : choices.scorings())
        if (one.status == store::RunStatus::Finished)
            made.push_back({one.selector, one.mixer, one.seed, one.settings, choices.scoringName(one)});
    return made;
}

const MadeScoring *equalScoring(const std::vector<MadeScoring> &made, const nlohmann::json &spec)
{
    const std::string settings = store::scoringSettings(spec);
    const auto seed = spec.at("seed").get<std::int64_t>();
    const auto found = std::find_if(made.begin(), made.end(), [&](const MadeScoring &one) { return one.seed == seed && one.settings == settings; });
    return found == made.end() ? nullptr : &*found;
}

bool isScoredWith(const std::vector<MadeScoring> &made, const std::string &selector, const std::string &mixer)
{
    return std::any_of(made.begin(), made.end(), [&](const MadeScoring &one) { return isOf(one, selector, mixer); });
}

std::int64_t nextSeed(const std::vector<MadeScoring> &made, const std::string &selector, const std::string &mixer, std::int64_t first)
{
    const auto isUsed = [&](std::int64_t seed) { return std::any_of(made.begin(), made.end(), [&](const MadeScoring &one) { return one.seed == seed && isOf(one, selector, mixer); }); };
    std::int64_t seed = first;
    while (isUsed(seed))
        ++seed;
    return seed;
}

}  // namespace stillroom::widgets
