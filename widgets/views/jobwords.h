// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QDateTime;

/// What jobs are and how far they are, in words.
namespace stillroom::widgets {

struct QueuedJob;

/// "Scoring GDN with GA-S2", "Distilling GDN": what the job does. \param mixer, selector  empty where its kind has none
[[nodiscard]] QString jobText(const QString &kind, const QString &mixer, const QString &selector);
[[nodiscard]] QString jobText(const QueuedJob &job);
/// The last part of a path; the whole of what is none ("demo").
[[nodiscard]] QString teacherText(const QString &argument);
/// "≈ 3 min left, 14:32": the time at which it ends, with its day where that is another one. \param now  in local time
[[nodiscard]] QString leftText(double secondsLeft, const QDateTime &now);
/// A moment of the past: the time of today, else with the date.
[[nodiscard]] QString momentText(double unixSeconds, const QDateTime &now);
/// "62 %"; empty for an unknown length.
[[nodiscard]] QString percentText(qint64 done, qint64 total);

}  // namespace stillroom::widgets
