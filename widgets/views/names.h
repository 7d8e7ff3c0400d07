// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

/// What specs, events and descriptions call things, in words for people. A name that is not known stays as it is.
namespace stillroom::widgets {

[[nodiscard]] QString selectorName(const QString &selector);     ///< "ga-s2", "zero-shot-ga", …
[[nodiscard]] QString phaseName(const QString &phase);           ///< of a job's progress
[[nodiscard]] QString featureNames(const QStringList &features); ///< of a teacher, as `inspect` gives them; "nothing" for none

}  // namespace stillroom::widgets
