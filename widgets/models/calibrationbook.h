// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/calibrationreport.h"
#include "models/layerselection.h"
#include "report/figurespec.h"
#include "report/headfigures.h"
#include "store/workspace.h"

#include <QObject>
#include <QString>
#include <QVector>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stillroom::widgets {

/// A calibration of the open teacher that the workspace keeps.
struct StoredCalibration {
    QString run, task, name, arm, mixer;
    std::string key;
    double startedSeconds = 0.0;
    bool operator==(const StoredCalibration &) const = default;
};
/// Those whose results are there; newest first, of equal stages the first that ended. \param teacher  as specs name it. \throws stillroom::Error as the store does
[[nodiscard]] std::vector<StoredCalibration> storedCalibrations(const store::Workspace &workspace, const QString &teacher);

struct AlignmentPoint {
    double step = 0.0, value = 0.0;
};
/// Of Phase 2, by layer.
struct AlignmentCurves {
    std::map<int, QVector<AlignmentPoint>> relativeMse, cosine;
    [[nodiscard]] bool isEmpty() const { return relativeMse.empty() && cosine.empty(); }
    /// Takes a metric in, if it is one of these.
    bool add(const std::string &series, double step, double value);
};

/// What is read of one calibration, where it stops nobody: the report or why there is none, and its curves.
struct CalibrationFindings {
    std::shared_ptr<const CalibrationReport> report;
    QString problem;
    AlignmentCurves curves;
};
[[nodiscard]] CalibrationFindings calibrationFindings(const store::Workspace &workspace, const StoredCalibration &calibration);
/// The maps of a layer. \throws stillroom::Error
[[nodiscard]] std::vector<HeadMaps> calibrationMaps(const store::Workspace &workspace, const StoredCalibration &calibration, int layer);

class CalibrationBook;
/// As figures name it.
[[nodiscard]] report::StatisticShown statisticShown(const HeadStatistic &statistic);
/// "query head", "head with a state"; "number" of a layer's own
[[nodiscard]] std::string columnsName(const HeadStatistic &statistic);
/// With the layer and the head that are picked.
[[nodiscard]] report::Provenance headProvenance(const CalibrationBook &book, const std::string &title);

/// The calibrations of the open teacher: which one is looked at, by which statistic, and which head. The layer is the window's one selection.
class CalibrationBook final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CalibrationBook)

public:
    explicit CalibrationBook(LayerSelection &selection, QObject *parent = nullptr);

    /// Another teacher's.
    void clear();
    [[nodiscard]] const std::vector<StoredCalibration> &stored() const { return m_stored; }
    void setStored(std::vector<StoredCalibration> stored);
    [[nodiscard]] const StoredCalibration *chosen() const;
    void choose(const QString &run);
    /// What was read of the chosen one; null while it is on its way, or where it cannot be read.
    [[nodiscard]] const CalibrationReport *report() const { return m_findings.report.get(); }
    [[nodiscard]] const QString &problem() const { return m_findings.problem; }
    void setFindings(const StoredCalibration &of, CalibrationFindings findings);

    /// Where its figures come from, and what makes one again. \param plot  see report::plotNames()
    [[nodiscard]] report::Provenance provenance(const std::string &title) const;
    [[nodiscard]] report::FigureSpec figureSpec(const std::string &plot) const;

    /// Null without a report.
    [[nodiscard]] const HeadStatistic *statistic() const;
    void setStatistic(const QString &id);
    /// One that the statistic has: else how the arm ended, or the number that was measured once.
    [[nodiscard]] Side side() const;
    void setSide(Side side);

    /// The picked head: its layer is the selection's, if that was calibrated; -1: none.
    [[nodiscard]] int layer() const;
    [[nodiscard]] int head() const { return layer() < 0 ? -1 : m_head; }
    void pick(int layer, int head);
    /// Where none is picked, the one to look at first: that of the first alarm, else the first of all.
    void pickFirst();
    /// Of the picked layer, by head; null while they are on their way.
    [[nodiscard]] const std::vector<HeadMaps> *maps() const;
    [[nodiscard]] const QString &mapsProblem() const { return m_mapsProblem; }
    void setMaps(const StoredCalibration &of, int layer, std::vector<HeadMaps> maps, const QString &problem);

    /// A job calibrates: its curves are shown until another calibration is chosen.
    void beginLive(const QString &run);
    /// The job is over. \param key  of its stage, which an older calibration may have made already; empty: it did not finish
    void endLive(const std::string &key);
    void addLive(const std::string &series, double step, double value);
    /// Call once for many addLive.
    void sayCurves() { Q_EMIT curvesGrew(); }
    [[nodiscard]] const AlignmentCurves &curves() const { return isLive() ? m_live : m_findings.curves; }
    [[nodiscard]] bool isLive() const { return !m_liveRun.isEmpty(); }

Q_SIGNALS:
    void storedChanged();
    void chosenChanged();                ///< somebody has to read it
    void reportChanged();
    void viewChanged();                  ///< statistic or side
    void pickChanged();
    void mapsWanted(int layer);          ///< somebody has to read them
    void mapsChanged();
    void curvesChanged();                ///< other curves than before
    void curvesGrew();                   ///< the same ones, longer

private:
    void askForMaps();
    LayerSelection &m_selection;
    std::vector<StoredCalibration> m_stored;
    std::optional<StoredCalibration> m_chosen;
    CalibrationFindings m_findings;
    QString m_statistic, m_liveRun, m_mapsProblem;
    Side m_side = Side::After;
    int m_head = 0, m_mapsLayer = -1;
    bool m_mapsThere = false;
    std::vector<HeadMaps> m_maps;
    AlignmentCurves m_live;
};

}  // namespace stillroom::widgets
