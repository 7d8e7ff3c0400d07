// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/overlapplot.h"

#include "analysis/chanceoverlap.h"
#include "plots/overlapcells.h"
#include "plots/plotlook.h"
#include "views/palette.h"

#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int legendWidth = 14;
constexpr double closestTicks = 0.19;      // of the scale: labels nearer than this would touch

QCPColorGradient gradient()
{
    QCPColorGradient viridis;
    viridis.clearColorStops();
    constexpr int stops = 16;
    for (int stop = 0; stop <= stops; ++stop)
        viridis.setColorStopAt(static_cast<double>(stop) / stops, sequentialColour(static_cast<double>(stop) / stops));
    return viridis;
}

}  // namespace

OverlapPlot::OverlapPlot(OverlapTable &table, QItemSelectionModel &current, QWidget *parent)
    : PlotView(parent), m_table(table), m_current(current), m_cells(new OverlapCells(&plot(), table)), m_scale(new QCPColorScale(&plot()))
{
    setAccessibleName(tr("Overlap of the choices"));
    setToolTip({});
    plot().plotLayout()->addElement(1, 0, m_scale);
    m_scale->setType(QCPAxis::atBottom);
    m_scale->setGradient(gradient());
    m_scale->setDataRange({0.0, 1.0});
    m_scale->setBarWidth(legendWidth);
    m_scale->setRangeDrag(false);
    m_scale->setRangeZoom(false);
    m_scale->setLabel(tr("Jaccard index"));
    auto *sameWidth = new QCPMarginGroup(&plot());
    plot().axisRect()->setMarginGroup(QCP::msLeft | QCP::msRight, sameWidth);
    m_scale->setMarginGroup(QCP::msLeft | QCP::msRight, sameWidth);
    plot().yAxis->setRangeReversed(true);
    plot().xAxis->setLabel(tr("choice, by its number"));
    plot().legend->setVisible(false);
    connect(&plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent *event) {
        setFocus(Qt::MouseFocusReason);
        const QModelIndex cell = cellAt(event->position());
        if (!cell.isValid())
            return;
        m_current.setCurrentIndex(cell, QItemSelectionModel::ClearAndSelect);
        Q_EMIT opened();
    });
    connect(&plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent *event) {
        const QModelIndex cell = cellAt(event->position());
        plot().setToolTip(cell.isValid() ? m_table.sentence(cell.row(), cell.column()) : QString());
    });
    connect(&table, &QAbstractItemModel::modelReset, this, [this] {
        m_otherRows = true;
        invalidate();
    });
    connect(&table, &QAbstractItemModel::dataChanged, this, &OverlapPlot::invalidate);
    connect(&current, &QItemSelectionModel::currentChanged, this, &OverlapPlot::invalidate);
    restyle();
    refresh();
}

QSize OverlapPlot::cellSize() const
{
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    return {metrics.horizontalAdvance(QStringLiteral("0.00")) + 6, metrics.height() + 6};
}

/// Below it numbers would touch: the page scrolls instead.
QSize OverlapPlot::minimumSizeHint() const
{
    int names = 0;
    for (int row = 0; row < m_table.rowCount(); ++row)
        names = std::max(names, fontMetrics().horizontalAdvance(m_table.headerData(row, Qt::Vertical, Qt::DisplayRole).toString()));
    const int around = fontMetrics().height();
    return {names + m_table.columnCount() * cellSize().width() + 3 * around, std::max(m_table.rowCount(), 4) * cellSize().height() + 8 * around};
}

QSize OverlapPlot::sizeHint() const
{
    return minimumSizeHint();
}

void OverlapPlot::refresh()
{
    setEmptyText(m_table.rowCount() > 0 ? QString() : tr("Open a teacher to compare the choices of its layers."));
    m_scale->setVisible(m_table.rowCount() > 0);
    m_cells->setVisible(m_table.rowCount() > 0);
    m_cells->setCurrent(m_current.currentIndex());
    if (std::exchange(m_otherRows, false))
        fitAxes();
    markChance();
    describe();
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void OverlapPlot::fitAxes()
{
    const int count = std::max(1, m_table.rowCount());
    const QSharedPointer<QCPAxisTickerText> numbers(new QCPAxisTickerText), names(new QCPAxisTickerText);
    for (int row = 0; row < m_table.rowCount(); ++row) {
        numbers->addTick(row, m_table.headerData(row, Qt::Horizontal, Qt::DisplayRole).toString());
        names->addTick(row, m_table.headerData(row, Qt::Vertical, Qt::DisplayRole).toString());
    }
    plot().xAxis->setTicker(numbers);
    plot().yAxis->setTicker(names);
    plot().xAxis->setRange(-0.5, count - 0.5);
    plot().yAxis->setRange(-0.5, count - 0.5);
    updateGeometry();
}

/// On the scale: what two random sets of K layers have. Pairs of other sizes have another level, which the cell's own sentence names.
void OverlapPlot::markChance()
{
    const QLocale locale;
    const QSharedPointer<QCPAxisTickerText> ticks(new QCPAxisTickerText);
    const int keep = m_table.keep(), numLayers = m_table.numLayers();
    std::optional<double> chance;
    if (keep > 0 && keep <= numLayers)
        chance = analysis::ChanceOverlap(keep, keep, numLayers).meanJaccard();
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
        if (!chance || std::abs(share - *chance) > closestTicks)
            ticks->addTick(share, locale.toString(share, 'f', 2));
    if (chance)
        ticks->addTick(*chance, tr("▴ chance %1").arg(locale.toString(*chance, 'f', 2)));
    m_scale->axis()->setTicker(ticks);
}

void OverlapPlot::describe()
{
    const QModelIndex cell = m_current.currentIndex();
    setAccessibleDescription(cell.isValid() ? m_table.sentence(cell.row(), cell.column()) : tr("%n choices; the arrow keys walk from cell to cell", nullptr, m_table.rowCount()));
}

QRect OverlapPlot::currentCell() const
{
    const QModelIndex cell = m_current.currentIndex();
    if (!cell.isValid())
        return {};
    QRect where(QPoint(), cellSize());
    where.moveCenter(QPointF(plot().xAxis->coordToPixel(cell.column()), plot().yAxis->coordToPixel(cell.row())).toPoint());
    return where;
}

QModelIndex OverlapPlot::cellAt(const QPointF &position) const
{
    if (!plot().axisRect()->rect().contains(position.toPoint()))
        return {};
    return m_table.index(static_cast<int>(std::lround(plot().yAxis->pixelToCoord(position.y()))), static_cast<int>(std::lround(plot().xAxis->pixelToCoord(position.x()))));
}

void OverlapPlot::applyPalette()
{
    m_cells->setLook(palette(), font());
    for (QCPAxis *axis : {plot().xAxis, plot().yAxis}) {
        axis->setBasePen(Qt::NoPen);
        axis->setTickPen(Qt::NoPen);
        axis->grid()->setVisible(false);
    }
    QCPAxis &scale = *m_scale->axis();
    scale.setTickLabelFont(font());
    scale.setLabelFont(font());
    scale.setTickLabelColor(palette().color(QPalette::Text));
    scale.setLabelColor(quietTextColour(palette()));
    scale.setBasePen(Qt::NoPen);
    scale.setTickPen(QPen(quietTextColour(palette()), 1));
    scale.setSubTicks(false);
}

void OverlapPlot::go(int row, int column)
{
    const int last = m_table.rowCount() - 1;
    if (last >= 0)
        m_current.setCurrentIndex(m_table.index(std::clamp(row, 0, last), std::clamp(column, 0, last)), QItemSelectionModel::ClearAndSelect);
}

void OverlapPlot::keyPressEvent(QKeyEvent *event)
{
    const QModelIndex cell = m_current.currentIndex();
    const int row = cell.isValid() ? cell.row() : 0, column = cell.isValid() ? cell.column() : -1;
    switch (event->key()) {
    case Qt::Key_Left: go(row, column - 1); return;
    case Qt::Key_Right: go(row, column + 1); return;
    case Qt::Key_Up: go(row - 1, column); return;
    case Qt::Key_Down: go(row + 1, column); return;
    case Qt::Key_Home: go(row, 0); return;
    case Qt::Key_End: go(row, m_table.columnCount() - 1); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (cell.isValid())
            Q_EMIT opened();
        return;
    default: PlotView::keyPressEvent(event);
    }
}

}  // namespace stillroom::widgets
