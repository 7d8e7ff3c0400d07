// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/calibrationbook.h"

#include <QWidget>

#include <memory>

class QLabel;

namespace stillroom::widgets {

class TokenMapPlot;

enum class HeadMapKind { Attention, Student };
/// The map of the picked head, of the side that is looked at; it does not follow later picks.
[[nodiscard]] std::unique_ptr<TokenMapPlot> headMap(const CalibrationBook &book, HeadMapKind kind);

/// "Layer 3, head 5"; what to do where none is picked.
[[nodiscard]] QString pickedHeadText(const CalibrationBook &book);

/// The picked head: its attention beside the student's map, lags with the decay, and entropy by position.
class HeadDetail final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HeadDetail)

public:
    explicit HeadDetail(CalibrationBook &book, QWidget *parent = nullptr);

private:
    void refresh();
    void refreshMaps();
    CalibrationBook &m_book;
    QLabel *m_title;
    TokenMapPlot *m_attention, *m_student;
};

}  // namespace stillroom::widgets
