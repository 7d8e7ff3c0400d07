// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/distinction.h"

#include <QString>

#include <vector>

namespace stillroom::widgets {

/// A job of a list of jobs.
struct ListedJob {
    QString text, teacher;             ///< what it does, and of which teacher: both stand in the list
    experiment::Sibling told;          ///< its settings, for those that are alike in these two
};

/// What each is called: what it does, and where others do the same, the fewest fields that tell it from them: "Scoring GDN with GA-S2 · seed 2".
[[nodiscard]] std::vector<QString> jobNames(const std::vector<ListedJob> &jobs);

}  // namespace stillroom::widgets
