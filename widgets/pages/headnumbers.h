// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/calibrationbook.h"

#include <QWidget>

class QLabel;
class QTableWidget;

namespace stillroom::widgets {

/// Every statistic of the picked head, at every moment that its calibration had, with their names in full.
class HeadNumbers final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HeadNumbers)

public:
    explicit HeadNumbers(CalibrationBook &book, QWidget *parent = nullptr);
    /// Numbers in the C locale and in full, for a spreadsheet; empty while no head is picked.
    [[nodiscard]] QString asTsv() const;

private:
    void refresh();
    void addRow(const HeadStatistic &statistic);
    CalibrationBook &m_book;
    QLabel *m_title;
    QTableWidget *m_table;
};

}  // namespace stillroom::widgets
