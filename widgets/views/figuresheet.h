// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

namespace stillroom::widgets {

/// A sheet of paper with a figure on it, at true size.
class FigureSheet final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FigureSheet)

public:
    explicit FigureSheet(QWidget *parent = nullptr);
    /// \param figure  with its device pixel ratio; the sheet takes its size
    void setFigure(const QPixmap &figure);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QPixmap m_figure;
};

}  // namespace stillroom::widgets
