// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/calibrationbook.h"

#include <QWidget>

#include <memory>

class QLabel;
class QTableWidget;

namespace stillroom::widgets {

class TokenMapPlot;

enum class HeadMapKind { Attention, Student };
/// The map of the picked head, of the side that is looked at; it does not follow later picks.
[[nodiscard]] std::unique_ptr<TokenMapPlot> headMap(const CalibrationBook &book, HeadMapKind kind);

/// The picked head: its attention beside the student's map, lags with the decay, entropy by position, and every statistic at every moment.
class HeadDetail final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HeadDetail)

public:
    explicit HeadDetail(CalibrationBook &book, QWidget *parent = nullptr);
    [[nodiscard]] QString asTsv() const;

private:
    void refresh();
    void refreshMaps();
    void fillTable();
    CalibrationBook &m_book;
    QLabel *m_title;
    TokenMapPlot *m_attention, *m_student;
    QTableWidget *m_table;
};

}  // namespace stillroom::widgets
