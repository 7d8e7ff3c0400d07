// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/meantscoring.h"

#include "error.h"
#include "shownname.h"

#include <algorithm>
#include <set>

namespace stillroom::comparison {
namespace {

using Fitting = std::vector<const store::Scoring *>;

bool fits(const MeantScoring &meant, const store::Scoring &one)
{
    return (!meant.run || meant.run->isOf(one.run, one.task)) && (meant.selector.empty() || meant.selector == one.selector) && (meant.mixer.empty() || meant.mixer == one.mixer);
}

/// Leaves those of which it is true, where there are any.
void prefer(Fitting &fitting, bool (*is)(const store::Scoring &))
{
    if (std::any_of(fitting.begin(), fitting.end(), [&](const store::Scoring *one) { return is(*one); }))
        std::erase_if(fitting, [&](const store::Scoring *one) { return !is(*one); });
}

bool hasEnded(const store::Scoring &one) { return one.status == store::RunStatus::Finished; }

}  // namespace

const store::Scoring &meantScoring(const std::vector<store::Scoring> &scorings, const MeantScoring &meant, const std::string &teacher, const std::string &forWhat)
{
    Fitting fitting;
    for (const store::Scoring &one : scorings)
        if (fits(meant, one))
            fitting.push_back(&one);
    if (meant.selector.empty())
        prefer(fitting, store::isOwnScoring);
    if (!meant.run)
        prefer(fitting, hasEnded);
    if (fitting.empty())
        throw Error(ErrorCode::Usage, forWhat + ": the workspace holds no such scoring of the teacher " + shownName(teacher) + ": stillroom-cli runs list shows what there is");
    const store::Scoring &newest = *fitting.back();
    std::set<std::string> names;
    for (const store::Scoring *one : fitting)
        if (one->run == newest.run)
            names.insert(one->selector + " of " + one->mixer);
    if (names.size() < 2)
        return newest;
    std::string all;
    for (const std::string &name : names)
        all += (all.empty() ? "" : ", ") + name;
    throw Error(ErrorCode::Usage, forWhat + ": its run " + newest.run + " has the scorings " + all + ": name one by selector and mixer");
}

}  // namespace stillroom::comparison
