// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/specfields.h"
#include "store/experimentrows.h"

#include <QString>

#include <vector>

namespace stillroom::widgets {

/// What the table of runs does not show of an experiment: read where it stops nobody.
struct RunDetails {
    QString key;                              ///< of its stage, and of the artifact that it made or used; empty where it is not known
    QString device, failure;
    std::vector<SpecFieldText> changed;       ///< fields of its spec that are not as its kind has them by itself
};
[[nodiscard]] RunDetails runDetails(const store::Workspace &workspace, const store::ExperimentRow &row);

}  // namespace stillroom::widgets
