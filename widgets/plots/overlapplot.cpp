// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/overlapplot.h"

#include "analysis/chanceoverlap.h"
#include "plots/overlapcells.h"
#include "plots/plotlook.h"
#include "report/resultfigures.h"
#include "views/keyaction.h"
#include "views/palette.h"

#include <QGridLayout>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLocale>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int legendWidth = 14;
constexpr int widestName = 44;             // in characters
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
    : PlotView(parent), m_table(table), m_current(current), m_cells(new OverlapCells(&plot(), table)), m_scale(new QCPColorScale(&plot())),
      m_down(new QScrollBar(Qt::Vertical, this)), m_across(new QScrollBar(Qt::Horizontal, this))
{
    setAccessibleName(tr("Overlap of the choices"));
    describeKeys(*this, tr("← → ↑ ↓ Home End"), tr("Walk from cell to cell"));
    describeKeys(*this, tr("Enter"), tr("Look at the pair of choices"));
    setToolTip({});
    placeScrollBars();
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
    connect(&plot(), &QCustomPlot::mouseWheel, this, &OverlapPlot::wheel);
    connect(&plot(), &QCustomPlot::afterLayout, this, &OverlapPlot::placeWindow);
    connect(&table, &QAbstractItemModel::modelReset, this, [this] {
        m_otherRows = true;
        invalidate();
    });
    connect(&table, &QAbstractItemModel::dataChanged, this, &OverlapPlot::invalidate);
    connect(&current, &QItemSelectionModel::currentChanged, this, [this] {
        showCurrent();
        invalidate();
    });
    restyle();
    refresh();
}

std::unique_ptr<PlotView> OverlapPlot::copy() const
{
    return std::make_unique<OverlapPlot>(m_table, m_current);
}

report::Figure OverlapPlot::figure() const
{
    report::Provenance provenance{.title = "Overlap of choices of layers", .version = {}, .runs = {}, .keys = {}, .seeds = {}, .settings = {{"K", std::to_string(m_table.keep())}}, .date = {}};
    std::vector<report::ChoiceShown> choices;
    for (int row = 0; row < m_table.rowCount(); ++row) {
        const std::string &run = m_table.entry(row).choice.run;
        if (!run.empty() && std::find(provenance.runs.begin(), provenance.runs.end(), run) == provenance.runs.end())
            provenance.runs.push_back(run);
        choices.push_back({m_table.entry(row).name.toStdString(), m_table.layers(row)});
    }
    return report::overlapFigure(choices, m_table.matrix(), std::move(provenance));
}

/// All names, where some are filtered out.
report::FigureSpec OverlapPlot::spec() const
{
    report::FigureSpec spec;
    spec.plot = "overlap";
    spec.keep = m_table.keep();
    if (m_table.rowCount() < m_table.numChoices())
        for (int row = 0; row < m_table.rowCount(); ++row)
            spec.choices.push_back(m_table.entry(row).choice.name);
    return spec;
}

QSize OverlapPlot::cellSize() const
{
    if (paper())      // all cells, however small: there is nothing to scroll with
        return {1, 1};
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    return {metrics.horizontalAdvance(QStringLiteral("0.00")) + 6, metrics.height() + 6};
}

void OverlapPlot::placeScrollBars()
{
    const QMargins ring = layout()->contentsMargins();
    delete layout();
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(ring);
    grid->setSpacing(0);
    grid->addWidget(&plot(), 0, 0);
    grid->addWidget(m_down, 0, 1);
    grid->addWidget(m_across, 1, 0);
    m_down->setAccessibleName(tr("Rows of the matrix"));
    m_across->setAccessibleName(tr("Columns of the matrix"));
    for (QScrollBar *bar : {m_down, m_across}) {
        bar->hide();
        connect(bar, &QScrollBar::valueChanged, this, [this] {
            showWindow();
            drawInTurn();
        });
    }
}

QString OverlapPlot::rowName(int row) const
{
    const QFontMetrics metrics(smallFont());
    const int widest = paper() ? paper()->units().width() * 2 / 5 : metrics.averageCharWidth() * widestName;
    return metrics.elidedText(m_table.headerData(row, Qt::Vertical, Qt::DisplayRole).toString(), Qt::ElideMiddle, widest);
}

int OverlapPlot::widestRowName() const
{
    int widest = 0;
    for (int row = 0; row < m_table.rowCount(); ++row)
        widest = std::max(widest, QFontMetrics(smallFont()).horizontalAdvance(rowName(row)));
    return widest;
}

/// Some cells; the others scroll.
QSize OverlapPlot::minimumSizeHint() const
{
    const int around = fontMetrics().height(), columns = std::clamp(m_table.columnCount(), 1, 4), rows = std::clamp(m_table.rowCount(), 4, 6);
    return {m_nameWidth + columns * cellSize().width() + 3 * around, rows * cellSize().height() + 7 * around};
}

QSize OverlapPlot::sizeHint() const
{
    const int around = fontMetrics().height();
    return {m_nameWidth + m_table.columnCount() * cellSize().width() + 3 * around, std::max(m_table.rowCount(), 4) * cellSize().height() + 8 * around};
}

void OverlapPlot::refresh()
{
    setEmptyText(m_table.rowCount() > 0 ? QString() : m_table.numChoices() > 0 ? tr("No choice fits the filter.") : tr("Open a teacher to compare the choices of its layers."));
    m_scale->setVisible(m_table.rowCount() > 0);
    m_cells->setVisible(m_table.rowCount() > 0);
    m_cells->setCurrent(paper() ? QModelIndex() : m_current.currentIndex());
    if (std::exchange(m_otherRows, false))
        nameAxes();
    markChance();
    describe();
    drawInTurn();
}

void OverlapPlot::nameAxes()
{
    const QSharedPointer<QCPAxisTickerText> numbers(new QCPAxisTickerText), names(new QCPAxisTickerText);
    for (int row = 0; row < m_table.rowCount(); ++row) {
        numbers->addTick(row, m_table.headerData(row, Qt::Horizontal, Qt::DisplayRole).toString());
        names->addTick(row, rowName(row));
    }
    plot().xAxis->setTicker(numbers);
    plot().yAxis->setTicker(names);
    m_nameWidth = widestRowName();
    // As wide as the longest name, so that nothing moves sideways when other rows scroll in.
    // At the right, room for the half of the scale's last number: one that is cut off is not drawn at all.
    plot().axisRect()->setMinimumMargins({m_nameWidth + fontMetrics().averageCharWidth() * 2, 4, fontMetrics().horizontalAdvance(QStringLiteral("1.00")) / 2 + 4, 0});
    showWindow();
    updateGeometry();
}

/// After every layout. How many cells there is room for: all of them, in cells that fill it, or some, in the smallest that can be read.
void OverlapPlot::placeWindow()
{
    const QSize room = plot().axisRect()->size();
    const auto fit = [](QScrollBar &bar, int count, int space, int cell) {
        const int shown = std::clamp(space / std::max(1, cell), 1, std::max(1, count));
        bar.setRange(0, count - shown);
        bar.setPageStep(shown);
        bar.setVisible(count > shown);
    };
    fit(*m_down, std::max(1, m_table.rowCount()), room.height(), cellSize().height());
    fit(*m_across, std::max(1, m_table.columnCount()), room.width(), cellSize().width());
    const QCPRange rows = plot().yAxis->range(), columns = plot().xAxis->range();
    showWindow();
    if (plot().yAxis->range() != rows || plot().xAxis->range() != columns)
        drawInTurn();      // the names of this one are laid out already
}

void OverlapPlot::showWindow()
{
    plot().yAxis->setRange(m_down->value() - 0.5, m_down->value() + m_down->pageStep() - 0.5);
    plot().xAxis->setRange(m_across->value() - 0.5, m_across->value() + m_across->pageStep() - 0.5);
}

std::pair<int, int> OverlapPlot::shownRows() const
{
    return {m_down->value(), std::min(m_down->value() + m_down->pageStep(), m_table.rowCount())};
}

std::pair<int, int> OverlapPlot::shownColumns() const
{
    return {m_across->value(), std::min(m_across->value() + m_across->pageStep(), m_table.columnCount())};
}

void OverlapPlot::showCurrent()
{
    const QModelIndex cell = m_current.currentIndex();
    if (!cell.isValid())
        return;
    const auto show = [](QScrollBar &bar, int place) { bar.setValue(std::clamp(bar.value(), place - bar.pageStep() + 1, place)); };
    show(*m_down, cell.row());
    show(*m_across, cell.column());
}

void OverlapPlot::wheel(QWheelEvent *event)
{
    constexpr int notch = 120, cellsANotch = 3;
    const bool sideways = event->modifiers().testFlag(Qt::ShiftModifier) || event->angleDelta().y() == 0;
    QScrollBar &bar = sideways ? *m_across : *m_down;
    const int turned = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    bar.setValue(bar.value() - turned * cellsANotch / notch);
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
    const QString name = chance ? tr("▴ chance %1").arg(locale.toString(*chance, 'f', 2)) : QString();
    double closest = closestTicks;
    if (const int width = plot().axisRect()->maximumSize().width(); m_square && width < QWIDGETSIZE_MAX) {
        const QFontMetrics metrics(smallFont());
        closest = std::max(closest, 0.5 * (metrics.horizontalAdvance(name) + metrics.horizontalAdvance(QStringLiteral("0.00")) + metrics.averageCharWidth()) / width);
    }
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
        if (!chance || std::abs(share - *chance) > closest)
            ticks->addTick(share, locale.toString(share, 'f', 2));
    if (chance)
        ticks->addTick(*chance, name);
    m_scale->axis()->setTicker(ticks);
}

void OverlapPlot::describe()
{
    const QModelIndex cell = m_current.currentIndex();
    setAccessibleDescription(cell.isValid() ? m_table.sentence(cell.row(), cell.column()) : tr("%n choices; the arrow keys walk from cell to cell", nullptr, m_table.rowCount()));
}

QModelIndex OverlapPlot::cellAt(const QPointF &position) const
{
    if (!plot().axisRect()->rect().contains(position.toPoint()))
        return {};
    return m_table.index(static_cast<int>(std::lround(plot().yAxis->pixelToCoord(position.y()))), static_cast<int>(std::lround(plot().xAxis->pixelToCoord(position.x()))));
}

void OverlapPlot::applyPalette()
{
    m_cells->setLook(palette(), smallFont());
    if (paper() && !std::exchange(m_square, true))
        keepAxesSquare(plot());
    m_otherRows = true;            // in another font names are cut elsewhere
    for (QCPAxis *axis : {plot().xAxis, plot().yAxis}) {
        axis->setBasePen(Qt::NoPen);
        axis->setTickPen(Qt::NoPen);
        axis->grid()->setVisible(false);
    }
    applyScaleLook(*m_scale->axis(), look());
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
    const int last = m_table.rowCount() - 1;
    const bool whole = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Left: go(row, column - 1); return;
    case Qt::Key_Right: go(row, column + 1); return;
    case Qt::Key_Up: go(row - 1, column); return;
    case Qt::Key_Down: go(row + 1, column); return;
    case Qt::Key_Home: go(whole ? 0 : row, 0); return;
    case Qt::Key_End: go(whole ? last : row, last); return;
    case Qt::Key_PageUp: go(row - m_down->pageStep(), std::max(0, column)); return;
    case Qt::Key_PageDown: go(row + m_down->pageStep(), std::max(0, column)); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (cell.isValid())
            Q_EMIT opened();
        return;
    default: PlotView::keyPressEvent(event);
    }
}

}  // namespace stillroom::widgets
