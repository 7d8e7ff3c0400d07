// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/comparison.h"
#include "models/comparisontable.h"
#include "plots/linkedaxis.h"

#include <QVariantMap>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLayout;
class QStackedWidget;
class QTableView;
class QTabWidget;

namespace stillroom::widgets {

class MessageLine;
class Continuations;
class CurveReadings;
class ElidedLabel;
class RunBarsPlot;
class RunCurvesPlot;

/// Two to six experiments side by side: what they measured beside the baseline, which settings differ, their curves in one plot.
class ComparePage final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ComparePage)

public:
    explicit ComparePage(Session &session, QWidget *parent = nullptr);
    void compare(const std::vector<store::ExperimentRow> &rows) { m_comparison.compare(rows); }
    /// "<uuid>/<task>" of those that stand side by side, the baseline first.
    [[nodiscard]] QStringList compared() const;
    /// Which curve against what, and whether equal settings are shown, for the next start; to be set before comparing.
    [[nodiscard]] QVariantMap view() const;
    void setView(const QVariantMap &view);

Q_SIGNALS:
    void runsRequested();                     ///< to choose some

private:
    QWidget *makeTable();
    QWidget *makeCurves();
    QLayout *makeChoiceOfCurves(QWidget *box);
    QWidget *makeBars();
    QWidget *makeReadings();
    void showBeside();
    void refreshBeside(const QStringList &now);
    void refresh();
    void refreshSeries();
    void refreshMeasures();
    void refreshAuthors();
    void fitTable();
    void refreshNote();
    /// Of the column that is selected; -1 for none.
    [[nodiscard]] int chosen() const;

    Session &m_session;
    Comparison m_comparison;
    ComparisonTable m_table;
    LinkedAxis m_axis;
    QStackedWidget *m_views = nullptr;
    MessageLine *m_empty = nullptr;
    QTableView *m_view = nullptr;
    QTabWidget *m_tabs = nullptr;
    QComboBox *m_series = nullptr, *m_besideSeries = nullptr, *m_against = nullptr, *m_measure = nullptr;
    QCheckBox *m_everything = nullptr;
    QString m_wantedSeries, m_wantedBeside, m_wantedMeasure;      ///< as soon as there is such a one
    RunCurvesPlot *m_curves = nullptr, *m_beside = nullptr;
    Continuations *m_texts = nullptr;
    RunBarsPlot *m_bars = nullptr;
    CurveReadings *m_readings = nullptr;
    ElidedLabel *m_note = nullptr;
};

}  // namespace stillroom::widgets
