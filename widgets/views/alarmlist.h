// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/calibrationreport.h"

#include <QWidget>

#include <vector>

class QLabel;
class QTableWidget;

namespace stillroom::widgets {

/// What a calibration says should be looked at, in words, each with a way to see it. Enter shows the current one.
class AlarmList final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(AlarmList)

public:
    explicit AlarmList(QWidget *parent = nullptr);
    void setAlarms(const std::vector<CalibrationAlarm> &alarms);
    [[nodiscard]] QString asTsv() const;

Q_SIGNALS:
    void shown(const stillroom::widgets::CalibrationAlarm &alarm);

private:
    std::vector<CalibrationAlarm> m_alarms;
    QLabel *m_title;
    QTableWidget *m_list;
};

}  // namespace stillroom::widgets
