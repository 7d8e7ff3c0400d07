// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QCPItemText;
class QCustomPlot;

namespace stillroom::widgets {

/// A plot in the window's look: follows palette and font at once, wears a ring while it has the keyboard, and says what would fill it while it is empty.
class PlotView : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(PlotView)

protected:
    explicit PlotView(QWidget *parent = nullptr);
    [[nodiscard]] QCustomPlot &plot() const { return *m_plot; }
    /// \param sentence  what would fill the plot: stands in place of axes and legend. Empty: there is something to show.
    void setEmptyText(const QString &sentence);
    /// Pens, brushes and fonts of one's own after the palette; the axes are done.
    virtual void applyPalette() = 0;
    /// Everything anew from the models.
    virtual void refresh() = 0;

    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void restyle();                            ///< the axes and applyPalette(): once at the end of a constructor
    /// Refreshes when the plot is to be seen: now, or when it is shown next. A page that is not looked at takes no time from dragging.
    void invalidate();
    void showEvent(QShowEvent *event) override;

private:
    QCustomPlot *m_plot;
    QCPItemText *m_empty;
    bool m_stale = false;
};

}  // namespace stillroom::widgets
