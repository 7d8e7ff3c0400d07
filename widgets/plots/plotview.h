// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/paper.h"
#include "plots/plotlook.h"
#include "report/chart.h"

#include <QFont>
#include <QPen>
#include <QString>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

class QCPItemText;
class QCustomPlot;

namespace stillroom::widgets {

/// A plot in the window's look: follows palette and font at once, wears a ring while it has the keyboard, and says what would fill it while it is empty.
/// A copy of it can be put on paper, where it draws itself by the same code without what only a hand at the keyboard needs.
class PlotView : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(PlotView)

public:
    /// Another plot of the same contents, which follows them as this one does; null: not for paper.
    [[nodiscard]] virtual std::unique_ptr<PlotView> copy() const { return nullptr; }
    /// What is shown, as numbers (the plot's table twin) and as a chart without a canvas; no rows while there is nothing to show.
    [[nodiscard]] virtual report::Figure figure() const { return {}; }
    [[nodiscard]] report::Table tableTwin() const { return figure().table; }
    /// Whether figure() has rows; asked for often.
    [[nodiscard]] virtual bool hasFigure() const { return !figure().table.rows.empty(); }
    /// What makes it again from the workspace; the teacher is not known here.
    [[nodiscard]] virtual report::FigureSpec spec() const { return {}; }

    /// For a copy: white paper, black letters of the paper's sizes; it never appears on the screen. May be called again with another paper.
    void putOnPaper(const Paper &paper);
    [[nodiscard]] const std::optional<Paper> &paper() const { return m_paper; }
    /// As vectors, whole at once, from the device's origin. \param scale  device pixels of one unit of the paper
    void drawOn(QPaintDevice &device, double scale);
    /// SVG, PNG, TSV and Markdown onto the clipboard; nothing while there is nothing to show.
    void copyToClipboard() const;

Q_SIGNALS:
    void exportRequested();

protected:
    explicit PlotView(QWidget *parent = nullptr);
    [[nodiscard]] QCustomPlot &plot() const { return *m_plot; }
    /// \param sentence  what would fill the plot: stands in place of axes and legend. Empty: there is something to show.
    void setEmptyText(const QString &sentence);
    /// Pens, brushes and fonts of one's own after the palette; the axes are done.
    virtual void applyPalette() = 0;
    /// Everything anew from the models.
    virtual void refresh() = 0;
    /// The size is known: for what hangs on how much room there is.
    virtual void laidOut() {}
    /// Of tick labels, legend and texts within the plot.
    [[nodiscard]] QFont smallFont() const;
    [[nodiscard]] PlotLook look() const;
    /// \param width  on the screen; on paper lines are as much wider as print needs
    [[nodiscard]] QPen pen(const QColor &colour, double width, Qt::PenStyle style = Qt::SolidLine) const;

    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void restyle();                            ///< the axes and applyPalette(): once at the end of a constructor
    /// What was changed is drawn before long, and no other that asks for it here in the same turn of the event loop.
    void drawInTurn();
    /// Refreshes when the plot is to be seen: once after what happens now, however many reasons there are, or when it is shown next. A page that is not looked at takes no time from dragging.
    void invalidate();
    /// The same a few times a second at most: for what arrives without end while a job runs.
    void invalidateInTurn();
    /// Whether a refresh is still to come: then a part of it is not enough.
    [[nodiscard]] bool isStale() const { return m_stale; }
    void refreshStale();                       ///< does now what is still to come, where the plot is seen
    void showEvent(QShowEvent *event) override;

private:
    void showMenu(const QPoint &where);
    void wrapEmptyText();
    QCustomPlot *m_plot;
    QCPItemText *m_empty;
    QString m_sentence;
    std::optional<Paper> m_paper;
    QTimer m_refreshing, m_turn;
    bool m_stale = false, m_wantsTurn = false;
};

}  // namespace stillroom::widgets
