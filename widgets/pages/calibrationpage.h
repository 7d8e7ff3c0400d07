// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTabWidget;

namespace stillroom::widgets {

class AlarmList;
class ChoiceBox;
class ElidedLabel;
class HeadDetail;
class HeadDistributionPlot;
class HeadMapPlot;
class HeadNumbers;
class HiddenCosinePlot;
class MessageLine;

/// What a teacher's attention does, head by head, and the linear layers that start from it: one statistic as a map of all heads and as a distribution, what to look at, one head in
/// detail, and how the layers align, live.
class CalibrationPage final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CalibrationPage)

public:
    explicit CalibrationPage(Session &session, QWidget *parent = nullptr);

Q_SIGNALS:
    void calibrateRequested();

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeEmpty();
    QWidget *makeContent();
    QWidget *makeToolbar(QWidget *parent);
    QLayout *makeSummaryRow(QWidget *parent);
    QWidget *makeDistribution(QWidget *parent);
    QWidget *makeBelow(QWidget *parent);
    void follow();
    void refreshState();                   ///< whether there is anything
    void refreshCalibrations();
    void refreshReport();
    void refreshStatistics();
    void refreshView();
    void refreshMoments();
    void pickFirst();
    void showAlarm(const CalibrationAlarm &alarm);
    void copy() const;
    [[nodiscard]] QString mapAsTsv() const;
    [[nodiscard]] QString curvesAsTsv() const;
    [[nodiscard]] QString depthAsTsv() const;
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QString calibrationName(const StoredCalibration &calibration) const;

    Session &m_session;
    CalibrationBook &m_book;
    QStackedWidget *m_state = nullptr;
    QLabel *m_why = nullptr;
    QPushButton *m_first = nullptr, *m_another = nullptr, *m_copying = nullptr;
    ChoiceBox *m_statistic = nullptr, *m_calibration = nullptr, *m_moment = nullptr, *m_against = nullptr;
    ElidedLabel *m_summary = nullptr;
    MessageLine *m_problem = nullptr;
    AlarmList *m_alarms = nullptr;
    HeadMapPlot *m_map = nullptr;
    HeadDistributionPlot *m_distribution = nullptr;
    HeadDetail *m_detail = nullptr;
    HeadNumbers *m_numbers = nullptr;
    QWidget *m_alignment = nullptr;
    HiddenCosinePlot *m_depth = nullptr;
    QTabWidget *m_below = nullptr;
    bool m_wantsPick = false;              ///< the report is a new one: a head of it is picked once it is looked at
};

}  // namespace stillroom::widgets
