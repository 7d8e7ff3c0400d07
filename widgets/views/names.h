// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison/teacherchoices.h"

#include <QString>
#include <QStringList>

/// What specs, events and descriptions call things, in words for people. A name that is not known stays as it is.
namespace stillroom::widgets {

[[nodiscard]] QString selectorName(const QString &selector);     ///< "ga-s2", "zero-shot-ga", …
[[nodiscard]] QString selectorMark(const QString &selector);     ///< as papers write it: "GA-S2", "AR-MH", "SMART"
[[nodiscard]] QString choiceName(const comparison::Choice &choice);                             ///< "GA-S2 · GDN", "uniform from layer 0", …: not unique
[[nodiscard]] QString seedName(std::int64_t seed);
[[nodiscard]] QString runName(const QString &uuid);
[[nodiscard]] QString distinctName(const QString &name, const QString &distinction);
[[nodiscard]] QString layerNames(const experiment::LayerSet &layers);                           ///< "0, 4, 9"; "none" for none
[[nodiscard]] QString phaseName(const QString &phase);           ///< of a job's progress
[[nodiscard]] QString featureNames(const QStringList &features); ///< of a teacher, as `inspect` gives them; "nothing" for none

}  // namespace stillroom::widgets
