// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"
#include "models/calibrationbook.h"
#include "store/scorings.h"
#include "store/workspace.h"

#include <QHash>
#include <QString>
#include <QVector>

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// What the store knows of one teacher, read where it stops nobody.
namespace stillroom::widgets {

/// A point of a training curve.
struct CurvePoint {
    double tokens = 0.0, value = 0.0;
};
using Curves = QHash<QString, QVector<CurvePoint>>;     ///< by series

/// A hybrid that was distilled and measured.
struct MeasuredHybrid {
    experiment::LayerSet layers;
    QString mixer;
    double klNats = 0.0, seNats = 0.0;      ///< seNats: NaN where it is not known
    std::int64_t numSequences = 0;          ///< behind both; 0: not known
    std::optional<double> recall, perplexity;
    std::int64_t tokens = 0;                ///< it was trained on; 0: not known
    QString run, task;              ///< where its curves are
    QString model;                  ///< as specs name it; empty where it is not known
};
/// Out of the result of a distillation; empty where it measured nothing.
[[nodiscard]] std::optional<MeasuredHybrid> measuredHybrid(const nlohmann::json &result, const QString &run, const QString &task);

/// A run that was broken off and whose stage nobody has made since.
struct ResumableRun {
    QString run;                    ///< UUID; empty: there is none
    QString kind, mixer, selector;
    bool wasCancelled = false;      ///< by a person; else its process went away
};

struct StoredResults {
    std::vector<store::Scoring> scorings;       ///< oldest run first
    std::vector<MeasuredHybrid> hybrids;        ///< oldest first
    std::vector<StoredCalibration> calibrations;      ///< newest first
    std::set<std::string> endedRuns;            ///< of this teacher, and all in the trash: no line of them is still to come
    ResumableRun resumable;
};
/// \param teacher  as specs name it. \throws stillroom::Error as the store does
[[nodiscard]] StoredResults storedResults(store::Workspace &workspace, const QString &teacher);

/// The curves of the first of these runs and tasks that has any: a run that reused an equal stage has none of its own.
[[nodiscard]] Curves storedCurves(const store::Workspace &workspace, const std::vector<MeasuredHybrid> &candidates);

/// Those of one run's stage as far as it got.
[[nodiscard]] Curves storedCurves(const store::Workspace &workspace, const QString &run, const QString &task);

/// The teacher that a stored spec names, or empty.
[[nodiscard]] QString teacherOf(const std::string &specJson);

}  // namespace stillroom::widgets
