// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison/teacherchoices.h"

#include <QString>
#include <QStringList>

/// What specs, events and descriptions call things, in words for people. A name that is not known stays as it is.
namespace stillroom::widgets {

[[nodiscard]] QString selectorName(const QString &selector);     ///< "GA-S2 (short distillation)", "HALO (recall against the rest)"
[[nodiscard]] QString selectorMark(const QString &selector);     ///< as papers write it: "GA-S2", "AR-MH", "SMART"
[[nodiscard]] QString selectorMeasures(const QString &selector); ///< what it measures of a layer, in one line; empty for one that is not known
/// A field of the score spec that not all selectors read. \param object  that it stands in; empty for none
[[nodiscard]] QString fieldName(const QString &object, const QString &field);
[[nodiscard]] QString fieldChoiceName(const QString &choice);    ///< a value of such a field
[[nodiscard]] QString probeName(const QString &mixer);           ///< "GDN"; "no student" where a selector looked at the teacher alone
[[nodiscard]] QString scoresName(const QString &selector, const QString &mixer);                ///< "GA-S2 (short distillation) · probe GDN"
[[nodiscard]] QString choiceName(const comparison::Choice &choice);                             ///< "GA-S2 · GDN", "uniform from layer 0", …: not unique
[[nodiscard]] QString choiceGroup(const comparison::Choice &choice);                            ///< whose kind it is: "GA-S2", "SMART", "uniform", "published", …
[[nodiscard]] QString teacherName(const QString &name);           ///< the demo's in the person's language, any other as its files have it
[[nodiscard]] QString seedName(std::int64_t seed);
[[nodiscard]] QString runName(const QString &uuid);
[[nodiscard]] QString distinctName(const QString &name, const QString &distinction);
[[nodiscard]] QString layerNames(const experiment::LayerSet &layers);                           ///< "0, 4, 9"; "none" for none
[[nodiscard]] QString armName(const QString &arm);               ///< how a calibrated layer starts: "phases 1 and 2"
[[nodiscard]] QString phaseName(const QString &phase);           ///< of a job's progress
[[nodiscard]] QString featureNames(const QStringList &features); ///< of a teacher, as `inspect` gives them; "nothing" for none

}  // namespace stillroom::widgets
